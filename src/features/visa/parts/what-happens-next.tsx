import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import type { Translate } from '~/base/read-text.ts';
import { isAboutPayment } from '~/features/order/payment-start.ts';

/** What happens after the payment, who decides, and what is refunded after a rejection. */
export function WhatHappensNext() {
  const { t } = useTranslation('visa');
  return (
    <Notice className="mt-6" heading="h2" title={t('review.nextTitle')} tone="blue">
      <ul className="grid list-disc gap-2 ps-5">
        <li>{t('review.nextCheck')}</li>
        <li>{t('review.nextDecide')}</li>
        <li>
          <Trans
            components={{ refund: <Link to="/refund" /> }}
            i18nKey="review.nextRejected"
            t={t}
          />
        </li>
        <li>{t('review.nextHelp')}</li>
      </ul>
    </Notice>
  );
}

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
