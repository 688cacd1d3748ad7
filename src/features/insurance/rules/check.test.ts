import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  questionNames,
  type InsuranceAnswers,
  type InsuranceField,
  type CheckContext,
} from './answers.ts';
import { check } from './check.ts';
import { completeAnswers, checkContext } from '../testing/sample-answers.ts';

const problemsOf = (changes: InsuranceAnswers, about: Partial<CheckContext> = {}) =>
  check({ ...completeAnswers, ...changes }, { ...checkContext, ...about }).problems;

const codesOf = (changes: InsuranceAnswers, about: Partial<CheckContext> = {}) =>
  problemsOf(changes, about).map(({ field, code }) => `${field}.${code}`);

describe('an application for insurance', () => {
  it('is accepted when everything is answered', () => {
    const { problems, values } = check(completeAnswers, checkContext);
    expect(problems).toEqual([]);
    expect(values.passportNumber).toBe('G38215640');
  });

  it('needs neither place of birth nor kind of document', () => {
    expect(problemsOf({ placeOfBirth: '', documentType: '' })).toEqual([]);
  });

  it('has everything that is missing named at once, in the order of the specification', () => {
    expect(check({}, checkContext).problems.map(({ field, code }) => `${field}.${code}`)).toEqual([
      'productId.required',
      'firstName.required',
      'lastName.required',
      'email.required',
      'phone.required',
      'passportNumber.required',
      'nationality.required',
      'travelDate.required',
      'returnDate.required',
      'dateOfBirth.required',
    ]);
  });

  it.each<[string, InsuranceAnswers, string]>([
    ['a plan that is not sold', { productId: '8-days' }, 'productId.unknown'],
    ['an e-mail address without a dot', { email: 'sofia@correo' }, 'email.invalid'],
    ['an empty e-mail address', { email: ' ' }, 'email.required'],
    ['letters in a telephone number', { phone: 'call me' }, 'phone.invalid'],
    ['a name in another script', { firstName: 'София' }, 'firstName.not_latin'],
    ['a nationality that is none', { nationality: 'XXX' }, 'nationality.unknown'],
    ['the name of a country for its code', { nationality: 'Mexico' }, 'nationality.unknown'],
    ['a document of an unknown kind', { documentType: 'library' }, 'documentType.unknown'],
    ['a day that does not exist', { travelDate: '2027-02-29' }, 'travelDate.date_invalid'],
    ['a trip that has begun', { travelDate: '2026-11-22' }, 'travelDate.past'],
    ['a trip beyond eleven years', { travelDate: '2037-01-01' }, 'travelDate.too_far'],
    ['a return on the travel date', { returnDate: '2026-12-12' }, 'returnDate.not_after'],
    ['a return before the travel date', { returnDate: '2026-12-01' }, 'returnDate.not_after'],
    ['a trip of 366 days', { returnDate: '2027-12-12' }, 'returnDate.too_long'],
    ['a plan shorter than the trip', { productId: '7-days' }, 'productId.too_short'],
    ['a birth tomorrow', { dateOfBirth: '2026-11-24' }, 'dateOfBirth.future'],
    ['an age of 121', { dateOfBirth: '1905-11-22' }, 'dateOfBirth.too_old'],
  ])('is refused for %s', (_, changes, expected) => {
    expect(codesOf(changes)).toContain(expected);
  });

  it('may begin on the day it is made, as Türkiye counts days', () => {
    const lateEvening = new Date('2026-11-23T21:30:00Z');
    const today = { travelDate: '2026-11-23', returnDate: '2026-11-30' };
    expect(codesOf(today)).toEqual([]);
    expect(codesOf(today, { now: lateEvening })).toEqual(['travelDate.past']);
  });

  it('says how long the trip is when the plan is too short', () => {
    expect(problemsOf({ productId: '7-days' })).toEqual([
      { field: 'productId', code: 'too_short', count: 10 },
    ]);
  });

  it('may be for a whole year', () => {
    expect(codesOf({ productId: '1-year', returnDate: '2027-12-11' })).toEqual([]);
  });

  it('names a plan that is too short after everything else', () => {
    expect(codesOf({ productId: '7-days', phone: '' })).toEqual([
      'phone.required',
      'productId.too_short',
    ]);
  });
});

describe('an under-age traveller', () => {
  const born = '2010-05-01';

  it('needs a photo of a parent’s ID', () => {
    expect(codesOf({ dateOfBirth: born })).toEqual(['parentIdPhotos.required']);
    expect(codesOf({ dateOfBirth: born }, { photos: 1 })).toEqual([]);
  });

  it('is one by the age on the travel date, not on the day of application', () => {
    const turnsBetween = '2008-12-01';
    expect(codesOf({ dateOfBirth: turnsBetween })).toEqual([]);
    expect(codesOf({ dateOfBirth: turnsBetween, travelDate: '2026-11-30' })).toEqual([
      'parentIdPhotos.required',
      'productId.too_short',
    ]);
  });

  it('is not asked for a photo before both dates are known', () => {
    expect(codesOf({ dateOfBirth: born, travelDate: '' })).toEqual(['travelDate.required']);
  });
});

describe('the check', () => {
  const anyAnswers = fc.record(
    Object.fromEntries(
      questionNames.map((name) => [
        name,
        fc.oneof(
          fc.constant(completeAnswers[name] ?? ''),
          fc.constant(''),
          fc.string({ unit: 'grapheme', maxLength: 40 }),
        ),
      ]),
    ),
    { requiredKeys: [] },
  );
  const order: InsuranceField[] = [
    'firstName',
    'lastName',
    'email',
    'phone',
    'passportNumber',
    'nationality',
    'travelDate',
    'returnDate',
    'dateOfBirth',
    'parentIdPhotos',
  ];

  it('names every field at most once, whatever was typed', () => {
    fc.assert(
      fc.property(anyAnswers, fc.integer({ min: 0, max: 4 }), (answers, photos) => {
        const { problems, values } = check(answers, { ...checkContext, photos });
        const named = problems.map(({ field }) => field);
        expect(new Set(named).size).toBe(named.length);
        for (const field of named) expect(values).not.toHaveProperty(field);
      }),
    );
  });

  it('keeps the order of the specification', () => {
    fc.assert(
      fc.property(anyAnswers, (answers) => {
        const named = check(answers, checkContext)
          .problems.map(({ field }) => field)
          .filter((field) => order.includes(field));
        expect(named).toEqual(order.filter((field) => named.includes(field)));
      }),
    );
  });
});
