import { eligibility, grantsEvisa } from '~/features/catalog/eligibility.ts';
import type { CheckContext } from './answers.ts';
import type { Values } from './schemas.ts';
import type { Rule } from './rule.ts';

/** Why this nationality gets no e-visa on this document; null where it does. */
function refusal({ documentType }: Values, { country }: CheckContext) {
  if (!country || !documentType) return null;
  const answer = eligibility(country, documentType);
  return grantsEvisa(answer) ? null : answer.regime;
}

const isOrdinary = ({ documentType }: Values): boolean => documentType === 'ordinary';

export const nationalityRules: readonly Rule[] = [
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
