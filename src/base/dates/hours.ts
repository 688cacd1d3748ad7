import { dateTimeFormat } from '../intl.ts';
import { intlLocale, type Language } from '../languages.ts';

const FULL_HOUR = {
  hour: 'numeric',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const;

/** A full hour of the day, 0 to 23, as the language writes it: 9:00, in French 9 h. */
export const formatHour = (hour: number, language: Language): string =>
  language === 'fr'
    ? `${hour}\u00a0h`
    : dateTimeFormat(intlLocale(language), FULL_HOUR).format(Date.UTC(2026, 0, 1, hour));
