import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { isLanguage } from '~/base/languages.ts';
import { isTimeZone } from '~/base/dates/wall-clock.ts';

/** Writes the moments of a page without framework JavaScript in the visitor's own time, with its zone. */
export function showLocalTimes(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = document.documentElement.lang;
  if (zone === UTC || !isTimeZone(zone) || !isLanguage(language)) return;
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    time.textContent = formatMoment(new Date(time.dateTime), language, zone, 'short');
  }
}
