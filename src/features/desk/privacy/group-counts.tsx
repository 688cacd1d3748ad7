import { formatCount } from '../frame/formats.ts';
import type { GroupCount } from './table-groups.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** Counts of rows by what they are about, and of files. */
export function GroupCounts({
  counts,
  files = 0,
}: {
  counts: readonly GroupCount[];
  files?: number;
}) {
  const { t } = useTranslation('privacy');
  const language = useLanguage();
  const all = [...counts, ...(files > 0 ? [{ group: 'files' as const, count: files }] : [])];
  return (
    <ul className="grid gap-1">
      {all.map(({ group, count }) => (
        <li key={group}>
          {t('count', { group: t(`group.${group}`), count: formatCount(count, language) })}
        </li>
      ))}
    </ul>
  );
}
