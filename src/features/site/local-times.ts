import { toPlainDate, formatMoment, TURKIYE, UTC } from '~/base/dates/dates.ts';
import { isLanguage } from '~/base/languages.ts';
import { isTimeZone } from '~/base/dates/wall-clock.ts';
import { joinMoment } from '~/base/dates/write-moment.ts';

/**
 * On pages without the framework: rewrites moments in the visitor's own time, with its zone, and in Türkiye's. The
 * words for Türkiye stand at the element (`moment-text.tsx`), as these pages load no texts.
 */
export function showLocalTimes(): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = document.documentElement.lang;
  if (zone === UTC || !isTimeZone(zone) || !isLanguage(language)) return;
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-local]')) {
    const at = new Date(time.dateTime);
    const { local = '', localTime = '' } = time.dataset;
    const isSameDay = toPlainDate(at, zone) === toPlainDate(at, TURKIYE);
    time.textContent =
      zone === TURKIYE
        ? local
        : joinMoment({
            own: formatMoment(at, language, zone, 'short'),
            turkiye: isSameDay ? localTime : local,
          });
  }
}
