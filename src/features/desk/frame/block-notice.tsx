import type { MouseEvent } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { ApplicationStatus } from '~/features/application/status-machine.ts';

/**
 * Why the forms of an application must not be sent although somebody is filling them in: a colleague has claimed it, or
 * it has changed since. The server refuses both in any case.
 */
export type Block = { why: 'taken'; name: string } | { why: 'changed'; status: ApplicationStatus };

/** Says beside a form why it must not be sent; what was typed stays. */
export function BlockNotice({ block }: { block: Block | null }) {
  const { t } = useTranslation('desk');
  if (!block) return null;
  const title =
    block.why === 'taken'
      ? t('live.block.taken', { name: block.name })
      : t('live.block.changed', { status: t(`status.${block.status}`) });
  return (
    <Notice title={title} tone="amber">
      <p data-testid="held-back">{t('live.block.kept')}</p>
    </Notice>
  );
}

/** Attributes for the buttons of such a form: they keep the focus and do nothing. */
export const disabledBy = (block: Block | null) =>
  block && {
    'aria-disabled': true,
    onClick: (event: MouseEvent) => event.preventDefault(),
  };
