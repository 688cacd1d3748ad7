import { describe, expect, test } from 'vitest';
import { makeFill } from './fill.ts';

const values = new Map([
  ['refund.review', { text: '2–3', count: 3 }],
  ['operator.name', { text: 'Lale e-visa Ltd' }],
]);
const fill = makeFill(values, (unit, value, count) => {
  if (unit !== 'day') throw new Error(`There is no unit ${unit}`);
  return `${value} ${count === 1 ? 'day' : 'days'}`;
});

describe('filling a text', () => {
  test('writes values, and words in their right form', () => {
    expect(fill('Within {{refund.review: day}}, {{ operator.name }}')).toBe(
      'Within 2–3 days, Lale e-visa Ltd',
    );
  });

  test('keeps e-visa and e-mail on one line, but leaves values as they are', () => {
    expect(fill('E-visas by e-mail')).toBe('E\u2011visas by e\u2011mail');
    expect(fill('{{operator.name}}')).toBe('Lale e-visa Ltd');
  });

  test.each([
    ['{{refund.reveiw}}', 'There is no value refund.reveiw'],
    ['{{refund.review: dya}}', 'There is no unit dya'],
    ['{{operator.name: day}}', 'operator.name cannot be counted'],
    ['{{refund.review', 'A placeholder is left over'],
    ['{{refund review}}', 'A placeholder is left over'],
  ])('refuses %s', (text, message) => {
    expect(() => fill(text)).toThrow(message);
  });
});
