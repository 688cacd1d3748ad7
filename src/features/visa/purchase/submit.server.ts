import type {
  OrderedApplication,
  OrderedTraveller,
} from '~/features/application/place-order.server.ts';
import {
  insuranceBesideVisa,
  offerBesideVisa,
  type BesideVisa,
} from '~/features/insurance/beside-visa.ts';
import { orderedInsurance } from '~/features/insurance/purchase/submit.server.ts';
import type { Plan } from '~/features/insurance/rules/plans.ts';
import type { Terms } from '~/features/insurance/rules/terms.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { pricePath, type CountryTerms, type CheckContext } from '../rules/answers.ts';
import type { VisaValues } from '../rules/schemas.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import { quoteVisa, type PriceList, type QuoteLine } from '../rules/price-list.ts';
import type { PricePath } from '../rules/speeds.ts';
import type { Zone } from '../passport-reader/zone.ts';
import { answerColumns, type PersonColumns } from '../store/answer-columns.ts';
import { visaDetailsRow, type VisaDetails, visaPricesInForce } from '../store/store.server.ts';
import { add, type Money } from '~/base/money.ts';
import { readPlansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import type { Database } from '~/platform/postgres/database.server.ts';

/** All answers of one traveller, without problems. */
export type VisaInput = {
  path: PricePath;
  country: CountryTerms & { maxStayDays: number; entries: 'single' | 'multiple' };
  values: VisaValues;
  /** The machine-readable lines, where the traveller had them read. */
  zone: Zone | null;
};

/**
 * Checked answers in the form that can be submitted.
 * @throws Error for answers with a problem.
 */
export function toVisaInput(
  values: VisaValues,
  { country }: Pick<CheckContext, 'country'>,
  zone: Zone | null = null,
): VisaInput {
  const path = pricePath(country, values);
  if (!path || !country?.maxStayDays || !country.entries) throw new Error('No e-visa to submit');
  const { code, regime, maxStayDays, entries } = country;
  return { path, country: { code, regime, maxStayDays, entries }, values, zone };
}

/**
 * The answers by name.
 * @throws Error for a missing one that `check` requires.
 */
export const requireValue =
  (values: VisaValues) =>
  <F extends keyof VisaValues>(field: F): NonNullable<VisaValues[F]> => {
    const value = values[field];
    if (value === undefined) throw new Error(`${field} is missing`);
    return value;
  };

/** The columns that every application has. */
const personOf = ({ values, country }: VisaInput): PersonColumns => ({
  ...answerColumns(values).person,
  countryCode: country.code,
});

/** The columns of a visa application. */
export const toVisaDetails = (
  { values, country, zone }: VisaInput,
  applicationId: string,
): VisaDetails => ({
  ...answerColumns(values).details,
  applicationId,
  zone,
  stayDays: country.maxStayDays,
  entries: country.entries,
});

/** The person, for the insurance in the order. */
export function visaTraveller(input: VisaInput): Traveller {
  const given = requireValue(input.values);
  return {
    firstName: given('firstName'),
    lastName: given('lastName'),
    email: given('email'),
    phone: given('phone'),
    dateOfBirth: given('dateOfBirth'),
    nationality: input.country.code,
    travelDocument: given('documentType'),
    passportNumber: given('passportNumber'),
    placeOfBirth: given('placeOfBirth'),
  };
}

/** A visa to be ordered, at these prices. */
export function orderedVisa(
  sealer: Sealer,
  input: VisaInput,
  prices: PriceList,
): OrderedApplication {
  const processingType = requireValue(input.values)('processingType');
  return {
    kind: 'visa',
    person: personOf(input),
    lines: quoteVisa(prices, input.path, processingType).lines,
    details: (applicationId) => visaDetailsRow(sealer, toVisaDetails(input, applicationId)),
  };
}

/** A visa with the insurance of its traveller beside it, to be ordered; `plan` null for none. */
export function orderedTraveller(
  sealer: Sealer,
  input: VisaInput,
  plan: Plan | null,
  { prices, terms }: { prices: PriceList; terms: Pick<Terms, 'version'> | null },
): OrderedTraveller {
  const visa = orderedVisa(sealer, input, prices);
  if (!plan) return [visa];
  const insurance = insuranceBesideVisa(
    plan,
    visaTraveller(input),
    requireValue(input.values)('arrivalDate'),
  );
  return [visa, orderedInsurance(sealer, insurance, terms)];
}

/** When something is offered and sold, and by which settings. Not to be used inside a transaction. */
export type Sale = { db: Database; settings: Settings; now: Date };

/** The id of the chosen plan; null for "none" or no choice. */
export const readChoice = (sent: string): string | null =>
  sent === '' || sent === 'none' ? null : sent;

export type InsuranceQuote = {
  offer: BesideVisa | null;
  /** The id of an offered plan; null for none, and for one that is not on offer. */
  choice: string | null;
  /** Of the visa alone, line by line and in all. */
  lines: readonly QuoteLine[];
  visa: Money;
  total: Money;
};

/** The offered plan of a quote. */
export const quotedPlan = ({ offer, choice }: InsuranceQuote): Plan | null =>
  offer?.choices.find(({ id }) => id === choice) ?? null;

/**
 * What checked answers cost by the settings of a sale, with an insurance (`sent`: the form's value), where one may be
 * added.
 */
export async function quoteInsurance(
  { db, settings, now }: Sale,
  mayInsure: boolean,
  { path, country, values }: VisaInput,
  sent: string,
): Promise<InsuranceQuote> {
  const { lines, total: visa } = quoteVisa(
    visaPricesInForce(settings, now),
    path,
    values.processingType ?? '',
  );
  const { dateOfBirth, arrivalDate } = values;
  const offer =
    mayInsure && dateOfBirth && arrivalDate
      ? offerBesideVisa(await readPlansOnSale(db, settings, now), {
          dateOfBirth,
          arrivalDate,
          stayDays: country.maxStayDays,
        })
      : null;
  const wanted = readChoice(sent);
  const chosen = offer?.choices.find(({ id }) => id === wanted) ?? null;
  const total = chosen ? add(visa, chosen.price) : visa;
  return { offer, choice: chosen?.id ?? null, lines, visa, total };
}
