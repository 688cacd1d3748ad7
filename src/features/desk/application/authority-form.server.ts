import { zoneSpellings } from '~/base/letters.ts';
import { parseDate } from '~/base/dates/dates.ts';
import { isRespelt, machineReadable } from '~/features/application/machine-readable.ts';
import type { Application } from '~/features/application/store.server.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { parseTravelDocument, type TravelDocument } from '~/features/catalog/regime.ts';
import { zoneCountry, zoneDifferences } from '~/features/visa/passport-reader/differences.ts';
import { zoneFields, type Zone } from '~/features/visa/passport-reader/zone.ts';
import { questions, type FieldWith, type VisaField } from '~/features/visa/rules/questions.ts';
import type { DocumentNumbers, VisaRow } from './store.server.ts';

type Answered = Exclude<VisaField, FieldWith<{ stored: null }>>;

/** Chosen from a list, or a date. */
const CHOSEN = Infinity;

/**
 * What the authority's form asks, in its order, with the characters that each field takes; null for what it does not ask.
 * By the ministry's guide to files of groups (evisa.gov.tr/assets/files/guide_en.pdf) as others cite it, checked by them
 * in August 2026; the form itself was not seen. It asks no number of a supporting document, which staff may need all the
 * same when the authority asks back.
 */
const formFields: Record<Answered, number | null> = {
  countryId: CHOSEN,
  documentType: CHOSEN,
  arrivalDate: CHOSEN,
  firstName: 50,
  lastName: 50,
  dateOfBirth: CHOSEN,
  placeOfBirth: 40,
  motherName: 40,
  fatherName: 40,
  passportNumber: 16,
  passportIssueDate: CHOSEN,
  passportExpiryDate: CHOSEN,
  email: 40,
  phone: 20,
  address: 200,
  supportingDocumentType: CHOSEN,
  visaCountry: CHOSEN,
  residenceCountry: CHOSEN,
  supportingDocumentEndDate: CHOSEN,
  supportingDocumentNumber: CHOSEN,
  supportingDocumentStartDate: null,
  purpose: null,
  processingType: null,
};

/** As the form's lists call them. */
const documentNames: Record<TravelDocument, string> = {
  ordinary: 'Ordinary Passport',
  diplomatic: 'Diplomatic Passport',
  service: 'Service Passport',
  special: 'Special Passport',
  identity: 'Identity Card',
};

const supportingNames = { visa: 'Visa', residence: 'Residence permit' } as const;

/** An answer as the authority's form takes it. */
export type FormAnswer = {
  field: Answered;
  value: string;
  /** What the passport's lines have instead, spelt alike; null where they agree or were not read. */
  read: string | null;
  /** What the traveller typed, where it is spelt with other letters here; null otherwise. */
  typed: string | null;
  /** The most characters that the field takes, where the answer has more; null otherwise. */
  most: number | null;
};

const isAnswered = (field: string): field is Answered => field in formFields;

/**
 * The answers of a visa application in the order and the spelling of the authority's form: capitals A to Z as in the
 * passport's lines, dates as DD/MM/YYYY, countries by their English names. Unanswered ones are left out. Numbers are in
 * full: the caller records the view in the audit trail.
 */
export function fillAuthorityForm({
  zone,
  numbers,
  ...stored
}: { zone: Zone | null; numbers: DocumentNumbers } & Stored): FormAnswer[] {
  const answers = answersOf(stored, numbers);
  const differing: readonly string[] = zone ? zoneDifferences(zone, answers) : [];
  const read = zone && readIn(zone);
  return Object.keys(formFields)
    .filter(isAnswered)
    .flatMap((field) => {
      const most = formFields[field];
      const typed = answers[field];
      const spelt = spell(field, typed);
      if (most === null || spelt === '') return [];
      const differs = differing.includes(field);
      const inLines = read?.[field] ?? '';
      // Of two ways to spell a letter the passport's own one, unless its line was too short.
      const value = inLines === '' || differs || zone?.areNamesCut ? spelt : inLines;
      return {
        field,
        value,
        read: differs ? inLines : null,
        typed: isRespelt(typed) && value !== typed ? typed : null,
        most: value.length > most ? most : null,
      };
    });
}

type Stored = { application: Application; visa: VisaRow };

function answersOf({ application, visa }: Stored, numbers: DocumentNumbers) {
  const document = parseTravelDocument(application.travelDocument);
  const type = visa.supportingDocumentType;
  const issuer = visa.supportingDocumentCountry && placeName(visa.supportingDocumentCountry, 'en');
  return {
    ...visa,
    ...application,
    countryId: application.countryCode,
    documentType: document ? documentNames[document] : '',
    arrivalDate: application.startsOn,
    processingType: application.service,
    purpose: visa.purpose ?? '',
    passportNumber: numbers.passport,
    supportingDocumentNumber: numbers.supportingDocument ?? '',
    supportingDocumentType: type ? supportingNames[type] : '',
    visaCountry: (type === 'visa' && issuer) || '',
    residenceCountry: (type === 'residence' && issuer) || '',
    supportingDocumentStartDate: visa.supportingDocumentStartDate ?? '',
    supportingDocumentEndDate: visa.supportingDocumentEndDate ?? '',
  } satisfies Record<Answered, string>;
}

const readIn = (zone: Zone): Partial<Record<Answered, string>> => ({
  ...Object.fromEntries(zoneFields.map((field) => [field, spell(field, zone[field])])),
  countryId: placeName(zoneCountry(zone) || zone.nationality, 'en'),
});

function spell(field: Answered, answer: string): string {
  switch (questions[field].answer) {
    case 'country':
      return placeName(answer, 'en');
    case 'date':
    case 'date_or_unlimited':
      // A permit without an end leaves the field empty.
      return parseDate(answer)?.split('-').toReversed().join('/') ?? '';
    case 'name': {
      const read = machineReadable(answer);
      return read.ok ? read.text : capitals(answer);
    }
    case 'place':
    case 'text':
      return capitals(answer);
    case 'phone':
      return answer.replaceAll(/[^\d+]/g, '');
    default:
      return answer;
  }
}

/** A place or an address in one line of capitals A to Z, with its digits and signs. */
const capitals = (text: string): string =>
  Array.from(text.normalize('NFC').toUpperCase())
    .map((letter) => zoneSpellings[letter] ?? letter.normalize('NFD').replaceAll(/\p{M}/gu, ''))
    .join('')
    .replaceAll(/\s+/g, ' ');
