import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDirectCard, digits, type DirectCardField } from './direct-card.ts';
import { groupCardNumber } from './gateway/test-cards.ts';

const card = {
  cardHolder: 'S HERNANDEZ',
  cardNumber: '4111 1111 1111 1111',
  'expiryDate-month': '09',
  'expiryDate-year': '29',
  cvv: '123',
};

describe('the direct card test form', () => {
  it('finds nothing wrong with a well-formed card', () => {
    expect(checkDirectCard(card)).toEqual({});
  });

  it.each<[DirectCardField, string, string | undefined]>([
    ['cardHolder', '   ', 'holder_required'],
    ['cardNumber', '', 'number_too_short'],
    ['cardNumber', '4111 1111 1111', 'number_too_short'],
    ['cardNumber', '4111 1111 1111 1', undefined],
    ['cardNumber', '3782 8224 6310 005', undefined],
    ['expiryDate-month', '', 'month_unreal'],
    ['expiryDate-month', '00', 'month_unreal'],
    ['expiryDate-month', '1', 'month_unreal'],
    ['expiryDate-month', '01', undefined],
    ['expiryDate-month', '12', undefined],
    ['expiryDate-month', '13', 'month_unreal'],
    ['expiryDate-year', '9', 'year_two_digits'],
    ['expiryDate-year', '2029', 'year_two_digits'],
    ['cvv', '12', 'cvv_three_or_four'],
    ['cvv', '1234', undefined],
    ['cvv', '12345', 'cvv_three_or_four'],
    ['cvv', '12a', 'cvv_three_or_four'],
  ])('says of %s “%s”: %s', (field, typed, error) => {
    expect(checkDirectCard({ ...card, [field]: typed })).toEqual(error ? { [field]: error } : {});
  });

  it('names everything that is wrong at once', () => {
    const empty = {
      cardHolder: '',
      cardNumber: '',
      'expiryDate-month': '',
      'expiryDate-year': '',
      cvv: '',
    };
    expect(Object.keys(checkDirectCard(empty))).toHaveLength(5);
  });

  it('takes every number of 13 to 16 digits as it is grouped while typing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{13,16}$/), (number) => {
        const cardNumber = groupCardNumber(number);
        expect(cardNumber.length).toBeLessThanOrEqual(19);
        expect(checkDirectCard({ ...card, cardNumber })).toEqual({});
      }),
    );
  });

  it('keeps digits only, and no more than asked for', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 4 }), (typed, most) => {
        expect(digits(typed, most)).toMatch(new RegExp(`^\\d{0,${most}}$`));
      }),
    );
  });
});
