import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formatCount } from '../frame/formats.ts';
import type { RequestRow } from './requests-view.server.ts';

/** How many days are left to answer, or for how many it is overdue; nothing for a closed request. */
export function DaysLeft({ left, isUrgent }: Pick<RequestRow, 'left' | 'isUrgent'>) {
  const { t } = useTranslation('privacy');
  const language = useLanguage();
  if (left === null) return null;
  if (left < 0) {
    return (
      <StatusTag icon="alert" tone="red">
        {t('overdue', { count: formatCount(-left, language) })}
      </StatusTag>
    );
  }
  return (
    <StatusTag tone={isUrgent ? 'amber' : 'neutral'}>
      {t('left', { count: formatCount(left, language) })}
    </StatusTag>
  );
}
