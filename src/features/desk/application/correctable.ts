import { correctable as ofInsurance } from '~/features/insurance/correctable.ts';
import { correctable as ofVisa, correctableWith } from '~/features/visa/correctable.ts';

/** The fields that a traveller can be asked to correct, by kind and supporting document. */
export const correctableFor = (
  kind: 'visa' | 'insurance',
  document: { issuer: string | null } | null,
): readonly string[] => (kind === 'visa' ? correctableWith(document) : ofInsurance);

/** The fields that the traveller of an application can be asked to correct. */
export const correctableOf = ({
  kind,
  visa,
}: {
  kind: 'visa' | 'insurance';
  visa: { supportingDocument: { issuerCode: string | null } | null } | null;
}): readonly string[] =>
  correctableFor(
    kind,
    visa?.supportingDocument ? { issuer: visa.supportingDocument.issuerCode } : null,
  );

/** All fields that any traveller can be asked to correct. */
export const correctable: readonly string[] = [...new Set<string>([...ofVisa, ...ofInsurance])];
