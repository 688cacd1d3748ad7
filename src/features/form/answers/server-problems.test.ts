import { expect, it, test } from 'vitest';
import { serverProblems } from './check.ts';

const sent = { phone: '0171 1234567', email: 'thabo@gmial.com', nationality: 'DEU' };
const problems = [
  { field: 'phone', code: 'no_country_code' },
  { field: 'address', code: 'too_short' },
  { field: 'email', code: 'mistyped', suggestion: 'thabo@gmail.com' },
];
const keptWith = (changes: Partial<typeof sent & { emailAnswer: string }>) =>
  serverProblems({ problems, typed: sent }, { ...sent, ...changes }).map(({ code }) => code);

it('keeps what the server alone can find as long as the page holds what it judged', () => {
  expect(keptWith({})).toEqual(['no_country_code', 'mistyped']);
});

test.each([
  [{ phone: '+49 171 1234567' }, ['mistyped']],
  [{ nationality: 'ZAF' }, ['mistyped']],
  [{ email: 'thabo@gmail.com' }, ['no_country_code']],
  // Answering the question does not change the address, so the problem stays.
  [{ emailAnswer: 'thabo@gmial.com' }, ['no_country_code', 'mistyped']],
])('%j leaves %j', (changes, left) => {
  expect(keptWith(changes)).toEqual(left);
});
