import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placesLeft, readPosition, travellerUrl } from './party.ts';

const queryOf = (url: string) => new URL(url, 'http://lale.test').searchParams;

describe('the address of a page of one traveller', () => {
  test('is the page’s own for somebody who applies alone', () => {
    expect(travellerUrl('/application/details', null)).toBe('/application/details');
  });

  test.each([
    ['/application', '/application?traveller=2'],
    ['/application/arrival?nationality', '/application/arrival?nationality=&traveller=2'],
    [
      '/application/details?then=review#email',
      '/application/details?then=review&traveller=2#email',
    ],
  ])('%s names the traveller', (url, named) => {
    expect(travellerUrl(url, { position: 2 })).toBe(named);
  });

  test('names the traveller once, and keeps what else it says', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999 }),
        fc.constantFrom('/application', '/application/details', '/insurance'),
        (position, url) => {
          const once = travellerUrl(`${url}?then=review`, { position });
          expect(readPosition(queryOf(once))).toBe(position);
          expect(queryOf(once).get('then')).toBe('review');
          expect(travellerUrl(once, { position })).toBe(once);
        },
      ),
    );
  });

  test.each(['', '0', '-1', '1.5', 'one', '999999', ' 2'])('%j names nobody', (given) => {
    expect(readPosition(new URLSearchParams({ traveller: given }))).toBeNull();
  });
});

test('an order is for ten travellers at most', () => {
  expect([1, 9, 10, 11].map(placesLeft)).toEqual([9, 1, 0, 0]);
});
