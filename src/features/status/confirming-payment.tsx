import { useTranslation } from '~/ui/texts/texts.tsx';
import type { AwaitedReason } from '~/features/payment/awaited.ts';
import { RefreshEvery } from '~/features/payment/refresh-every.tsx';
import { ButtonLink } from '~/ui/button.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';

/** Seconds between two looks at a payment that its provider checks for hours. */
export const HELD_SECONDS = 60;

/** A payment that its provider has not confirmed yet. */
export function ConfirmingPayment({
  orderNumber,
  awaited,
}: {
  orderNumber: string;
  awaited: AwaitedReason;
}) {
  const { t } = useTranslation('application');
  return (
    <NarrowPage>
      <PageHead
        lead={t(awaited === 'held' ? 'confirming.held' : 'confirming.text')}
        title={t('confirming.title')}
      >
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
      <RefreshEvery seconds={awaited === 'held' ? HELD_SECONDS : 3} />
    </NarrowPage>
  );
}
