import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { isLanguage } from '~/base/languages.ts';
import { isTimeZone } from '~/base/dates/wall-clock.ts';

/** On pages without the framework: rewrites moments in the visitor's own time, with its zone. */
export function showLocalTimes(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = document.documentElement.lang;
  if (zone === UTC || !isTimeZone(zone) || !isLanguage(language)) return;
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    time.textContent = formatMoment(new Date(time.dateTime), language, zone, 'short');
  }
}
