import {
  addDays,
  addMonths,
  toPlainDate,
  formatDate,
  formatDateShort,
  formatMoment,
  parseDate,
  TURKIYE,
  UTC,
} from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import { PASSPORT_MONTHS } from '~/features/form/answers/limits.ts';
import {
  fields,
  questions,
  type VisaField,
  type FieldWith,
  type QuestionGroup,
} from '~/features/visa/rules/questions.ts';
import { formatLanguage, serviceName } from '../frame/formats.ts';
import type { ApplicationDetail } from './detail.server.ts';

/** What staff read of an application before they decide, alone or beside its fellow travellers. '': nothing to say. */
export type Fact = {
  term: string;
  value: string;
  /** Names, addresses and numbers: left to right in every language. */
  isLatin?: boolean;
  /** A masked number of a document, which can be shown in full. */
  sealed?: 'passport' | 'supportingDocument';
  /** What the travellers of an order ordinarily share. */
  isShared?: boolean;
};

type Facts = (t: Translate<'desk'>, language: Language, application: ApplicationDetail) => Fact[];

/** In the order of the passport. */
export const passportFacts: Facts = (t, language, application) => {
  const { visa, insurance, country, travelDocument, lastName, firstName } = application;
  const sealed = visa ?? insurance;
  const born = written(application.dateOfBirth, language);
  return [
    { term: t('detail.name'), value: `${lastName} ${firstName}`.toUpperCase(), isLatin: true },
    { term: t('detail.number'), value: sealed?.passportNumber ?? '', sealed: 'passport' },
    {
      term: t('detail.nationality'),
      value: t('detail.nationalityValue', {
        country,
        document: t(`detail.travelDocument.${travelDocument}`, travelDocument),
      }),
      isShared: true,
    },
    {
      term: t('detail.born'),
      value: sealed?.placeOfBirth
        ? t('detail.bornValue', { date: born, place: sealed.placeOfBirth })
        : born,
    },
    {
      term: t('detail.issuedExpires'),
      value: visa
        ? t('detail.period', {
            from: written(visa.passportIssueDate, language, formatDateShort),
            to: written(visa.passportExpiryDate, language, formatDateShort),
          })
        : '',
    },
    ...plainAnswers(t, language, visa, ['passport', 'parents']),
  ];
};

export const tripFacts: Facts = (t, language, { visa, insurance, kind, service, startsOn }) => {
  const day = (date: string | undefined) => written(date, language);
  const withDocument = Boolean(visa?.supportingDocument);
  return [
    {
      term: t(kind === 'visa' ? 'detail.arrival' : 'detail.firstDay'),
      value: day(startsOn),
      isShared: true,
    },
    { term: t('detail.purpose'), value: visa?.purpose ? t(`detail.${visa.purpose}`) : '' },
    {
      term: t(kind === 'visa' ? 'detail.processing' : 'detail.plan'),
      value: serviceName(t, { service, withDocument }),
      isShared: true,
    },
    ...(insurance
      ? [
          { term: t('detail.coverUntil'), value: day(insurance.coverUntil) },
          { term: t('detail.returnDate'), value: day(insurance.returnDate) },
          {
            term: t('detail.tripLength'),
            value: t('detail.tripDays', { count: insurance.tripDays }),
          },
          { term: t('detail.destination'), value: insurance.destination },
          {
            term: t('detail.cancelledAt'),
            value: insurance.cancelledAt
              ? formatMoment(insurance.cancelledAt, language, UTC, 'dated')
              : '',
          },
        ]
      : []),
    {
      term: t('detail.allows'),
      value: visa
        ? t('detail.allowsValue', { count: visa.stayDays, entries: t(`detail.${visa.entries}`) })
        : '',
    },
    ...plainAnswers(t, language, visa, ['trip', 'document']),
  ];
};

/** None without a supporting document. */
export const supportingFacts: Facts = (t, language, { visa }) => {
  const supporting = visa?.supportingDocument;
  if (!supporting) return [];
  const { type, issuer, number, startDate, endDate } = supporting;
  const from = startDate && t('detail.from', { date: written(startDate, language) });
  const until =
    endDate === 'unlimited'
      ? t('detail.unlimited')
      : endDate && t('detail.until', { date: written(endDate, language) });
  return [
    { term: t('detail.kind'), value: t(`detail.${type}`) },
    { term: t('detail.issuer'), value: issuer ?? '' },
    { term: t('detail.number'), value: number ?? '', sealed: 'supportingDocument' },
    { term: t('detail.valid'), value: [from, until].filter(Boolean).join(', ') },
  ];
};

export const contactFacts: Facts = (t, language, application) => [
  { term: t('detail.email'), value: application.email, isLatin: true, isShared: true },
  { term: t('detail.phone'), value: application.phoneGrouped, isLatin: true },
  ...plainAnswers(t, language, application.visa, ['contact']),
  { term: t('detail.language'), value: formatLanguage(application.language, language) },
];

type DetailField = FieldWith<{ stored: readonly ['details', string] }>;

/** Answers that the desk puts in words of its own, alone or together with others. */
const worded: readonly VisaField[] = [
  'supportingDocumentType',
  'visaCountry',
  'residenceCountry',
  'supportingDocumentNumber',
  'supportingDocumentStartDate',
  'supportingDocumentEndDate',
  'purpose',
  'passportNumber',
  'placeOfBirth',
  'passportIssueDate',
  'passportExpiryDate',
];

const isPlain = (field: VisaField): field is DetailField =>
  questions[field].stored?.[0] === 'details' && !worded.includes(field);

/** The other answers of an e-visa in some groups, under the labels of the form. */
const plainAnswers = (
  t: Translate<'desk'>,
  language: Language,
  visa: ApplicationDetail['visa'],
  groups: readonly QuestionGroup[],
): Fact[] =>
  fields
    .filter(isPlain)
    .filter((field) => groups.includes(questions[field].group))
    .map((field) => {
      const value = visa?.[questions[field].stored[1]] ?? '';
      return {
        term: t(`visa:labels.${field}`),
        value: written(value, language),
        isLatin: !parseDate(value),
      };
    });

/** A day in words; another text as it is. */
const written = (day: string | undefined, language: Language, format = formatDate): string => {
  const date = parseDate(day ?? '');
  return date ? format(date, language) : (day ?? '');
};

type Warning = 'arrivesToday' | 'arrivesTomorrow' | 'arrivalPassed' | 'passportShort';

/** Warnings about an open application. Days are those of Türkiye. */
export function applicationWarnings(application: ApplicationDetail, now: number): Warning[] {
  const arrival = parseDate(application.startsOn);
  if (application.decidedAt || application.kind !== 'visa' || !arrival) return [];
  const today = toPlainDate(new Date(now), TURKIYE);
  const expiry = parseDate(application.visa?.passportExpiryDate ?? '');
  const found: Warning[] = [];
  if (arrival < today) found.push('arrivalPassed');
  if (arrival === today) found.push('arrivesToday');
  if (arrival === addDays(today, 1)) found.push('arrivesTomorrow');
  if (expiry && expiry < addMonths(arrival, PASSPORT_MONTHS)) found.push('passportShort');
  return found;
}
