import type { Translate } from '~/base/read-text.ts';
import { isAboutPayment } from '~/features/order/payment-start.ts';

/** "Payment Error" with a Retry for failures of the payment, otherwise "Application Error" with the message. */
export function failureWords(t: Translate<'payment'>, { message }: { message: string }) {
  if (isAboutPayment(message)) {
    return { title: t('start.error.title'), description: t('start.error.text'), offersRetry: true };
  }
  return {
    title: t('start.application.title'),
    description: t(`start.${message}`, { defaultValue: message }),
    offersRetry: false,
  };
}
