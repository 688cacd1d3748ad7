import { useEffect, useState } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatMoment, TURKIYE, UTC } from '~/base/dates/dates.ts';
import { useVisitorZone } from '~/features/application/status/moment.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';

/** How often moments that count from now are worked out again. */
const TICK_MS = 30_000;

/** The server's time, going on while the page is open: the visitor's own clock may be wrong. */
export function useServerClock(startedAt: number): Date {
  const [now, setNow] = useState(startedAt);
  useEffect(() => {
    const opened = performance.now();
    setNow(startedAt);
    const tick = setInterval(
      () => setNow(startedAt + Math.round(performance.now() - opened)),
      TICK_MS,
    );
    return () => clearInterval(tick);
  }, [startedAt]);
  return new Date(now);
}

export type MomentWords = {
  /** "Thu 26 Nov, 13:20", "Today, 14:20"; without scripts "Thu 26 Nov, 13:20 UTC". */
  moment: string;
  /** "16:20 in Türkiye"; null where that is the visitor's own time. */
  turkiye: string | null;
};

/** Writes promised moments in the visitor's time, in UTC without scripts, and in Türkiye's. */
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
