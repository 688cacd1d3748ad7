import { describe, expect, test } from 'vitest';
import { problemMessage } from '~/features/form/answers/problem-message.ts';
import { languageCodes } from '~/base/languages.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { fields, questionByField, type VisaField } from './questions.ts';
import {
  formatMessageLine,
  formatNamedMessageLine,
  formatMessage,
} from '~/features/application/words.ts';

/** What a date typed into three fields can have wrong. */
const ofDates = [
  'day_missing',
  'month_missing',
  'year_missing',
  'day_unreal',
  'month_unreal',
  'no_such_day',
];

/** Every code that `check` can return, by field; `required` applies to all. */
const codes: Record<VisaField, readonly string[]> = {
  countryId: ['unknown', 'visa_free', 'no_evisa'],
  documentType: ['unknown', 'no_evisa'],
  hasSupportingDocument: ['unknown', 'none'],
  supportingDocumentNumber: ['too_short', 'too_long', 'characters', 'no_digit', 'all_alike'],
  supportingDocumentStartDate: ['date_invalid', ...ofDates, 'year_digits', 'not_before_end'],
  supportingDocumentEndDate: [
    'date_invalid',
    ...ofDates,
    'year_digits',
    'not_unlimited',
    'expired',
  ],
  arrivalDate: [
    'date_invalid',
    ...ofDates,
    'year_digits',
    'past',
    'too_far',
    'too_soon',
    'beyond_window',
    'after_document',
    'before_document',
  ],
  processingType: ['unknown', 'too_slow', 'too_far', 'no_faster'],
  firstName: ['too_long', 'characters', 'not_latin', 'digits', 'no_name'],
  lastName: ['too_long', 'characters', 'not_latin', 'digits', 'no_name'],
  passportNumber: ['too_short', 'too_long', 'characters', 'no_digit', 'all_alike'],
  dateOfBirth: ['date_invalid', ...ofDates, 'year_digits', 'future', 'too_old'],
  placeOfBirth: ['too_short', 'too_long', 'characters', 'not_latin', 'no_letter'],
  passportIssueDate: [
    'date_invalid',
    ...ofDates,
    'year_digits',
    'future',
    'too_old',
    'before_birth',
    'not_before_expiry',
  ],
  passportExpiryDate: [
    'date_invalid',
    ...ofDates,
    'year_digits',
    'expired',
    'valid_too_long',
    'too_far',
    'six_months',
  ],
  motherName: ['too_short', 'too_long', 'characters', 'not_latin', 'digits', 'no_name'],
  fatherName: ['too_short', 'too_long', 'characters', 'not_latin', 'digits', 'no_name'],
  email: ['invalid', 'too_long', 'characters'],
  phone: ['invalid', 'too_long', 'no_country_code', 'not_in_country', 'not_possible'],
  address: ['too_short', 'too_long', 'characters', 'not_latin'],
  supportingDocumentType: [],
  visaCountry: [],
  residenceCountry: [],
  purpose: [],
  ordinaryPassport: [],
  validPassport: [],
  enterWithin3Months: [],
  stayWithin30Days: [],
  nameConfirmed: [],
};

describe('every problem has words', () => {
  test.each(fields.flatMap((field) => ['required', ...codes[field]].map((code) => [field, code])))(
    '%s: %s',
    (field = '', code = '') => {
      expect(
        problemMessage(makeTranslate('en'), 'en', 'visa', { field, code, count: 21 }).title,
      ).not.toBe('');
    },
  );
});

describe.each(languageCodes)('in %s', (code) => {
  const t = makeTranslate(code);
  test.each(fields.filter((field) => questionByField(field).mayBeCorrected))(
    'staff have a prepared note for %s, which may be corrected',
    (field) => expect(t(`templates:correction.${field}`, { defaultValue: '' })).not.toBe(''),
  );
  test.each(fields.filter((field) => questionByField(field).asked === 'optional'))(
    'the label of %s says that it is optional',
    (field) => expect(t(`visa:labels.${field}`)).toMatch(/\(.+\)$/),
  );
});

describe('a message', () => {
  const message = { title: 'Passport Expired', text: 'The expiry date must be in the future' };
  test('stands at the field as two sentences', () =>
    expect(formatMessage(message)).toBe(
      'Passport Expired. The expiry date must be in the future.',
    ));
  test('stands in the summary as one line', () => {
    expect(formatMessageLine(message, 'en')).toBe(
      'Passport Expired: the expiry date must be in the future',
    );
    expect(formatMessageLine({ title: 'Ungültig', text: 'Bitte prüfen' }, 'de')).toBe(
      'Ungültig: Bitte prüfen',
    );
    expect(formatMessageLine({ title: 'Geçersiz', text: 'İleri bir tarih' }, 'tr')).toBe(
      'Geçersiz: ileri bir tarih',
    );
    expect(formatMessageLine({ title: 'Alone' }, 'en')).toBe('Alone');
  });
  test.each([
    [
      'Date of birth',
      message,
      'Date of birth: Passport Expired. The expiry date must be in the future',
    ],
    ['Passport', message, 'Passport Expired: the expiry date must be in the future'],
    ['PASSPORT', { title: 'Passport Expired' }, 'Passport Expired'],
    ['Which plan?', { title: 'Please select one' }, 'Which plan? Please select one'],
  ])('begins there with the name %j of its question', (name, said, line) => {
    expect(formatNamedMessageLine(name, said, 'en')).toBe(line);
  });
});
