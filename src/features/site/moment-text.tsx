import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatMoment, UTC } from '~/base/dates/dates.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/**
 * "Today, 14:20 UTC" or "Thu 26 Nov, 13:20 UTC". These pages are cached for everybody; their script rewrites the moment
 * in the visitor's own time (`local-times.ts`).
 */
export function MomentText({ at, now }: { at: Date; now: Date }) {
  const { t } = useTranslation('site');
  const language = useLanguage();
  const isToday = dateOf(at, UTC) === dateOf(now, UTC);
  return (
    <time data-local dateTime={at.toISOString()}>
      {isToday
        ? t('home.today', { time: formatMoment(at, language, UTC, 'time') })
        : formatMoment(at, language, UTC, 'short')}
    </time>
  );
}
