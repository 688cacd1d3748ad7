import { useNow } from '~/ui/use-now.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatMoment, TURKIYE, UTC } from '~/base/dates/dates.ts';
import { useVisitorZone } from '~/features/application/status/moment.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** The server's time, advancing while the page is open, as the visitor's clock may be wrong. */
export const useServerClock = (startedAt: number): Date => new Date(useNow(startedAt));

export type MomentWords = {
  /** "Thu 26 Nov, 13:20", "Today, 14:20"; without scripts "Thu 26 Nov, 13:20 UTC". */
  moment: string;
  /** "16:20 in Türkiye"; null where that is the visitor's own time. */
  turkiye: string | null;
};

/** A function that writes promised moments in the visitor's time (UTC without scripts) and in Türkiye's. */
export function useMomentWords(now: Date): (at: Date) => MomentWords {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const visitor = useVisitorZone();
  const zone = visitor ?? UTC;
  return (at) => {
    const isToday = dateOf(at, zone) === dateOf(now, zone);
    const sameDay = dateOf(at, zone) === dateOf(at, TURKIYE);
    const own =
      visitor === null
        ? formatMoment(at, language, UTC, 'short')
        : isToday
          ? t('arrival.today', { time: formatMoment(at, language, zone, 'time') })
          : formatMoment(at, language, zone, 'short');
    const turkish = formatMoment(at, language, TURKIYE, sameDay ? 'time' : 'short');
    return {
      moment: own,
      turkiye: visitor === TURKIYE ? null : t('arrival.turkiye', { moment: turkish }),
    };
  };
}
