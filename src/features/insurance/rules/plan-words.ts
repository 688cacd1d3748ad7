import { YEAR_DAYS } from './plans.ts';

type Words = (key: 'year' | 'days', values?: { count: number }) => string;

/** The length of a plan's cover in words: "30 days", "1 year". `t` speaks from `certificate` or `insurance`. */
export const planLength = (days: number, t: Words): string =>
  days === YEAR_DAYS ? t('year') : t('days', { count: days });
