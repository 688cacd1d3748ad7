import { randomBytes, randomUUID } from 'node:crypto';
import { add, type Money } from '~/base/money.ts';
import { withNewNumber, type RandomSource } from '~/features/application/new-number.server.ts';
import { makeNumber, prefixes } from '~/features/application/number.ts';
import { insertApplication } from '~/features/application/store.server.ts';
import { insertOrder, type NewLine } from '~/features/order/store.server.ts';
import { type Transaction } from '~/platform/database.server.ts';
import type { Sealer } from '~/platform/seal.server.ts';
import { pathOf, type CountryTerms, type Situation, type Values } from './answers.ts';
import type { Extra, Traveller } from './extra.server.ts';
import { quote, type PriceList } from './price-list.ts';
import { type Path } from './speeds.ts';
import { insertVisaDetails, type VisaDetails } from './store.server.ts';

/** All answers of one traveller, valid: what `check` leaves when it finds nothing. */
export type VisaInput = {
  path: Path;
  country: CountryTerms & { maxStayDays: number; entries: 'single' | 'multiple' };
  values: Values;
};

export type Submission = {
  language: string;
  /** Of the browser, so that a payment call without a reference finds its order. */
  sessionHash: Buffer | null;
  now: Date;
  /** Of this moment, as this transaction sees them. */
  prices: PriceList;
  /** Source of application numbers; tests bring their own. */
  random?: RandomSource;
  /** What the order takes along: a choice that was offered. */
  along?: { extra: Extra; choice: string } | null;
};

export type Submitted = {
  applicationNumber: string;
  id: string;
  totalAmount: Money;
  /** The order of one application bears that application's number, one of several a number of its own. */
  orderReference: string;
};

/** The checked answers as what can be submitted. Throws for answers in which `check` found a problem. */
export function inputOf(values: Values, { country }: Pick<Situation, 'country'>): VisaInput {
  const path = pathOf(country);
  if (!path || !country?.maxStayDays || !country.entries) throw new Error('No e-visa to submit');
  const { code, regime, maxStayDays, entries } = country;
  return { path, country: { code, regime, maxStayDays, entries }, values };
}

/** The answers by name. Throws for one that `check` would have asked for. */
export const givenIn =
  (values: Values) =>
  <F extends keyof Values>(field: F): NonNullable<Values[F]> => {
    const value = values[field];
    if (value === undefined) throw new Error(`${field} is missing`);
    return value;
  };

/** What every application has, of these answers. */
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

/** What a visa application has beside that. */
export function detailsOf({ values, country }: VisaInput, applicationId: string): VisaDetails {
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
    stayDays: country.maxStayDays,
    entries: country.entries,
  };
}

/** The person, for what the order takes along. */
export function travellerOf({ values, country }: VisaInput): Traveller {
  const given = givenIn(values);
  return {
    firstName: given('firstName'),
    lastName: given('lastName'),
    email: given('email'),
    phone: given('phone'),
    dateOfBirth: given('dateOfBirth'),
    nationality: country.code,
    travelDocument: given('documentType'),
    passportNumber: given('passportNumber'),
    placeOfBirth: given('placeOfBirth'),
  };
}

/** What the order charges for the visa. */
export function visaLines(
  { path, values }: VisaInput,
  prices: PriceList,
  number: string,
): NewLine[] {
  const processingType = givenIn(values)('processingType');
  return quote(prices, path, processingType).lines.map(({ code, amount }) => ({
    applicationNumber: number,
    code,
    detail: code === 'processing_fee' ? processingType : null,
    amount,
  }));
}

/**
 * Stores an application, what is taken along, and the order that pays for both. The prices are those of this moment.
 * Throws, so that nothing is stored, when what is taken along was not on offer.
 */
export async function submit(
  tx: Transaction,
  sealer: Sealer,
  input: VisaInput,
  { language, sessionHash, now, prices, random, along }: Submission,
): Promise<Submitted> {
  const { total: visaTotal } = quote(prices, input.path, givenIn(input.values)('processingType'));
  const person = personOf(input);
  const id = randomUUID();
  // A number that is taken, which 60 random bits rule out, would undo the transaction.
  const groupNumber = along ? makeNumber(prefixes.group, randomBytes(12)) : null;

  const number = await withNewNumber(
    tx,
    'visa',
    (savepoint, number) =>
      insertApplication(savepoint, {
        id,
        kind: 'visa',
        number,
        language,
        ...person,
        orderNumber: groupNumber ?? number,
        amountMinor: visaTotal.minor,
        currency: visaTotal.currency,
        createdAt: now,
      }),
    random,
  );
  await insertVisaDetails(tx, sealer, detailsOf(input, id));
  const alongLines: NewLine[] = [];
  if (along && groupNumber) {
    const added = await along.extra.add(
      tx,
      sealer,
      {
        traveller: travellerOf(input),
        arrivalDate: person.startsOn,
        choice: along.choice,
        orderNumber: groupNumber,
      },
      { language, now },
    );
    if (!added.ok) throw new Error(`Not to be taken along: ${added.error}`);
    alongLines.push(added.value.line);
  }
  await insertOrder(
    tx,
    {
      number: groupNumber ?? number,
      language,
      customer: { name: `${person.firstName} ${person.lastName}`, email: person.email },
      sessionHash,
      lines: [...visaLines(input, prices, number), ...alongLines],
    },
    now,
  );
  const total = add(visaTotal, ...alongLines.map(({ amount }) => amount));
  return {
    applicationNumber: number,
    id,
    totalAmount: total,
    orderReference: groupNumber ?? number,
  };
}
