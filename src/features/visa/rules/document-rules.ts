import { todayOf } from '~/features/form/answers/check.ts';
import { mayBeUnlimited } from './answers.ts';
import type { Rule } from './rule.ts';

/** Rules of the supporting document alone; whether it is valid on arrival is checked with the arrival. */
export const documentRules: readonly Rule[] = [
  {
    field: 'hasSupportingDocument',
    needs: ['hasSupportingDocument'],
    find: ({ hasSupportingDocument }) => (hasSupportingDocument === 'no' ? 'none' : null),
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
