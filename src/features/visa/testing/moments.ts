import fc from 'fast-check';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { PricePath } from '../rules/speeds.ts';

export const paths: readonly PricePath[] = ['without_document', 'with_document'];
export const anyPath = fc.constantFrom(...paths);
export const moments = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2036-01-01T00:00:00Z'),
  noInvalidDate: true,
});

/** November 2026: the 19th is a Thursday, the 20th a Friday. */
export const at = (text: string) => new Date(`2026-${text.replace(' ', 'T')}:00Z`);
export const thursday = at('11-19 10:20');
export const friday = at('11-20 17:30');
export const saturday = at('11-21 12:00');
export const night = at('11-18 23:15');

export function day(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(`${text} is no date`);
  return date;
}
