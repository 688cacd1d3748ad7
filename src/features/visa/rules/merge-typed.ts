import { controlsOfAll, type Typed } from '~/features/form/answers/controls.ts';
import type { Field } from './answers.ts';
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

/** Merges new entries into old ones; another country voids what depended on the old one. */
export function mergeTyped(old: Typed, entries: Typed): Typed {
  const changed = entries.countryId !== undefined && entries.countryId !== (old.countryId ?? '');
  if (!changed) return { ...old, ...entries };
  const voided = new Set(controlsOfAll(visaForm, voidedByCountry));
  const kept = Object.entries(old).filter(([control]) => !voided.has(control));
  return { ...Object.fromEntries(kept), ...entries };
}
