import { eligibility, grantsEvisa } from '~/features/catalog/eligibility.ts';
import type { Rule } from './rule.ts';

export const nationalityRules: readonly Rule[] = [
  {
    field: 'countryId',
    needs: ['countryId'],
    find: (_, { country }) => (country ? null : 'unknown'),
  },
  {
    // The document first: an ordinary passport may open what a diplomatic one does not.
    field: 'documentType',
    needs: ['countryId', 'documentType'],
    find: ({ documentType }) => (documentType === 'ordinary' ? null : 'no_evisa'),
  },
  {
    field: 'countryId',
    needs: ['countryId', 'documentType'],
    find: (_, { country }) => {
      if (!country) return null;
      const answer = eligibility(country, 'ordinary');
      return grantsEvisa(answer) ? null : answer.regime;
    },
  },
];
