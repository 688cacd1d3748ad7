import type { PlainDate } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { replaceAnswers } from './purchase/replace-answers.server.ts';
import { plansOnSale } from './store/plan-store.server.ts';
import { planNamed } from './rules/plans.ts';
import type { Traveller } from '~/features/application/travellers.ts';
import { isMinor, lastInsuredDay } from './rules/trip.ts';

/**
 * Changes the insurance beside an e-visa before payment: person, first day and plan become what is asked for now, at
 * the price and terms of this moment, under the same number. The caller holds the locks of application and order.
 */
export async function changeInsuranceOfVisa(
  tx: Transaction,
  sealer: Sealer,
  applicationId: string,
  {
    traveller,
    arrivalDate,
    planId,
  }: { traveller: Traveller; arrivalDate: PlainDate; planId: string },
  { language, now }: { language: string; now: Date },
): Promise<Outcome<{ line: NewLine }, 'unknown_plan' | 'minor'>> {
  const plan = planNamed(await plansOnSale(tx, now), planId);
  if (!plan) return refused('unknown_plan');
  if (isMinor(traveller.dateOfBirth, arrivalDate)) return refused('minor');
  const trip = {
    travelDate: arrivalDate,
    returnDate: lastInsuredDay(arrivalDate, plan),
  };
  const input = { traveller, plan, trip };
  return ok({ line: await replaceAnswers(tx, sealer, applicationId, input, { language, now }) });
}
