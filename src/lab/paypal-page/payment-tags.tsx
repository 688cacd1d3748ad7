import { useTranslation } from '~/ui/texts/texts.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import type { PaymentStatus, SdkStatus } from './use-paypal-payment.tsx';

const sdkTones = { loading: 'neutral', ready: 'green', failed: 'red' } as const;
const paymentTones = {
  none: 'neutral',
  success: 'green',
  failed: 'red',
  cancelled: 'amber',
} as const;

export function SdkTag({ status }: { status: SdkStatus }) {
  const { t } = useTranslation('lab');
  return <StatusTag tone={sdkTones[status]}>{t(`sdk.${status}`)}</StatusTag>;
}

export function PaymentTag({ status }: { status: PaymentStatus }) {
  const { t } = useTranslation('lab');
  return (
    <span aria-live="polite">
      <StatusTag tone={paymentTones[status]}>{t(`status.${status}`)}</StatusTag>
    </span>
  );
}
