import { describe, expect, test } from 'vitest';
import { recipientOf } from './recipient.ts';

const order = {
  customerEmail: 'anna@mail.example',
  customerName: 'Anna Nkosi',
  language: 'de',
  createdAt: new Date('2026-11-22T23:00:00Z'),
  paidAt: new Date('2026-11-23T10:00:00Z') as Date | null,
};
const application = {
  email: 'bela@mail.example',
  firstName: 'Bela',
  lastName: 'Nkosi',
  language: 'en',
  dateOfBirth: '1986-01-30',
  travellerPosition: 2,
};
const TRAVELLER = { to: 'bela@mail.example', name: 'Bela Nkosi', language: 'en', onBehalfOf: null };
const PAYER = {
  to: 'anna@mail.example',
  name: 'Anna Nkosi',
  language: 'de',
  onBehalfOf: 'Bela Nkosi',
};

describe('about one application we write to', () => {
  test.each([
    ['an adult with an address of their own', {}, TRAVELLER],
    ['the payer about an adult with the payer’s address', { email: 'anna@mail.example' }, PAYER],
    ['the payer about the payer’s address in other letters', { email: 'Anna@Mail.example' }, PAYER],
    ['the payer about a child with an address of their own', { dateOfBirth: '2015-02-03' }, PAYER],
    ['the payer about who is 18 a day after payment', { dateOfBirth: '2008-11-24' }, PAYER],
    ['a traveller who is 18 on the day of payment', { dateOfBirth: '2008-11-23' }, TRAVELLER],
    [
      'the first traveller at any age and address, as themselves',
      { travellerPosition: 1, dateOfBirth: '2015-02-03' },
      TRAVELLER,
    ],
  ])('%s', (_, changes, expected) => {
    expect(recipientOf({ ...application, ...changes }, order)).toEqual(expected);
  });

  test('a child by the day of the order while that is not paid', () => {
    const young = { ...application, dateOfBirth: '2008-11-23' };
    expect(recipientOf(young, { ...order, paidAt: null })).toEqual(PAYER);
  });
});
