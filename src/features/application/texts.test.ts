import { expect, test } from 'vitest';
import { latinText, name, place } from './texts.ts';

test.each([
  ['  Ana\tMaria ', 'Ana Maria'],
  ['Ana\r\nMaria', 'Ana Maria'],
  ['Al\u00a0Hasan', 'Al Hasan'],
  ['\u202eMary\u200b\u00adAnn', 'MaryAnn'],
])('of %j one line is kept, without what nobody sees', (typed, kept) => {
  expect(name(1, 60).parse(typed)).toBe(kept);
  expect(place(2, 60).parse(typed)).toBe(kept);
});

test('an address keeps its lines', () => {
  expect(latinText(10, 300).parse('12\tMarine  Parade \r\n 4001\u200e Durban')).toBe(
    '12 Marine Parade\n4001 Durban',
  );
});
