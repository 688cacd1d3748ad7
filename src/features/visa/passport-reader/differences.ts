import { tidyDocumentNumber } from '~/features/application/document-number.ts';
import { machineReadable } from '~/features/application/machine-readable.ts';
import type { VisaAnswers } from '../rules/answers.ts';
import { zoneFields, type ZoneField, parseZone, type Zone } from './zone.ts';

export type ZoneAnswers = Pick<VisaAnswers, ZoneField | 'countryId'>;
export type ZoneDifference = ZoneField | 'countryId';

/**
 * Codes of the lines that are not those of ISO 3166-1 (ICAO Doc 9303-3, section 5): Germany's one letter; Kosovo's own,
 * and that of the United Nations' mission there.
 */
const PRINTED: Readonly<Record<string, string>> = { D: 'DEU', RKS: 'XKX', UNK: 'XKX' };

/**
 * The same section: stateless persons, refugees and persons of unspecified nationality, and organisations, whose codes
 * begin with X; officials of the United Nations and of the European Union.
 */
const NO_COUNTRY = /^(?:X[A-JL-Z][A-Z]|UN[AO]|EUE)$/;

/** Codes that passports of other entries of our list carry: China's, and that of all British overseas territories. */
const PRINTED_FOR: Readonly<Record<string, readonly string[]>> = {
  CHN: ['HKG', 'MAC'],
  GBD: ['BMU'],
};

/** What was answered otherwise than the lines have it. What is not answered yet, or not read, does not differ. */
export function zoneDifferences(zone: Zone, answers: ZoneAnswers): ZoneDifference[] {
  const differing = zoneFields.filter((field) => {
    const answer = (answers[field] ?? '').trim();
    return answer !== '' && zone[field] !== '' && !isSame(field, answer, zone);
  });
  return isSameCountry(zone, answers.countryId ?? '') ? differing : [...differing, 'countryId'];
}

function isSame(field: ZoneField, answer: string, zone: Zone): boolean {
  if (field === 'passportNumber') return tidyDocumentNumber(answer) === zone.passportNumber;
  if (field === 'lastName' || field === 'firstName') return isSameName(answer, zone, field);
  return answer === zone[field];
}

/** Whether the lines print the name: countries spell letters with marks in one of two ways, and cut what is too long. */
function isSameName(answer: string, zone: Zone, field: 'lastName' | 'firstName'): boolean {
  const printed = letters(zone[field]);
  const recommended = machineReadable(answer);
  const spellings = [
    recommended.ok ? recommended.text : answer,
    answer.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase(),
  ].map(letters);
  return spellings.some(
    (spelling) => spelling === printed || (zone.areNamesCut && spelling.startsWith(printed)),
  );
}

const letters = (name: string): string => name.replaceAll(/[^A-Z]/g, '');

/** The code of the nationality in the lines, as `catalog` has it; '' where they name no country. */
export const zoneCountry = ({ nationality }: Zone): string =>
  NO_COUNTRY.test(nationality) ? '' : (PRINTED[nationality] ?? nationality);

/** The nationalities of our list that these lines may be of: several share a code. */
export const zoneCountries = (zone: Zone): readonly string[] =>
  [zoneCountry(zone), ...(PRINTED_FOR[zone.nationality] ?? [])].filter((code) => code !== '');

/** What the box is sent with that confirms the chosen nationality beside these lines: another choice has to be confirmed anew. */
export const zoneConfirmation = (zone: Zone, countryId: string): string =>
  `${zone.nationality} ${countryId}`;

/** The nationality in the lines, where it is not the chosen one. */
export function differentZoneCountry(
  written: string | undefined,
  countryId: string,
): string | null {
  const zone = parseZone(written);
  return zone && !isSameCountry(zone, countryId) ? zoneCountry(zone) : null;
}

function isSameCountry(zone: Zone, countryId: string): boolean {
  const codes = zoneCountries(zone);
  return codes.length === 0 || countryId === '' || codes.includes(countryId);
}
