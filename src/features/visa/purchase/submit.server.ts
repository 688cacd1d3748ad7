import { randomBytes, randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { add, type Money } from '~/base/money.ts';
import { withNewNumber, type RandomSource } from '~/features/application/new-number.server.ts';
import { makeNumber, prefixes } from '~/features/application/number.ts';
import { applicationRows } from '~/features/application/store.server.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import { newOrder } from '~/features/order/new-order-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import { settingsAreStill } from '~/features/settings/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { storeTogether, type NewRow } from '~/platform/postgres/store-together.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { pathOf, type CountryTerms, type CheckContext, type Values } from '../rules/answers.ts';
import type { AddOn, Sale } from './add-on.server.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import { quote, type PriceList } from '../rules/price-list.ts';
import { visaPricesAt } from '../store/prices.server.ts';
import type { Path } from '../rules/speeds.ts';
import type { Zone } from '../passport-reader/zone.ts';
import { visaDetailsRow, type VisaDetails } from '../store/store.server.ts';
import { fullName } from '~/features/application/full-name.ts';

/** All answers of one traveller, without problems. */
export type VisaInput = {
  path: Path;
  country: CountryTerms & { maxStayDays: number; entries: 'single' | 'multiple' };
  values: Values;
  /** The machine-readable lines, where the traveller had them read. */
  zone: Zone | null;
};

export type Submission = {
  language: string;
  /** The browser's, so that a payment call without a reference finds its order. */
  sessionHash: Buffer | null;
  /** The moment, and the settings whose prices are charged: nothing is stored once there are newer ones. */
  sale: Sale;
  /** A condition for the statement; it gets the number and must contain `and`. */
  only: (number: string, and: SQL) => SQL;
  /** Source of random bytes for application numbers; tests pass their own. */
  random?: RandomSource;
  /** The insurance to add: a choice that was offered. */
  chosenAddOn?: { addOn: AddOn; choice: string } | null;
};

export type Submitted = {
  applicationNumber: string;
  id: string;
  totalAmount: Money;
  /** An order of one application has that application's number, one of several a number of its own. */
  order: Order;
};

/**
 * Checked answers in the form that can be submitted.
 * @throws Error for answers with a problem.
 */
export function inputOf(
  values: Values,
  { country }: Pick<CheckContext, 'country'>,
  zone: Zone | null = null,
): VisaInput {
  const path = pathOf(country, values);
  if (!path || !country?.maxStayDays || !country.entries) throw new Error('No e-visa to submit');
  const { code, regime, maxStayDays, entries } = country;
  return { path, country: { code, regime, maxStayDays, entries }, values, zone };
}

/**
 * The answers by name.
 * @throws Error for a missing one that `check` requires.
 */
export const givenIn =
  (values: Values) =>
  <F extends keyof Values>(field: F): NonNullable<Values[F]> => {
    const value = values[field];
    if (value === undefined) throw new Error(`${field} is missing`);
    return value;
  };

/** The columns that every application has. */
export function personOf({ values, country }: VisaInput) {
  const given = givenIn(values);
  return {
    firstName: given('firstName'),
    lastName: given('lastName'),
    email: given('email'),
    phone: given('phone'),
    dateOfBirth: given('dateOfBirth'),
    countryCode: country.code,
    travelDocument: given('documentType'),
    startsOn: given('arrivalDate'),
    service: given('processingType'),
  };
}

/** The columns of a visa application. */
export function detailsOf(
  { values, country, zone }: VisaInput,
  applicationId: string,
): VisaDetails {
  const given = givenIn(values);
  return {
    applicationId,
    passportNumber: given('passportNumber'),
    passportIssueDate: given('passportIssueDate'),
    passportExpiryDate: given('passportExpiryDate'),
    placeOfBirth: given('placeOfBirth'),
    motherName: given('motherName'),
    fatherName: given('fatherName'),
    address: given('address'),
    purpose: values.purpose ?? null,
    supportingDocumentType: values.supportingDocumentType ?? null,
    supportingDocumentCountry: values.visaCountry ?? values.residenceCountry ?? null,
    supportingDocumentNumber: values.supportingDocumentNumber ?? null,
    supportingDocumentStartDate: values.supportingDocumentStartDate ?? null,
    supportingDocumentEndDate: values.supportingDocumentEndDate ?? null,
    zone,
    stayDays: country.maxStayDays,
    entries: country.entries,
  };
}

/** The person, for the insurance in the order. */
export function travellerOf(input: VisaInput): Traveller {
  const given = givenIn(input.values);
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

/** The payer, for a single traveller. */
export function customerOf(input: VisaInput): { name: string; email: string } {
  const person = personOf(input);
  return { name: fullName(person), email: person.email };
}

/** The order lines of the visa. */
export function visaLines(
  { path, values }: VisaInput,
  prices: PriceList,
  number: string,
): NewLine[] {
  const { lines } = quote(prices, path, givenIn(values)('processingType'));
  return lines.map((line) => ({ applicationNumber: number, ...line }));
}

export type NewVisa = {
  id: string;
  number: string;
  /** Of the visa alone. */
  amount: Money;
  lines: NewLine[];
  rows: NewRow[];
};

/** A new visa application without an order, and its order lines. */
export function newVisa(
  sealer: Sealer,
  input: VisaInput,
  {
    number,
    orderNumber,
    travellerPosition = 1,
    language,
    prices,
    now,
  }: {
    number: string;
    orderNumber: string;
    /** Which traveller of the order, from 1. */
    travellerPosition?: number;
    language: string;
    prices: PriceList;
    now: Date;
  },
): NewVisa {
  const { total } = quote(prices, input.path, givenIn(input.values)('processingType'));
  const id = randomUUID();
  const rows = applicationRows({
    id,
    kind: 'visa',
    number,
    language,
    ...personOf(input),
    orderNumber,
    travellerPosition,
    amountMinor: total.minor,
    currency: total.currency,
    createdAt: now,
  });
  return {
    id,
    number,
    amount: total,
    lines: visaLines(input, prices, number),
    rows: [...rows, visaDetailsRow(sealer, detailsOf(input, id))],
  };
}

/**
 * Stores an application, its insurance, and the order for both, in one statement. `only`: a further condition besides
 * `isFree`, a query of one row; where it does not hold, nothing is stored and the result is null.
 * @throws Error for an insurance that was not on offer.
 */
export async function submit(
  db: Queryable,
  sealer: Sealer,
  input: VisaInput,
  { language, sessionHash, sale, chosenAddOn, only, random }: Submission,
): Promise<Submitted | null> {
  const { now, settings } = sale;
  const prices = visaPricesAt(settings, now);
  // Not checked before: a number that is taken, practically impossible with 60 random bits, rolls the statement back.
  const groupNumber = chosenAddOn ? makeNumber(prefixes.group, randomBytes(12)) : null;
  const beside =
    chosenAddOn && groupNumber
      ? await insertAddOn(sealer, input, groupNumber, { language, sale, chosenAddOn })
      : null;

  return withNewNumber(
    db,
    'visa',
    async (number, isFree) => {
      const orderNumber = groupNumber ?? number;
      const visa = newVisa(sealer, input, { number, orderNumber, language, prices, now });
      const lines = [...visa.lines, ...(beside ? [beside.line] : [])];
      const placed = newOrder(
        { number: orderNumber, language, customer: customerOf(input), sessionHash, lines },
        now,
      );
      const isStored = await storeTogether(db, {
        only: only(number, sql`${isFree} and ${settingsAreStill(settings)}`),
        rows: [...visa.rows, ...(beside?.rows ?? []), ...placed.rows],
      });
      if (!isStored) return null;
      const totalAmount = beside ? add(visa.amount, beside.line.amount) : visa.amount;
      return { applicationNumber: number, id: visa.id, totalAmount, order: placed.order };
    },
    random,
  );
}

async function insertAddOn(
  sealer: Sealer,
  input: VisaInput,
  orderNumber: string,
  {
    language,
    sale,
    chosenAddOn: { addOn, choice },
  }: Pick<Submission, 'language' | 'sale'> & {
    chosenAddOn: NonNullable<Submission['chosenAddOn']>;
  },
) {
  const { startsOn: arrivalDate } = personOf(input);
  const taken = { traveller: travellerOf(input), arrivalDate, choice, orderNumber };
  const added = await addOn.add(sale, sealer, taken, language);
  if (!added.ok) throw new Error(`The add-on is refused: ${added.error}`);
  return added.value;
}
