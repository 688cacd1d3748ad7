import { formatLocalMoment, TURKIYE } from '~/base/dates/dates.ts';
import { joinMoment, writeMoment } from '~/base/dates/write-moment.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { numberFormat } from '~/base/intl.ts';
import { intlLocale } from '~/base/languages.ts';
import type { PromiseRecord } from '~/features/application/promise-record.server.ts';

/**
 * "Today, 14:20 UTC (17:20 in Türkiye)" or "Thu 26 Nov, 13:20 UTC (16:20 in Türkiye)". These pages are cached for
 * everybody; their script rewrites the moment in the visitor's own time (`local-times.ts`), with one of the two words
 * for Türkiye that stand at the element. `now`: where "Today" may stand for the day.
 */
export function MomentText({ at, now }: { at: Date; now?: Date }) {
  const { t, language } = useTranslation('ui');
  const inTurkiye = (style: 'time' | 'short') =>
    t('moment.turkiye', { moment: formatLocalMoment(at, language, TURKIYE, style) });
  return (
    <time
      data-local={inTurkiye('short')}
      data-local-time={inTurkiye('time')}
      dateTime={at.toISOString()}
    >
      {joinMoment(writeMoment(at, { t, language, zone: null, style: 'short', today: now }))}
    </time>
  );
}

/** How many of the last year's ready-by times the operator kept. */
export function PromiseSentence({ record: { due, percent } }: { record: PromiseRecord }) {
  const { t, language } = useTranslation('site');
  const locale = intlLocale(language);
  return t('record', {
    due: numberFormat(locale).format(due),
    share: numberFormat(locale, { style: 'percent' }).format(percent / 100),
  });
}
