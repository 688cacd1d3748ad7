import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ONE_NAME } from '~/features/form/answers/controls.ts';
import { completeAnswers, countries } from '../testing/sample-answers.ts';
import { UNNAMED, readVisaAnswers, readTyped, typedVisaAnswers } from './typed.ts';

const date = (field: string, day: string, month: string, year: string) => ({
  [`${field}-day`]: day,
  [`${field}-month`]: month,
  [`${field}-year`]: year,
});

describe('answers out of controls', () => {
  test.each([
    ['14', 'July', '1991', '1991-07-14'],
    ['14', 'temmuz', '1991', '1991-07-14'],
    ['١٤', '٧', '١٩٩١', '1991-07-14'],
    [' 1 ', '2', '2004', '2004-02-01'],
    ['', '', '', ''],
    ['  ', '', '', ''],
    ['30', '2', '2004', '?no_such_day'],
    ['1', '2', '', '?year_missing'],
    ['1', '2', '04', '?year_digits'],
  ])('%s %s %s is %s', (day, month, year, expected) => {
    expect(readVisaAnswers(date('dateOfBirth', day, month, year)).dateOfBirth).toBe(expected);
  });

  it('let Unlimited stand for an end date where that is possible', () => {
    const unlimited = {
      supportingDocumentUnlimited: 'yes',
      ...date('supportingDocumentEndDate', '1', '2', '2030'),
    };
    const end = (typed: object) =>
      readVisaAnswers({ ...unlimited, ...typed }).supportingDocumentEndDate;
    expect(end({ supportingDocumentType: 'residence' })).toBe('unlimited');
    expect(end({ supportingDocumentType: 'visa', visaCountry: 'SCHENGEN' })).toBe('unlimited');
    expect(end({ supportingDocumentType: 'visa', visaCountry: 'GBR' })).toBe('2030-02-01');
  });

  it('leave out a start date that was typed for another document', () => {
    const typed = {
      ...date('supportingDocumentStartDate', '1', '2', '2026'),
      supportingDocumentType: 'visa',
    };
    const start = (visaCountry: string) =>
      readVisaAnswers({ ...typed, visaCountry }).supportingDocumentStartDate;
    expect(start('SCHENGEN')).toBe('2026-02-01');
    expect(start('USA')).toBe('');
  });
});

describe('reading a form', () => {
  it('takes the controls of the fields alone, missing ones as empty, long ones cut', () => {
    const form = new FormData();
    form.set('firstName', 'x'.repeat(5000));
    form.set('isAdmin', 'yes');
    form.set('lastName', new File([], 'name'));
    expect(readTyped(form, ['firstName', 'lastName', 'validPassport'])).toEqual({
      firstName: 'x'.repeat(1000),
      [ONE_NAME]: '',
      lastName: '',
      validPassport: '',
    });
  });
});

describe('names that a passport does not have', () => {
  it.each(['motherName', 'fatherName'] as const)('%s is said by a box', (parent) => {
    const typed = { [parent]: 'somebody', [UNNAMED[parent]]: 'yes' };
    expect(readVisaAnswers(typed)[parent]).toBe('UNKNOWN');
    expect(typedVisaAnswers({ [parent]: 'UNKNOWN' }, [parent])).toMatchObject({
      [UNNAMED[parent]]: 'yes',
    });
    expect(readVisaAnswers({ [parent]: 'somebody' })[parent]).toBe('somebody');
  });

  it('a single name is typed once, and is both names for whoever asks for two', () => {
    const typed = { lastName: 'Suharto', firstName: 'left over', [ONE_NAME]: 'yes' };
    expect(readVisaAnswers(typed)).toMatchObject({ lastName: 'Suharto', firstName: 'Suharto' });
    expect(readVisaAnswers({ ...typed, [ONE_NAME]: '' }).firstName).toBe('left over');
  });
});

describe('controls for stored answers', () => {
  const name = fc.constantFrom('Suharto', 'Thandi', 'Nkosi', 'De la Cruz');
  const names = fc.record({ firstName: name, lastName: name });

  it('give the same answers again, a single name included', () => {
    const stored = [countries.southAfrica, countries.india].map(completeAnswers);
    fc.assert(
      fc.property(fc.constantFrom(...stored), names, (answers, some) => {
        expect(readVisaAnswers(typedVisaAnswers({ ...answers, ...some }))).toMatchObject({
          ...answers,
          ...some,
        });
      }),
    );
  });

  it('change a single name in both places', () => {
    fc.assert(
      fc.property(names, name, ({ firstName, lastName }, changed) => {
        const typed = { ...typedVisaAnswers({ firstName, lastName }), lastName: changed };
        expect(readVisaAnswers(typed)).toMatchObject({
          lastName: changed,
          firstName: firstName === lastName ? changed : firstName,
        });
      }),
    );
  });

  it('leave the box out where only one of the names is asked', () => {
    const single = { firstName: 'Suharto', lastName: 'Suharto' };
    expect(typedVisaAnswers(single, ['lastName'])).toEqual({ lastName: 'Suharto' });
  });
});
