import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';

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
