import { expect, it } from 'vitest';
import { completeAnswers, countries, NOW } from '../testing/sample-answers.ts';
import { problemsAt } from './browser-checks.ts';

const country = countries.southAfrica;
const situation = { now: NOW, country };
const judged = {
  problems: [
    { field: 'phone', code: 'no_country_code' },
    { field: 'address', code: 'too_short' },
  ],
  typed: { phone: '0171 1234567', address: 'here' },
} as const;

/** The codes that stand at the phone number while a page holds these. */
const codesAt = (phone: string) =>
  problemsAt('details', { ...completeAnswers(country), phone }, situation, {
    entries: { phone },
    judged,
  }).map(({ field, code }) => `${field}: ${code}`);

it('keeps what the server alone can find as long as the field holds what was sent', () => {
  expect(codesAt('0171 1234567')).toEqual(['phone: no_country_code']);
  expect(codesAt('+49 171 1234567')).toEqual([]);
  expect(codesAt('0171 x')).toEqual(['phone: invalid']);
});
