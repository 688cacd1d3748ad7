import type { WaysToPay } from '~/features/order/fallback-provider.ts';
import { Link } from '~/ui/page/link.tsx';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import type { Translate } from '~/base/read-text.ts';
import { isAboutPayment } from '~/features/order/payment-start.ts';

/** Where the payment is made, what happens after it, who decides, and what is refunded after a rejection. */
export function WhatHappensNext({ ways }: { ways: WaysToPay }) {
  const { t } = useTranslation(['visa', 'payment']);
  return (
    <section className="mt-4 text-small wide:mt-6">
      <h2 className="text-h3">{t('review.nextTitle')}</h2>
      <ul className="mt-0.5 list-disc ps-5">
        <li>{t('review.nextCheck')}</li>
        <li>
          <Trans components={{ refund: <Link to="/refund" /> }} i18nKey="review.nextDecide" t={t} />
        </li>
        <li>{t(`payment:partner.${ways}`)}</li>
      </ul>
    </section>
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
