import type { Translate } from '~/base/read-text.ts';
import { isSoldOn, speedNamed } from '~/features/visa/rules/speeds.ts';

/**
 * The name of a visa's speed; the same id means another duration with a supporting document. Null for insurance plans.
 */
export function speedWords(
  t: Translate<'desk'>,
  row: { kind: 'visa' | 'insurance'; service: string; withDocument: boolean },
): string | null {
  if (row.kind !== 'visa') return null;
  const { service } = row;
  if (row.withDocument) {
    if (!isSoldOn('with_document', service)) return null;
    const figure = speedNamed('with_document', service).working.max;
    return t(`speed.with_document.${service}`, { figure });
  }
  return isSoldOn('without_document', service) ? t(`speed.without_document.${service}`) : null;
}
