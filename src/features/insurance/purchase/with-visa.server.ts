import { randomBytes, randomUUID } from 'node:crypto';
import type { PlainDate } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { makeNumber, prefixes } from '~/features/application/number.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { NewRow } from '~/platform/postgres/store-together.server.ts';
import { planNamed } from '../rules/plans.ts';
import type { OnSale } from '../store/on-sale.server.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import { newInsurance, type Submission } from './submit.server.ts';
import { isMinor, lastInsuredDay } from '../rules/trip.ts';

export type InsuranceAddOn = {
  applicationNumber: string;
  id: string;
  line: NewLine;
  rows: NewRow[];
};

/**
 * The insurance beside an e-visa in one order, to be stored with both: an application of its own and its order line.
 * Person and first day are the visa's; the trip lasts as long as the plan.
 */
export function insuranceForVisa(
  sealer: Sealer,
  { plans, terms }: OnSale,
  {
    traveller,
    arrivalDate,
    planId,
    orderNumber,
    travellerPosition,
    hasParentId = false,
  }: {
    traveller: Traveller;
    arrivalDate: PlainDate;
    planId: string;
    /** The order that pays for both (`TRG…`). */
    orderNumber: string;
    travellerPosition?: number;
    /** Whether a parent's ID was uploaded, which a traveller under 18 needs. */
    hasParentId?: boolean;
  },
  { language, now }: Pick<Submission, 'language' | 'now'>,
): Outcome<InsuranceAddOn, 'unknown_plan' | 'minor'> {
  const plan = planNamed(plans, planId);
  if (!plan) return refused('unknown_plan');
  if (isMinor(traveller.dateOfBirth, arrivalDate) && !hasParentId) return refused('minor');
  const trip = {
    travelDate: arrivalDate,
    returnDate: lastInsuredDay(arrivalDate, plan),
  };
  // Not checked before: a number that is taken, practically impossible with 60 random bits, rolls the statement back.
  const number = makeNumber(prefixes.insurance, randomBytes(12));
  const id = randomUUID();
  const about = { id, number, orderNumber, travellerPosition, terms, language, now };
  const { line, rows } = newInsurance(sealer, { traveller, plan, trip }, about);
  return ok({ applicationNumber: number, id, line, rows });
}
