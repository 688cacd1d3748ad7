import { controlsHolding, type Typed } from '~/features/form/answers/controls.ts';
import { answersOf, visaForm, ZONE } from '../rules/typed.ts';
import { parseZone, writeZone, type Zone } from './zone.ts';

/** The questions that machine-readable lines answer. */
export const zoneFields = [
  'lastName',
  'firstName',
  'passportNumber',
  'dateOfBirth',
  'passportExpiryDate',
] as const;

export type ZoneField = (typeof zoneFields)[number];

/**
 * The controls that a reading sets. What the traveller has typed stays: where it differs, the page says so. What an earlier
 * reading has filled in, and nobody has changed, is replaced.
 */
export function fillFrom(zone: Zone, typed: Typed): Typed {
  const before = parseZone(typed[ZONE]);
  const answers = answersOf(typed);
  const open = zoneFields.filter((field) => {
    const answer = (answers[field] ?? '').trim();
    return zone[field] !== '' && (answer === '' || answer === before?.[field]);
  });
  return { ...controlsHolding(visaForm, zone, open), [ZONE]: writeZone(zone) };
}
