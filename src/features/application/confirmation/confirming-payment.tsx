import { useTranslation } from '~/ui/texts/texts.tsx';
import { RefreshEvery } from '~/features/payment/refresh-every.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';

/** Shown when the traveller is back from the provider before the provider has confirmed. */
export function ConfirmingPayment({ orderNumber }: { orderNumber: string }) {
  const { t } = useTranslation('application');
  return (
    <NarrowPage>
      <PageHead lead={t('confirming.text')} title={t('confirming.title')}>
        <StatusTag icon="clock" tone="amber">
          {t('status.confirming')}
        </StatusTag>
      </PageHead>
      <p className="text-small text-ink-2">{t('confirming.number')}</p>
      <p className="mt-1 mb-8">
        <NumberCode size="display" testId="application-number" value={orderNumber} />
      </p>
      <ButtonLink look="secondary" to={`/status?ref=${orderNumber}`}>
        {t('confirming.status')}
      </ButtonLink>
      <RefreshEvery seconds={3} />
    </NarrowPage>
  );
}
