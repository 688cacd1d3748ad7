import type { RefundProgress } from '~/features/payment/refund-machine.ts';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';

const tones: Record<RefundProgress, StatusTone> = {
  held: 'amber',
  requested: 'blue',
  sent: 'blue',
  pending: 'blue',
  completed: 'green',
  failed: 'red',
  withdrawn: 'neutral',
};

/** The state of a refund's money. */
export function RefundTag({ state }: { state: RefundProgress }) {
  const { t } = useTranslation('refund');
  return <StatusTag tone={tones[state]}>{t(`state.${state}`)}</StatusTag>;
}
