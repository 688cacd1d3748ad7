import { isMinor, type PlainDate } from '~/base/dates/dates.ts';
import {
  placeOrder,
  type OrderedApplication,
  type PlacedOrder,
  type PlacementFacts,
} from '~/features/application/place-order.server.ts';
import { applicationById, changeApplication } from '~/features/application/store.server.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import type { NewLine } from '~/features/order/store.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { InsuranceValues } from '../rules/answers.ts';
import { planNamed, type Plan, lastInsuredDay, tripDays } from '../rules/plans.ts';
import {
  readInsuranceDetails,
  insuranceDetailsRow,
  replaceInsuranceDetails,
} from '../store/store.server.ts';
import { termsInForce } from '../store/plan-store.server.ts';
import type { Terms } from '../rules/terms.ts';

type InsuredTrip = { travelDate: PlainDate; returnDate: PlainDate };

export type InsuranceInput = { traveller: Traveller; trip: InsuredTrip; plan: Plan };

/**
 * Checked answers in the form that can be submitted.
 * @throws Error for answers with a problem.
 */
export function toInsuranceInput(values: InsuranceValues, sold: readonly Plan[]): InsuranceInput {
  const given = <Q extends keyof InsuranceValues>(question: Q): NonNullable<InsuranceValues[Q]> => {
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

/**
 * An insurance to be ordered, at the plan's price. `terms`: those in force; without them no plan is on sale
 * (`plansOnSale`).
 */
export function orderedInsurance(
  sealer: Sealer,
  input: InsuranceInput,
  terms: Pick<Terms, 'version'> | null,
): OrderedApplication {
  const { plan, traveller, trip } = input;
  const { nationality, passportNumber: _, placeOfBirth: __, ...person } = traveller;
  const columns = detailColumns(input, terms);
  return {
    kind: 'insurance',
    person: { ...person, countryCode: nationality, startsOn: trip.travelDate, service: plan.id },
    lines: [{ code: LINE_CODE, detail: plan.id, amount: plan.price }],
    details: (applicationId) => insuranceDetailsRow(sealer, { applicationId, ...columns }),
  };
}

/** Places an insurance alone, at the terms of this moment. */
export async function placeInsurance(
  db: Queryable,
  sealer: Sealer,
  input: InsuranceInput,
  placing: Omit<PlacementFacts, 'settings' | 'only'>,
): Promise<PlacedOrder> {
  const ordered = orderedInsurance(sealer, input, await termsInForce(db, placing.now));
  const placed = await placeOrder(db, [[ordered]], placing);
  if (!placed) throw new Error('The insurance was not stored');
  return placed;
}

/**
 * Replaces the answers of an unpaid insurance, at the terms of this moment and under the same number; returns the order
 * lines that pay for it. The caller holds the locks of application and order.
 */
export async function replaceAnswers(
  tx: Transaction,
  sealer: Sealer,
  applicationId: string,
  input: InsuranceInput,
  { language, now }: { language: string; now: Date },
): Promise<NewLine[]> {
  const application = await applicationById(tx, applicationId);
  const details = await readInsuranceDetails(tx, sealer, applicationId);
  if (!application || !details) throw new Error('No such insurance');
  const terms = await termsInForce(tx, now);
  const { person, lines } = orderedInsurance(sealer, input, terms);
  const { minor: amountMinor, currency } = input.plan.price;
  await changeApplication(tx, applicationId, { language, ...person, amountMinor, currency }, now);
  await replaceInsuranceDetails(tx, sealer, { ...details, ...detailColumns(input, terms) });
  return lines.map((line) => ({ ...line, applicationNumber: application.number }));
}

/**
 * The columns of an insurance application.
 * @throws Error where the plan does not cover the trip, and without terms, when no plan is on sale (`plansOnSale`).
 */
function detailColumns(
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
const LINE_CODE = 'insurance_plan';
