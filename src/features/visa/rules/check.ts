import {
  makeCheck,
  turkishToday,
  findBirth,
  type RuleFinding,
} from '~/features/form/answers/check.ts';
import {
  type CheckContext,
  EXEMPT,
  isExemptByAge,
  mayBeUnlimited,
  pricePath,
  type Rule,
  isAfter,
} from './answers.ts';
import { fieldRequirement } from './asked.ts';
import { fields, type VisaField } from './questions.ts';
import { schemas, type VisaValues } from './schemas.ts';
import { ageOn, addMonths, splitDate, type PlainDate } from '~/base/dates/dates.ts';
import { ageExemption } from '~/features/catalog/age-notes.ts';
import { eligibility, grantsEvisa } from '~/features/catalog/eligibility.ts';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import { isSpeedSold, speedsByPath, type PricePath } from './speeds.ts';
import { arrivalWindow, arrivalYears, speedFit, speedsInTime } from './ready-by.ts';

const arrivalRules: readonly Rule[] = [
  {
    field: 'arrivalDate',
    needs: ['arrivalDate'],
    find: ({ arrivalDate }, checkContext) =>
      isAfter(turkishToday(checkContext), arrivalDate) ? 'past' : null,
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate'],
    find: ({ arrivalDate }, { now }) => {
      const last = arrivalYears(now).at(-1);
      return arrivalDate && last && splitDate(arrivalDate).year > last ? 'too_far' : null;
    },
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate', 'supportingDocumentEndDate'],
    find: ({ arrivalDate, supportingDocumentEndDate: end }) =>
      end && end !== 'unlimited' && isAfter(arrivalDate, end)
        ? { code: 'after_document', date: end }
        : null,
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate', 'supportingDocumentStartDate'],
    find: ({ arrivalDate, supportingDocumentStartDate: start }) =>
      start && isAfter(start, arrivalDate) ? { code: 'before_document', date: start } : null,
  },
  {
    field: 'arrivalDate',
    needs: ['arrivalDate', 'countryId'],
    find: (values, checkContext) => {
      const { arrivalDate } = values;
      const path = pricePath(checkContext.country, values);
      return path && arrivalDate ? findArrivalOutside(path, arrivalDate, checkContext) : null;
    },
  },
  {
    field: 'processingType',
    needs: ['processingType', 'countryId'],
    find: (values, { country }) => {
      const { processingType } = values;
      const path = pricePath(country, values);
      return path && processingType && !isSpeedSold(path, processingType) ? 'unknown' : null;
    },
  },
  {
    field: 'processingType',
    needs: ['processingType', 'arrivalDate', 'countryId'],
    find: (values, { country, now, office }) => {
      const { processingType, arrivalDate } = values;
      const path = pricePath(country, values);
      if (!path || !processingType || !arrivalDate) return null;
      const fit = speedFit(path, processingType, arrivalDate, now, office);
      return fit === 'in_time' ? null : fit;
    },
  },
];

/** Why no speed suits an arrival: it is too near for the fastest, or beyond the window of the slowest. */
function findArrivalOutside(
  path: PricePath,
  arrival: PlainDate,
  { now, office }: CheckContext,
): RuleFinding {
  if (speedsInTime(path, arrival, now, office).length > 0) return null;
  const windows = speedsByPath(path).map((speed) =>
    arrivalWindow(path, speed.processingType, now, office),
  );
  const [earliest] = windows.map((window) => window.earliest).sort();
  const latest = windows
    .map((window) => window.latest)
    .sort()
    .at(-1);
  if (earliest && arrival < earliest) return { code: 'too_soon', date: earliest };
  return latest ? { code: 'beyond_window', date: latest } : null;
}

/**
 * Rules of the supporting document, and of the ages that need none; whether it is valid on arrival is checked with the
 * arrival.
 */
const documentRules: readonly Rule[] = [
  {
    field: 'hasSupportingDocument',
    needs: ['hasSupportingDocument'],
    find: ({ hasSupportingDocument }) => (hasSupportingDocument === 'no' ? 'none' : null),
  },
  {
    field: 'hasSupportingDocument',
    needs: ['hasSupportingDocument', 'countryId'],
    find: ({ hasSupportingDocument }, { country }) => {
      if (hasSupportingDocument !== EXEMPT) return null;
      const exemption = country && ageExemption(country);
      if (!exemption) return 'unknown';
      return exemption.from === 'visa_free' ? 'visa_free' : null;
    },
  },
  {
    field: 'dateOfBirth',
    needs: ['dateOfBirth', 'arrivalDate', 'hasSupportingDocument', 'countryId'],
    find: ({ dateOfBirth, arrivalDate, hasSupportingDocument }, { country }) => {
      if (hasSupportingDocument !== EXEMPT || !country || !dateOfBirth || !arrivalDate) return null;
      if (dateOfBirth > arrivalDate) return null;
      if (isExemptByAge(country, { dateOfBirth, arrivalDate })) return null;
      return { code: 'not_exempt', count: ageOn(dateOfBirth, arrivalDate) };
    },
  },
  {
    field: 'supportingDocumentEndDate',
    needs: ['supportingDocumentEndDate', 'supportingDocumentType'],
    find: (values) => {
      if (values.supportingDocumentEndDate !== 'unlimited') return null;
      return mayBeUnlimited(values) ? null : 'not_unlimited';
    },
  },
  {
    field: 'supportingDocumentEndDate',
    needs: ['supportingDocumentEndDate'],
    find: ({ supportingDocumentEndDate: end }, checkContext) =>
      end !== undefined && end !== 'unlimited' && end < turkishToday(checkContext)
        ? 'expired'
        : null,
  },
  {
    field: 'supportingDocumentStartDate',
    needs: ['supportingDocumentStartDate', 'supportingDocumentEndDate'],
    find: ({ supportingDocumentStartDate: start, supportingDocumentEndDate: end }) =>
      end !== 'unlimited' && start !== undefined && end !== undefined && start >= end
        ? 'not_before_end'
        : null,
  },
];

/** Why this nationality gets no e-visa on this document; null where it does. */
function refusal({ documentType }: VisaValues, { country }: CheckContext) {
  if (!country || !documentType) return null;
  const answer = eligibility(country, documentType);
  return grantsEvisa(answer) ? null : answer.regime;
}

const isOrdinary = ({ documentType }: VisaValues): boolean => documentType === 'ordinary';

const nationalityRules: readonly Rule[] = [
  {
    field: 'countryId',
    needs: ['countryId'],
    find: (_, { country }) => (country ? null : 'unknown'),
  },
  {
    // The document first: an ordinary passport may allow what a diplomatic one does not.
    field: 'documentType',
    needs: ['countryId', 'documentType'],
    find: (values, checkContext) =>
      !isOrdinary(values) && refusal(values, checkContext) ? 'no_evisa' : null,
  },
  {
    field: 'countryId',
    needs: ['countryId', 'documentType'],
    find: (values, checkContext) => (isOrdinary(values) ? refusal(values, checkContext) : null),
  },
];

/** Selectors offer 30 years back; dates beyond twice that are typing mistakes. */
const MAX_ISSUE_AGE_YEARS = 60;
/** The customer's specification lets a passport expire in the next 20 years; none is issued for longer. */
const MAX_VALIDITY_YEARS = 20;

const passportRules: readonly Rule[] = [
  {
    field: 'dateOfBirth',
    needs: ['dateOfBirth'],
    find: ({ dateOfBirth }, checkContext) => findBirth(dateOfBirth, turkishToday(checkContext)),
  },
  {
    field: 'passportIssueDate',
    needs: ['passportIssueDate'],
    find: ({ passportIssueDate: issued }, checkContext) => {
      if (!issued) return null;
      const today = turkishToday(checkContext);
      if (issued > today) return 'future';
      return addMonths(issued, MAX_ISSUE_AGE_YEARS * 12) < today ? 'too_old' : null;
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
      expires && issued && expires > addMonths(issued, MAX_VALIDITY_YEARS * 12)
        ? { code: 'valid_too_long', count: ageOn(issued, expires) }
        : null,
  },
  {
    field: 'passportExpiryDate',
    needs: ['passportExpiryDate'],
    find: ({ passportExpiryDate: expires }, checkContext) => {
      if (!expires) return null;
      const today = turkishToday(checkContext);
      if (expires <= today) return 'expired';
      return expires > addMonths(today, MAX_VALIDITY_YEARS * 12) ? 'too_far' : null;
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

/** Checks all answers: each alone, then in combination, in the order in which they are given. */
export const check = makeCheck<VisaField, VisaField, VisaValues, CheckContext>({
  questions: schemas,
  checks: [...fields, ...nationalityRules, ...documentRules, ...arrivalRules, ...passportRules],
  order: fields,
  asked: (field, answers, { country }) => fieldRequirement(field, answers, country),
  nationalityOf: (_, { country }) => country?.code ?? '',
  valuesOf: (read) => read,
});
