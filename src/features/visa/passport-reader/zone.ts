import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { typedAnswers, type TypedAnswers } from '~/features/form/answers/controls.ts';
import { readVisaAnswers, visaForm, ZONE } from '../rules/typed.ts';

/** The control that the lines are typed or pasted in, and the `intent` of the button that reads them. */
export const LINES = 'machineReadableLines';
export const READ_LINES = 'read_lines';

/**
 * What we keep of a passport's or identity card's machine-readable lines (ICAO Doc 9303): what the form asks as well. The
 * lines also hold a personal number, the sex and the issuing country, which nobody here needs; so they are not kept.
 */
export type Zone = {
  /** Three letters as printed (Germany: D); empty where they are no country's. */
  nationality: string;
  /** A to Z and spaces; no check digit covers them. Empty where the lines have none. */
  lastName: string;
  firstName: string;
  /** The names fill the line to its end: they may have been cut. */
  areNamesCut: boolean;
  /** Their check digits hold. Empty where the lines do not say them as the form asks them. */
  passportNumber: string;
  dateOfBirth: PlainDate | '';
  passportExpiryDate: PlainDate | '';
};

const DATE = String.raw`\d{4}-\d{2}-\d{2}`;
const NAME = '[A-Z](?:[A-Z ]{0,37}[A-Z])?';
/** What forms and rows of earlier versions begin with: the size of the document and the country that issued it. */
const EARLIER = String.raw`(?:TD[123]\|(?:[A-Z]{1,3})?\|)?`;
const WRITTEN = new RegExp(
  String.raw`^${EARLIER}([A-Z]{1,3})?\|(${NAME})?\|(${NAME})?\|(cut)?\|([A-Z0-9]{1,9})?\|(${DATE})?\|(${DATE})?$`,
);

/** As it stands in the form's hidden control, in the draft and, sealed, with the application. */
export const writeZone = (zone: Zone): string =>
  [
    zone.nationality,
    zone.lastName,
    zone.firstName,
    zone.areNamesCut ? 'cut' : '',
    zone.passportNumber,
    zone.dateOfBirth,
    zone.passportExpiryDate,
  ].join('|');

/** Null for what `writeZone` has not written. Says nothing about check digits: the control comes from a browser. */
export function parseZone(written: string | undefined): Zone | null {
  const match = WRITTEN.exec(written ?? '');
  if (!match) return null;
  const [
    ,
    nationality = '',
    lastName = '',
    firstName = '',
    cut = '',
    number = '',
    born = '',
    expires = '',
  ] = match;
  return {
    nationality,
    lastName,
    firstName,
    areNamesCut: cut === 'cut',
    passportNumber: number,
    dateOfBirth: parseDate(born) ?? '',
    passportExpiryDate: parseDate(expires) ?? '',
  };
}

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
export function fillFromZone(zone: Zone, typed: TypedAnswers): TypedAnswers {
  const before = parseZone(typed[ZONE]);
  const answers = readVisaAnswers(typed);
  const open = zoneFields.filter((field) => {
    const answer = (answers[field] ?? '').trim();
    return zone[field] !== '' && (answer === '' || answer === before?.[field]);
  });
  return { ...typedAnswers(visaForm, zone, open), [ZONE]: writeZone(zone) };
}
