import { addMonths, ageOn } from '~/base/dates/dates.ts';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import { findBirth, todayOf } from '~/features/form/answers/check.ts';
import { isAfter, type Rule } from './rule.ts';

/** Selectors offer 30 years back; dates beyond twice that are typing mistakes. */
const OLDEST_ISSUE_YEARS = 60;
/** The customer's specification lets a passport expire in the next 20 years; none is issued for longer. */
const LONGEST_VALIDITY_YEARS = 20;

export const passportRules: readonly Rule[] = [
  {
    field: 'dateOfBirth',
    needs: ['dateOfBirth'],
    find: ({ dateOfBirth }, checkContext) => findBirth(dateOfBirth, todayOf(checkContext)),
  },
  {
    field: 'passportIssueDate',
    needs: ['passportIssueDate'],
    find: ({ passportIssueDate: issued }, checkContext) => {
      if (!issued) return null;
      const today = todayOf(checkContext);
      if (issued > today) return 'future';
      return addMonths(issued, OLDEST_ISSUE_YEARS * 12) < today ? 'too_old' : null;
    },
  },
  {
    field: 'passportIssueDate',
    needs: ['passportIssueDate', 'dateOfBirth'],
    find: ({ passportIssueDate, dateOfBirth }) =>
      isAfter(dateOfBirth, passportIssueDate) ? 'before_birth' : null,
  },
  {
    field: 'passportExpiryDate',
    needs: ['passportExpiryDate', 'passportIssueDate'],
    find: ({ passportExpiryDate: expires, passportIssueDate: issued }) =>
      expires && issued && expires > addMonths(issued, LONGEST_VALIDITY_YEARS * 12)
        ? { code: 'valid_too_long', count: ageOn(issued, expires) }
        : null,
  },
  {
    field: 'passportExpiryDate',
    needs: ['passportExpiryDate'],
    find: ({ passportExpiryDate: expires }, checkContext) => {
      if (!expires) return null;
      const today = todayOf(checkContext);
      if (expires <= today) return 'expired';
      return expires > addMonths(today, LONGEST_VALIDITY_YEARS * 12) ? 'too_far' : null;
    },
  },
  {
    field: 'passportIssueDate',
    needs: ['passportIssueDate', 'passportExpiryDate'],
    find: ({ passportIssueDate: issued, passportExpiryDate: expires }) =>
      issued && expires && issued >= expires ? 'not_before_expiry' : null,
  },
  {
    field: 'passportExpiryDate',
    needs: ['passportExpiryDate', 'arrivalDate'],
    find: ({ passportExpiryDate: expires, arrivalDate }) => {
      if (!expires || !arrivalDate) return null;
      const needed = addMonths(arrivalDate, PASSPORT_MONTHS);
      return expires < needed ? { code: 'six_months', date: needed } : null;
    },
  },
];
