import type { TextKey } from '~/base/text-keys.ts';
import { isSoldOn } from '~/features/visa/rules/speeds.ts';

/** The text of a visa's speed; the same word means another time with a supporting document. Null for insurance plans. */
export function speedKey(row: {
  kind: 'visa' | 'insurance';
  service: string;
  withDocument: boolean;
}): TextKey<'desk'> | null {
  if (row.kind !== 'visa') return null;
  const { service } = row;
  if (row.withDocument) {
    return isSoldOn('with_document', service) ? `speed.with_document.${service}` : null;
  }
  return isSoldOn('without_document', service) ? `speed.without_document.${service}` : null;
}
