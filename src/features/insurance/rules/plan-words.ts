import { YEAR_DAYS } from './plans.ts';

type Translate = (key: string, values?: { count: number }) => string;

/** The length of a plan's cover in words: "30 days", "1 year". `t` speaks from `certificate` or `insurance`. */
export const planLength = (days: number, t: Translate): string =>
  days === YEAR_DAYS ? t('year') : t('days', { count: days });
