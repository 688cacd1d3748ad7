import { randomUUID } from 'node:crypto';
import type { PlainDate } from '~/base/dates/dates.ts';
import type { Money } from '~/base/money.ts';
import { withNewNumber, type RandomSource } from '~/features/application/new-number.server.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import { applicationRows } from '~/features/application/store.server.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import { newOrder } from '~/features/order/new-order-store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import {
  onlyWhere,
  storeTogether,
  type NewRow,
} from '~/platform/postgres/store-together.server.ts';
import type { Values } from '../rules/answers.ts';
import { planNamed, type Plan } from '../rules/plans.ts';
import { insuranceDetailsRow } from '../store/store.server.ts';
import { termsInForce } from '../store/terms-store.server.ts';
import type { Terms } from '../rules/terms.ts';
import { isMinor, lastInsuredDay, tripDays } from '../rules/trip.ts';
import { fullName } from '~/features/application/full-name.ts';

export type Trip = { travelDate: PlainDate; returnDate: PlainDate };

export type InsuranceInput = { traveller: Traveller; trip: Trip; plan: Plan };

export type Submission = {
  language: string;
  /** The browser's, so that a payment call without a reference finds its order. */
  sessionHash: Buffer | null;
  now: Date;
  random?: RandomSource;
};

export type Submitted = {
  applicationNumber: string;
  id: string;
  totalAmount: Money;
  /** An order of one application has that application's number. */
  orderReference: string;
};

/**
 * Checked answers in the form that can be submitted.
 * @throws Error for answers with a problem.
 */
export function inputOf(values: Values, sold: readonly Plan[]): InsuranceInput {
  const given = <Q extends keyof Values>(question: Q): NonNullable<Values[Q]> => {
    const value = values[question];
    if (value === undefined) throw new Error(`${question} is missing`);
    return value;
  };
  const plan = planNamed(sold, given('productId'));
  if (!plan) throw new Error('No such plan');
  return {
    plan,
    traveller: {
      firstName: given('firstName'),
      lastName: given('lastName'),
      email: given('email'),
      phone: given('phone'),
      dateOfBirth: given('dateOfBirth'),
      nationality: given('nationality'),
      travelDocument: values.documentType ?? 'ordinary',
      passportNumber: given('passportNumber'),
      placeOfBirth: values.placeOfBirth ?? null,
    },
    trip: {
      travelDate: given('travelDate'),
      returnDate: given('returnDate'),
    },
  };
}

/** Stores an insurance application and its order, at the plan's price. */
export async function submitInsurance(
  db: Queryable,
  sealer: Sealer,
  input: InsuranceInput,
  { language, sessionHash, now, random }: Submission,
): Promise<Submitted> {
  const { plan, traveller } = input;
  const terms = await termsInForce(db, now);
  const customer = { name: fullName(traveller), email: traveller.email };
  const id = randomUUID();
  const number = await withNewNumber(
    db,
    'insurance',
    async (number, isFree) => {
      const about = { id, number, orderNumber: number, terms, language, now };
      const made = newInsurance(sealer, input, about);
      const { rows } = newOrder(
        { number, language, customer, sessionHash, lines: [made.line] },
        now,
      );
      const together = { only: onlyWhere(isFree), rows: [...made.rows, ...rows] };
      return (await storeTogether(db, together)) ? number : null;
    },
    random,
  );
  if (number === null) throw new Error('The insurance was not stored');
  return { applicationNumber: number, id, totalAmount: plan.price, orderReference: number };
}

/**
 * A new insurance application without an order, and its order line. `terms`: those in force; without them no plan is on
 * sale (`plansOnSale`).
 */
export function newInsurance(
  sealer: Sealer,
  { plan, traveller, trip }: InsuranceInput,
  {
    id,
    number,
    orderNumber,
    travellerPosition = 1,
    terms,
    language,
    now,
  }: Pick<Submission, 'language' | 'now'> & {
    id: string;
    number: string;
    orderNumber: string;
    /** Which traveller of the order, from 1. */
    travellerPosition?: number;
    terms: Pick<Terms, 'version'> | null;
  },
): { line: NewLine; rows: NewRow[] } {
  const columns = detailColumns({ plan, traveller, trip }, terms);
  const rows = applicationRows({
    id,
    kind: 'insurance',
    number,
    language,
    ...applicationColumns({ plan, traveller, trip }),
    orderNumber,
    travellerPosition,
    createdAt: now,
  });
  const details = insuranceDetailsRow(sealer, { applicationId: id, ...columns });
  const line = { applicationNumber: number, code: LINE_CODE, detail: plan.id, amount: plan.price };
  return { line, rows: [...rows, details] };
}

/** The columns that every application has. */
export const applicationColumns = ({ plan, traveller, trip }: InsuranceInput) => ({
  firstName: traveller.firstName,
  lastName: traveller.lastName,
  email: traveller.email,
  phone: traveller.phone,
  dateOfBirth: traveller.dateOfBirth,
  countryCode: traveller.nationality,
  travelDocument: traveller.travelDocument,
  startsOn: trip.travelDate,
  service: plan.id,
  amountMinor: plan.price.minor,
  currency: plan.price.currency,
});

/**
 * The columns of an insurance application.
 * @throws Error where the plan does not cover the trip, and without terms, when no plan is on sale (`plansOnSale`).
 */
export function detailColumns(
  { plan, traveller, trip }: InsuranceInput,
  terms: Pick<Terms, 'version'> | null,
) {
  const days = tripDays(trip.travelDate, trip.returnDate);
  if (days === null || days > plan.days) throw new Error('The plan does not cover the trip');
  if (!terms) throw new Error('No insurance terms are in force');
  return {
    passportNumber: traveller.passportNumber,
    placeOfBirth: traveller.placeOfBirth,
    returnDate: trip.returnDate,
    tripDays: days,
    planDays: plan.days,
    coverUntil: lastInsuredDay(trip.travelDate, plan),
    isMinor: isMinor(traveller.dateOfBirth, trip.travelDate),
    termsVersion: terms.version,
  };
}

/** The code of an order line for insurance; its detail is the plan. Texts: `application:line.insurance_plan`. */
export const LINE_CODE = 'insurance_plan';
