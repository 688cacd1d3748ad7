import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Closure } from '~/base/dates/closures.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { closedDays } from '~/base/dates/working-hours.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Notice } from '~/ui/notice.tsx';

type Stretch = {
  from: Date;
  to: Date;
  /** Closures by the operator, besides the official holidays. */
  closures: readonly Closure[];
};

/** The closed weekdays between two moments, with the reasons. Renders nothing where there are none. */
export function ClosedDaysList({ from, to, closures }: Stretch) {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const write = (text: string) => {
    const date = parseDate(text);
    return date ? formatDate(date, language) : text;
  };
  return (
    <ul className="list-disc ps-5">
      {closedDays(from, to, closures).map(({ why, first, last }) => (
        <li key={first}>
          {t(first === last ? 'closed.day' : 'closed.days', {
            date: write(first),
            until: write(last),
            holiday: t(`closed.${why}`),
          })}
        </li>
      ))}
    </ul>
  );
}

/** Says which days a promise counted between two moments skips. */
export function ClosedDays({ className, ...stretch }: Stretch & { className?: string }) {
  const { t } = useTranslation('visa');
  const { from, to, closures } = stretch;
  if (closedDays(from, to, closures).length === 0) return null;
  return (
    <Notice className={className} tone="blue">
      <p>{t('closed.skipped')}</p>
      <ClosedDaysList {...stretch} />
    </Notice>
  );
}
