import { describe, expect, it } from 'vitest';
import { insuranceBesideVisa, offerBesideVisa } from './beside-visa.ts';
import { plans } from './rules/plans.ts';
import { makeDate } from '../../../test/make.ts';

const traveller = {
  firstName: 'Thandi',
  lastName: 'Nkosi',
  email: 'thandi@mail.example',
  phone: '+27 31 555 0142',
  dateOfBirth: makeDate('1990-05-17'),
  nationality: 'ZAF',
  travelDocument: 'ordinary',
  passportNumber: 'A01234567',
  placeOfBirth: 'Durban',
};
const arrivalDate = makeDate('2027-01-15');
const terms = {
  version: 3,
  isSample: false,
  insurer: 'Insurer Ltd',
  address: null,
  licence: null,
  assistancePhone: null,
  complaintContact: null,
  wording: null,
  covers: [],
};

describe('the offer beside an e-visa', () => {
  const { dateOfBirth } = traveller;

  it.each([
    [30, '30-days', '2027-02-13'],
    [90, '90-days', '2027-04-14'],
  ])('for a stay of %i days suggests %s', (stayDays, id, until) => {
    const offer = offerBesideVisa({ plans, terms }, { dateOfBirth, arrivalDate, stayDays });
    expect(offer).toMatchObject({
      suggested: id,
      terms: { insurer: 'Insurer Ltd', version: 3 },
    });
    expect(offer?.choices[0]).toMatchObject({ id, until });
    expect(offer?.choices.map((plan) => plan.id).toSorted()).toEqual(
      plans.map((plan) => plan.id).toSorted(),
    );
  });

  it('is not made to who is under 18 on arrival, nor without terms', () => {
    const about = { dateOfBirth: makeDate('2009-01-16'), arrivalDate, stayDays: 30 };
    expect(offerBesideVisa({ plans, terms }, about)).toBeNull();
    expect(
      offerBesideVisa({ plans: [], terms: null }, { dateOfBirth, arrivalDate, stayDays: 30 }),
    ).toBeNull();
  });
});

it('lasts from the day of arrival as long as the plan', () => {
  const { trip } = insuranceBesideVisa(plans[2], traveller, arrivalDate);
  expect(trip).toEqual({ travelDate: '2027-01-15', returnDate: '2027-02-13' });
});
