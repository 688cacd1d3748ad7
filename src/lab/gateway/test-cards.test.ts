import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  behaviourOf,
  cardFields,
  checkCard,
  formatCvv,
  formatExpiry,
  groupCardNumber,
  isExpired,
  showable,
  testCards,
} from './test-cards.ts';

const card = {
  cardHolder: 'S HERNANDEZ',
  cardNumber: '4111 1111 1111 1111',
  expiryDate: '12/29',
  cvv: '123',
};

describe('the card form', () => {
  it.each(cardFields)('needs %s', (field) => {
    expect(checkCard({ ...card, [field]: '  ' })).toEqual({ [field]: 'required' });
  });

  it('names every empty field at once', () => {
    const empty = { cardHolder: '', cardNumber: '', expiryDate: '', cvv: '' };
    expect(Object.keys(checkCard(empty))).toEqual(cardFields);
  });

  it('takes published test numbers only, with or without spaces', () => {
    for (const number of Object.keys(testCards)) {
      expect(checkCard({ ...card, cardNumber: number })).toEqual({});
      expect(checkCard({ ...card, cardNumber: groupCardNumber(number) })).toEqual({});
    }
    fc.assert(
      fc.property(fc.stringMatching(/^\d{13,19}$/), (number) => {
        fc.pre(!(number in testCards));
        expect(checkCard({ ...card, cardNumber: number })).toEqual({
          cardNumber: 'not_a_test_card',
        });
      }),
    );
  });

  it.each(['13/29', '00/29', '12', '1229', '12/2', 'ab/cd'])(
    'takes no expiry date %s',
    (expiryDate) => {
      expect(checkCard({ ...card, expiryDate })).toEqual({ expiryDate: 'expiry_unreal' });
    },
  );

  it('knows that a card is good to the end of its month', () => {
    expect(isExpired('11/26', new Date('2026-11-30T23:59:59Z'))).toBe(false);
    expect(isExpired('11/26', new Date('2026-12-01T00:00:00Z'))).toBe(true);
    expect(isExpired('12/25', new Date('2026-01-01T00:00:00Z'))).toBe(true);
    expect(isExpired('01/27', new Date('2026-12-31T23:59:59Z'))).toBe(false);
  });

  it('gives back neither an unknown number nor any CVV', () => {
    expect(showable({ ...card, cardNumber: '4012888888881881' })).toEqual({
      ...card,
      cardNumber: '',
      cvv: '',
    });
    expect(showable(card)).toEqual({ ...card, cvv: '' });
  });

  it('has no behaviour for names that every object has', () => {
    expect(behaviourOf('constructor')).toBeNull();
    expect(behaviourOf('toString')).toBeNull();
  });
});

describe('formats while typing', () => {
  it.each([
    [groupCardNumber, '4111111111111111', '4111 1111 1111 1111'],
    [groupCardNumber, '41111', '4111 1'],
    [groupCardNumber, '4111-1111 x1111.1111999', '4111 1111 1111 1111'],
    [formatExpiry, '12', '12'],
    [formatExpiry, '122', '12/2'],
    [formatExpiry, '12/2930', '12/29'],
    [formatExpiry, 'ab', ''],
    [formatCvv, '12a34', '123'],
  ])('%o of %s is %s', (format, typed, shown) => {
    expect(format(typed)).toBe(shown);
  });

  it('leaves alone what is already formatted, and never grows beyond its limit', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        for (const [format, limit] of [
          [groupCardNumber, 19],
          [formatExpiry, 5],
          [formatCvv, 3],
        ] as const) {
          const once = format(typed);
          expect(format(once)).toBe(once);
          expect(once.length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});
