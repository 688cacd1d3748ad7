import { parse, type Details, type FieldName, type ParseResult } from 'mrz';
import { dateFromParts, type PlainDate } from '~/base/dates/dates.ts';
import { findZoneFormat, zoneFormats } from './picture/zone-formats.ts';
import type { Zone } from './zone.ts';

/** What a check digit of the lines covers; `composite` covers the others once more. */
type CheckedPart = 'passportNumber' | 'dateOfBirth' | 'passportExpiryDate' | 'composite';

export type ReadLines =
  | { readonly ok: true; readonly zone: Zone }
  /** length: not two or three lines of the length that they have. kind: of no passport or identity card. */
  | { readonly ok: false; readonly error: 'none' | 'length' | 'kind' }
  | { readonly ok: false; readonly error: 'check_digit'; readonly parts: readonly CheckedPart[] };

const CHECK_DIGITS: readonly [FieldName, CheckedPart][] = [
  ['documentNumberCheckDigit', 'passportNumber'],
  ['birthDateCheckDigit', 'dateOfBirth'],
  ['expirationDateCheckDigit', 'passportExpiryDate'],
  ['compositeCheckDigit', 'composite'],
];

/**
 * Reads the machine-readable lines. All their check digits must hold, or nothing is read. A letter where only a digit can
 * stand is read as the digit that looks like it, and the other way round; nothing else is corrected: a check digit finds
 * one wrong character, and with two guesses it would hold by chance. `today` decides the century of dates.
 */
export function readLines(text: string, today: PlainDate): ReadLines {
  const lines = linesIn(text);
  const [first = ''] = lines;
  if (first === '') return { ok: false, error: 'none' };
  const format = findZoneFormat(lines.length, first.length);
  if (!format || lines.some(({ length }) => length !== first.length)) {
    return { ok: false, error: 'length' };
  }
  const read = parsed(lines);
  if (!read?.format || !(read.format in zoneFormats)) return { ok: false, error: 'kind' };
  const detail = (name: FieldName) => read.details.find(({ field }) => field === name);
  if (!detail('documentCode')?.valid) return { ok: false, error: 'kind' };
  const parts = CHECK_DIGITS.flatMap(([name, part]) => (detail(name)?.valid ? [] : [part]));
  if (parts.length > 0) return { ok: false, error: 'check_digit', parts };

  const { fields } = read;
  return {
    ok: true,
    zone: {
      nationality: fields.nationality ?? '',
      lastName: nameIn(detail('lastName')),
      firstName: nameIn(detail('firstName')),
      areNamesCut: !lines[format.nameLine]?.endsWith('<'),
      passportNumber: numberIn(detail('documentNumber')),
      dateOfBirth: bornOn(fields.birthDate, today),
      passportExpiryDate: expiresOn(fields.expirationDate, today),
    },
  };
}

/** Pasted lines bring spaces along, lower case, and the guillemet that some keyboards make of two angle brackets. */
function linesIn(text: string): string[] {
  const lines = text
    .toUpperCase()
    .replaceAll(/[«‹]/g, (sign) => (sign === '«' ? '<<' : '<'))
    .split(/[\r\n]+/)
    .map((line) => line.replaceAll(/[\s\p{Cf}]/gu, ''))
    .filter((line) => line !== '');
  const [only = ''] = lines;
  if (lines.length !== 1) return lines;
  // Copied from a text that has no line breaks.
  const format = Object.values(zoneFormats).find(
    (one) => one.lines * one.characters === only.length,
  );
  if (!format) return lines;
  return Array.from({ length: format.lines }, (_, index) =>
    only.slice(index * format.characters, (index + 1) * format.characters),
  );
}

function parsed(lines: readonly string[]): ParseResult | null {
  if (!lines.every((line) => /^[A-Z0-9<]+$/.test(line))) return null;
  try {
    return parse(lines, { autocorrect: true });
  } catch {
    return null;
  }
}

const nameIn = (detail: Details | undefined): string =>
  detail?.valid ? (detail.value ?? '').replaceAll(/ +/g, ' ').trim() : '';

/**
 * A number of more than nine characters goes on in another place of the lines, where a filler that was misread as a check
 * digit would change it unseen; nor can one with a filler inside be told from a misread one.
 */
function numberIn(detail: Details | undefined): string {
  const number = detail?.value ?? '';
  return /^[A-Z0-9]{1,9}$/.test(number) ? number : '';
}

const MAX_EXPIRY_YEARS = 60;

/** Nobody is born in the future; a year that could be of two centuries is the later. */
function bornOn(six: string | null | undefined, today: PlainDate): PlainDate | '' {
  const [late, early] = [dayIn('20', six), dayIn('19', six)];
  return (late && late <= today ? late : early) ?? '';
}

function expiresOn(six: string | null | undefined, today: PlainDate): PlainDate | '' {
  const late = dayIn('20', six);
  const year = Number(late?.slice(0, 4));
  const isLate = year <= Number(today.slice(0, 4)) + MAX_EXPIRY_YEARS;
  return (isLate ? late : dayIn('19', six)) ?? '';
}

/** Null where a part is not known, which the lines write as fillers. */
function dayIn(century: '19' | '20', six: string | null | undefined): PlainDate | null {
  const [, year = '', month = '', day = ''] = /^(\d\d)(\d\d)(\d\d)$/.exec(six ?? '') ?? [];
  return dateFromParts({ day, month, year: `${century}${year}` });
}
