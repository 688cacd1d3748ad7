import { leavePhoneToServer } from '~/features/application/phone.ts';
import { expect, test } from 'vitest';
import { addMonths, dateOf, parseDate, TURKIYE } from '~/base/dates/dates.ts';
import { passportRules } from '~/features/visa/rules/passport-rules.ts';
import { arrivalWindow, readyBy } from '~/features/visa/rules/ready-by.ts';
import { ENTRY_MONTHS, PASSPORT_MONTHS } from './travel-rules.ts';

const now = new Date('2026-11-23T10:00:00Z');

test('the wizard asks for the same validity of the passport', () => {
  const arrivalDate = parseDate('2027-01-10');
  const passportExpiryDate = parseDate('2027-02-10');
  if (!arrivalDate || !passportExpiryDate) throw new Error('no dates');
  const found = passportRules.map((rule) =>
    rule.find(
      { arrivalDate, passportExpiryDate },
      { now, country: null, readPhone: leavePhoneToServer },
    ),
  );
  const date = addMonths(arrivalDate, PASSPORT_MONTHS);
  expect(found).toContainEqual({ code: 'six_months', date });
});

test('the wizard opens the same window for the entry', () => {
  const ready = dateOf(readyBy('with_document', 'standard', now), TURKIYE);
  const { latest } = arrivalWindow('with_document', 'standard', now);
  expect(latest).toBe(addMonths(ready, ENTRY_MONTHS));
});
