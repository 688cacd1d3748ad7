import { isSoldOn } from '~/features/visa/rules/speeds.ts';

/** The text of a visa's speed; the same word means another time with a supporting document. Null for insurance plans. */
export function speedKey(row: {
  kind: 'visa' | 'insurance';
  service: string;
  withDocument: boolean;
}): string | null {
  if (row.kind !== 'visa') return null;
  const path = row.withDocument ? 'with_document' : 'without_document';
  return isSoldOn(path, row.service) ? `speed.${path}.${row.service}` : null;
}
