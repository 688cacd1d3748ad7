import type { Application } from '~/features/application/store.server.ts';
import { differencesOf, type Difference } from '~/features/visa/passport-reader/differences.ts';
import { zoneFields } from '~/features/visa/passport-reader/fill.ts';
import type { Zone } from '~/features/visa/passport-reader/zone.ts';
import { maskNumber } from '~/features/application/document-number.ts';

export type ZoneRow = {
  field: Difference;
  typed: string;
  /** Empty where the lines do not contain it. */
  read: string;
  differs: boolean;
};

/** The present answers beside what was read from the passport's machine-readable lines; null where nothing was read. */
export function compareZone(
  zone: Zone | null,
  { lastName, firstName, dateOfBirth, countryCode }: Application,
  {
    passportNumber,
    passportExpiryDate,
    reveal,
  }: { passportNumber: string; passportExpiryDate: string; reveal: boolean },
): { rows: ZoneRow[]; areNamesCut: boolean } | null {
  if (!zone) return null;
  const answers = {
    lastName,
    firstName,
    passportNumber,
    dateOfBirth,
    passportExpiryDate,
    countryId: countryCode,
  };
  const differing = differencesOf(zone, answers);
  const read = { ...zone, countryId: zone.nationality };
  const shown = (field: Difference, value: string) =>
    field === 'passportNumber' && !reveal ? maskNumber(value) : value;
  const rows = [...zoneFields, 'countryId' as const].map((field) => ({
    field,
    typed: shown(field, answers[field]),
    read: shown(field, read[field]),
    differs: differing.includes(field),
  }));
  return { rows, areNamesCut: zone.areNamesCut };
}
