import { correctable as ofInsurance } from '~/features/insurance/correction/correctable.ts';
import { correctable as ofVisa, correctableWith } from '~/features/visa/correction/correctable.ts';

/** What a traveller can be asked to correct, by kind and by the supporting document that there is. */
export const correctableFor = (
  kind: 'visa' | 'insurance',
  document: { issuer: string | null } | null,
): readonly string[] => (kind === 'visa' ? correctableWith(document) : ofInsurance);

/** Everything that any traveller can be asked to correct. */
export const correctable: readonly string[] = [...new Set<string>([...ofVisa, ...ofInsurance])];
