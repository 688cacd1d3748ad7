import { ADULT_YEARS } from '~/base/dates/dates.ts';
import type { Translate } from '~/base/read-text.ts';
import { speedWords } from '../frame/speed-words.ts';
import type { SoldSpeed } from './sold-speed.ts';

/** "Standard, 4 days", or "Insurance, under 18". */
export const speedName = (t: Translate<'desk'>, speed: SoldSpeed): string =>
  speedWords(t, speed) ??
  (speed.kind === 'insurance'
    ? t('work:insurance', { age: ADULT_YEARS })
    : t(`application:service.${speed.service}`, speed.service));
