import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import type { Holiday } from '~/base/dates/holidays.ts';
import { closedDays } from '~/base/dates/working-hours.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Notice } from '~/ui/notice.tsx';

type Closure = { holiday: Holiday; first: string; last: string };

/** Days of one holiday after the other, as one line each; a weekend between them is closed as well. */
function closuresBetween(from: Date, to: Date): Closure[] {
  const closures: Closure[] = [];
  for (const { day, holiday } of closedDays(from, to)) {
    const before = closures.at(-1);
    if (before?.holiday === holiday) before.last = day;
    else closures.push({ holiday, first: day, last: day });
  }
  return closures;
}

/** The official holidays on weekdays between two moments, with their days. Nothing where there are none. */
export function ClosureList({ from, to }: { from: Date; to: Date }) {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const write = (text: string) => {
    const date = parseDate(text);
    return date ? formatDate(date, language) : text;
  };
  return (
    <ul className="list-disc ps-5">
      {closuresBetween(from, to).map(({ holiday, first, last }) => (
        <li key={first}>
          {t(first === last ? 'closed.day' : 'closed.days', {
            date: write(first),
            until: write(last),
            holiday: t(`closed.${holiday}`),
          })}
        </li>
      ))}
    </ul>
  );
}

/** Says which days a promise skips that is counted from one moment to another. */
export function ClosedDays({ from, to, className }: { from: Date; to: Date; className?: string }) {
  const { t } = useTranslation('visa');
  if (closedDays(from, to).length === 0) return null;
  return (
    <Notice className={className} tone="blue">
      <p>{t('closed.skipped')}</p>
      <ClosureList from={from} to={to} />
    </Notice>
  );
}
