import type { Language } from '../languages.ts';
import type { Translate } from '../read-text.ts';
import {
  toPlainDate,
  formatLocalMoment,
  formatMoment,
  TURKIYE,
  UTC,
  type MomentStyle,
} from './dates.ts';

/** A moment as every page and email writes it. */
export type WrittenMoment = {
  /** By the reader's own clock, in UTC where that is not known: "Fri 4 Dec, 12:16 UTC". */
  own: string;
  /** The same in Türkiye, "15:16 in Türkiye", with the day where that is another; null where `own` says it. */
  turkiye: string | null;
};

/**
 * Writes a moment by the reader's clock and by Türkiye's.
 * @param zone - The reader's time zone; null where it is not known.
 * @param today - The present moment, where "Today" may stand for the day.
 */
export function writeMoment(
  at: Date,
  {
    t,
    language,
    zone,
    style,
    today,
  }: {
    t: Translate<'ui'>;
    language: Language;
    zone: string | null;
    style: MomentStyle;
    today?: Date | undefined;
  },
): WrittenMoment {
  const shown = zone ?? UTC;
  const write = shown === TURKIYE ? formatLocalMoment : formatMoment;
  const isToday = today !== undefined && toPlainDate(at, shown) === toPlainDate(today, shown);
  const moment = isToday
    ? t('moment.today', { time: write(at, language, shown, 'time') })
    : write(at, language, shown, style);
  if (shown === TURKIYE) return { own: t('moment.turkiye', { moment }), turkiye: null };
  const isSameDay = toPlainDate(at, shown) === toPlainDate(at, TURKIYE);
  return {
    own: zone !== null && style === 'long' ? t('moment.local', { moment }) : moment,
    turkiye: t('moment.turkiye', {
      moment: formatLocalMoment(at, language, TURKIYE, isSameDay ? 'time' : 'short'),
    }),
  };
}

/** Both clocks in one text: "Fri 4 Dec, 12:16 UTC (15:16 in Türkiye)". */
export const joinMoment = ({ own, turkiye }: WrittenMoment): string =>
  turkiye === null ? own : `${own} (${turkiye})`;
