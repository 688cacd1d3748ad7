import { expect, it } from 'vitest';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import type { Certainty } from './picture/certainty.ts';
import type { PictureLines } from './picture/read-picture.ts';
import { readPictureLines } from './read-picture-lines.ts';
import { sampleLines } from './testing/sample-lines.ts';

function day(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
}

const text = sampleLines('TD3', {
  issuer: 'ZAF',
  nationality: 'ZAF',
  lastName: 'Nkosi',
  firstName: 'Thandi',
  number: 'A01234567',
  born: '1990-05-17',
  sex: 'F',
  expires: '2032-02-28',
  optional: '',
}).join('\n');

const sure: Certainty['sure'] = {
  passportNumber: true,
  dateOfBirth: true,
  passportExpiryDate: true,
  names: true,
  nationality: true,
};
const read = (more: Partial<PictureLines> = {}) =>
  readPictureLines(
    { text, doubts: [], sure, isHeld: true, corners: [], ...more },
    day('2026-11-23'),
  );

const zone = {
  nationality: 'ZAF',
  lastName: 'NKOSI',
  firstName: 'THANDI',
  passportNumber: 'A01234567',
  dateOfBirth: '1990-05-17',
  passportExpiryDate: '2032-02-28',
};

it('fills in everything that is sure', () => {
  expect(read()).toMatchObject({ ok: true, zone });
});

it.each([
  ['passportNumber', { passportNumber: '' }],
  ['dateOfBirth', { dateOfBirth: '' }],
  ['passportExpiryDate', { passportExpiryDate: '' }],
  ['names', { lastName: '', firstName: '' }],
  ['nationality', { nationality: '' }],
] as const)('leaves %s empty where it is not sure, and fills in the rest', (part, empty) => {
  const answer = read({ sure: { ...sure, [part]: false } });
  expect(answer).toMatchObject({ ok: true, zone: { ...zone, ...empty } });
});

it('fills in nothing where check digits do not hold, or nothing is sure', () => {
  const doubts = [{ line: 2, place: 3 }];
  const unsure = { ok: false, error: 'unsure', text, doubts };
  expect(read({ isHeld: false, doubts })).toEqual(unsure);
  const none = Object.fromEntries(Object.keys(sure).map((part) => [part, false]));
  expect(read({ sure: { ...sure, ...none }, doubts })).toEqual(unsure);
  expect(readPictureLines(null, day('2026-11-23'))).toEqual({ ok: false, error: 'not_found' });
});
