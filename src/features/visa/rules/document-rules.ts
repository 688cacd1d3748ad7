import { ageOn } from '~/base/dates/dates.ts';
import { ageExemption } from '~/features/catalog/age-notes.ts';
import { todayOf } from '~/features/form/answers/check.ts';
import { EXEMPT, isExemptByAge, mayBeUnlimited } from './answers.ts';
import type { Rule } from './rule.ts';

/**
 * Rules of the supporting document, and of the ages that need none; whether it is valid on arrival is checked with the
 * arrival.
 */
export const documentRules: readonly Rule[] = [
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
      end !== undefined && end !== 'unlimited' && end < todayOf(checkContext) ? 'expired' : null,
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
