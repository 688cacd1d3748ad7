import { expect, it, test } from 'vitest';
import { ONE_NAME, oneNameBox, withOneName } from './controls.ts';
import { serverProblems } from './check.ts';

it('puts a single name in both places where the box is ticked, whatever the hidden field holds', () => {
  const answers = { lastName: 'Suharto', firstName: 'left over', phone: '1' };
  expect(withOneName(answers, { [ONE_NAME]: 'yes' })).toEqual({ ...answers, firstName: 'Suharto' });
  expect(withOneName(answers, { [ONE_NAME]: '' })).toEqual(answers);
  expect(withOneName(answers, {})).toEqual(answers);
});

it('ticks the box for equal names alone, and leaves the hidden field empty', () => {
  const single = { lastName: 'Suharto', firstName: 'Suharto' };
  const box = oneNameBox(single);
  expect(box).toEqual({ [ONE_NAME]: 'yes', firstName: '' });
  expect(withOneName({ lastName: 'Soekarno', firstName: '' }, box).firstName).toBe('Soekarno');
  expect(oneNameBox({ lastName: 'Nkosi', firstName: 'Thandi' })).toEqual({});
  expect(oneNameBox({ lastName: '', firstName: '' })).toEqual({});
  expect(oneNameBox({})).toEqual({});
});

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
