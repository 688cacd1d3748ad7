import ical, { ICalEventTransparency } from 'ical-generator';
import type { Language } from '~/base/languages.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { isPromised } from '~/features/application/promised.ts';

/**
 * An iCalendar file (RFC 5545) with the promised moment of an application, which takes no time in the calendar. It has no
 * name in it: calendars are shared. The same application always is the same entry, so that a later file replaces an
 * earlier one: its SEQUENCE rises with the promised moment, which only ever moves later.
 * @param publicUrl - Of the service, without a slash at its end.
 * @returns null where there is no promised moment to wait for.
 */
export function calendarEntry(
  view: {
    kind: 'visa' | 'insurance';
    number: string;
    createdAt: Date;
    promisedAt: Date | null;
    decidedAt: Date | null;
  },
  { language, publicUrl, now }: { language: Language; publicUrl: string; now: Date },
): string | null {
  if (!isPromised(view, now)) return null;
  const { kind, number, createdAt, promisedAt } = view;
  const t = makeTranslate(language, 'application');
  const address = `${publicUrl}/${language}/status?ref=${number}`;
  const calendar = ical({
    prodId: { company: 'Lale', product: 'Lale', language: language.toUpperCase() },
  });
  calendar.createEvent({
    id: `${number}@${new URL(publicUrl).hostname}`,
    sequence: Math.max(0, Math.ceil((promisedAt.getTime() - createdAt.getTime()) / 60_000)),
    stamp: now,
    // Without an end it is a moment; an end must be later than the start (RFC 5545, 3.8.2.2).
    start: promisedAt,
    summary: t(`calendar.${kind}`),
    description: t('calendar.text', { number, address }),
    url: address,
    transparency: ICalEventTransparency.TRANSPARENT,
  });
  return calendar.toString();
}
