import type { TFunction } from 'i18next';
import { dateOf, formatMoment, UTC } from '~/base/dates.ts';
import type { Language } from '~/base/languages.ts';

/** "Today, 14:20" or "Thu 26 Nov, 13:20", in UTC. */
export function momentWords(
  t: TFunction<'site'>,
  moment: Date,
  now: Date,
  language: Language,
): string {
  if (dateOf(moment, UTC) !== dateOf(now, UTC)) return formatMoment(moment, language, UTC, 'short');
  return t('home.today', { time: formatMoment(moment, language, UTC, 'time') });
}
