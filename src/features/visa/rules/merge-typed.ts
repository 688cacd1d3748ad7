import { controlsOfAll, type Typed } from '~/features/form/answers/controls.ts';
import { EXEMPT } from './answers.ts';
import type { Field } from './questions.ts';
import { stepOf } from './steps.ts';
import { visaForm } from './typed.ts';

/**
 * Answers voided by another country: the supporting document, the processing selection, and what was confirmed for the
 * old country. The customer's specification voids them whenever the country changes.
 */
export const voidedByCountry: readonly Field[] = [
  ...stepOf('supporting_document').fields,
  'processingType',
  ...stepOf('prerequisites').fields,
];

/** Answers voided where a traveller says, or takes back, that their age exempts them from the supporting document. */
const voidedByExemption: readonly Field[] = ['processingType', ...stepOf('prerequisites').fields];

/** The answers that others made out of date: those for the old country, or for the speeds and prices of the old path. */
export function voidedBy(old: Typed, entries: Typed): readonly Field[] {
  const { countryId, hasSupportingDocument: held } = entries;
  if (countryId !== undefined && countryId !== (old.countryId ?? '')) return voidedByCountry;
  const isOtherPath =
    held !== undefined && (held === EXEMPT) !== (old.hasSupportingDocument === EXEMPT);
  return isOtherPath ? voidedByExemption : [];
}

/** Merges new entries into old ones; what they make out of date goes. */
export function mergeTyped(old: Typed, entries: Typed): Typed {
  const voided = new Set(controlsOfAll(visaForm, voidedBy(old, entries)));
  const kept = Object.entries(old).filter(([control]) => !voided.has(control));
  return { ...Object.fromEntries(kept), ...entries };
}
