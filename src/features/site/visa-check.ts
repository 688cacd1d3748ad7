import type { Office } from '~/base/dates/office.ts';
import {
  dateFromParts,
  toPlainDate,
  readParts,
  TURKIYE,
  type PlainDate,
} from '~/base/dates/dates.ts';
import type { Money } from '~/base/money.ts';
import { eligibility, grantsEvisa, type Eligibility } from '~/features/catalog/eligibility.ts';
import { travelDocuments, type Country, type TravelDocument } from '~/features/catalog/regime.ts';
import { quoteVisa, type PriceList } from '~/features/visa/rules/price-list.ts';
import { type PricePath, type ProcessingType } from '~/features/visa/rules/speeds.ts';
import { defaultSpeed, promisedMoment } from '~/features/visa/rules/ready-by.ts';
import { isLanguageSwitch } from '~/ui/answers-form.ts';

/** The values as typed, to be shown again. */
type CheckValues = {
  countryId: string;
  documentType: TravelDocument;
  day: string;
  month: string;
  year: string;
};

type CheckProblems = {
  countryId?: 'country_missing';
  arrivalDate?: 'date_unreal' | 'date_past';
};

/** The cheapest speed that is in time, or of all without a date; null where none is. */
type CheckOffer = {
  processingType: ProcessingType;
  total: Money;
  readyBy: Date;
} | null;

export type VisaCheck = {
  values: CheckValues;
  /** Whether the query asks; otherwise it may still contain what was typed before a change of language. */
  isAsked: boolean;
  problems: CheckProblems;
  answer?: {
    country: Country;
    documentType: TravelDocument;
    arrivalDate: PlainDate | null;
    eligibility: Eligibility;
    /** Undefined where no e-visa can be applied for. */
    offer?: CheckOffer;
  };
};

/** Whether nothing was typed or chosen; an ordinary passport is the default. */
export const isUntouched = ({ countryId, documentType, day, month, year }: CheckValues): boolean =>
  documentType === 'ordinary' && [countryId, day, month, year].every((value) => value === '');

const isTravelDocument = (text: string): text is TravelDocument =>
  travelDocuments.some((document) => document === text);

/**
 * "Do I need a visa?", answered from the query alone; nothing is stored. Without a question there are neither problems
 * nor an answer. The arrival date is optional.
 */
export function checkVisa(
  asked: URLSearchParams,
  countries: readonly Country[],
  prices: PriceList,
  office: Office,
  now: Date,
): VisaCheck {
  const read = (name: string) => asked.get(name)?.trim() ?? '';
  const documentRead = read('documentType');
  const values: CheckValues = {
    countryId: read('countryId').toUpperCase(),
    documentType: isTravelDocument(documentRead) ? documentRead : 'ordinary',
    ...readParts(read, 'arrivalDate'),
  };
  const isAsked = asked.has('countryId') && !isLanguageSwitch(asked);
  if (!isAsked) return { values, isAsked, problems: {} };

  const country = countries.find(({ code }) => code === values.countryId);
  const arrival = readArrival(values, now);
  const problems: CheckProblems = {
    ...(country ? {} : { countryId: 'country_missing' }),
    ...(arrival.problem ? { arrivalDate: arrival.problem } : {}),
  };
  const { documentType } = values;
  if (!country || arrival.problem) return { values, isAsked, problems };
  const arrivalDate = arrival.date;
  const found = eligibility(country, documentType);
  const answer = { country, documentType, arrivalDate, eligibility: found };
  if (!grantsEvisa(found)) return { values, isAsked, problems, answer };
  const path = found.regime === 'evisa' ? 'without_document' : 'with_document';
  return {
    values,
    isAsked,
    problems,
    answer: { ...answer, offer: offerFor({ prices, office, now }, path, arrivalDate) },
  };
}

type Arrival =
  | { date: PlainDate | null; problem?: undefined }
  | { problem: 'date_unreal' | 'date_past' };

function readArrival({ day, month, year }: CheckValues, now: Date): Arrival {
  if (day === '' && month === '' && year === '') return { date: null };
  const date = dateFromParts({ day, month, year });
  if (date === null) return { problem: 'date_unreal' };
  return date < toPlainDate(now, TURKIYE) ? { problem: 'date_past' } : { date };
}

function offerFor(
  { prices, office, now }: { prices: PriceList; office: Office; now: Date },
  path: PricePath,
  arrivalDate: PlainDate | null,
): CheckOffer {
  const processingType = defaultSpeed(path, arrivalDate, now, office);
  if (processingType === null) return null;
  return {
    processingType,
    total: quoteVisa(prices, path, processingType).total,
    readyBy: promisedMoment(path, processingType, now, office),
  };
}
