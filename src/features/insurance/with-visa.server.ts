import type { PlainDate } from '~/base/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { NewLine } from '~/features/order/store.server.ts';
import type { Transaction } from '~/platform/database.server.ts';
import type { Sealer } from '~/platform/seal.server.ts';
import { DEFAULT_DESTINATION } from './answers.ts';
import { plansOnSale } from './plan-store.server.ts';
import { planNamed } from './plans.ts';
import { insertInsurance, type Submission, type Traveller } from './submit.server.ts';
import { isMinor, lastInsuredDay } from './trip.ts';

export type TakenAlong = { applicationNumber: string; id: string; line: NewLine };

/**
 * The insurance that an order takes along beside an e-visa, within the transaction that stores both: an application of its
 * own and the line that pays for it. The person and the first day are the visa's; the trip lasts as long as the plan.
 */
export async function insuranceForVisa(
  tx: Transaction,
  sealer: Sealer,
  {
    traveller,
    arrivalDate,
    planId,
    orderNumber,
  }: {
    traveller: Traveller;
    arrivalDate: PlainDate;
    planId: string;
    /** Of the order that pays for both (`TRG…`). */
    orderNumber: string;
  },
  submission: Pick<Submission, 'language' | 'now' | 'random'>,
): Promise<Outcome<TakenAlong, 'unknown_plan' | 'minor'>> {
  const plan = planNamed(await plansOnSale(tx, submission.now), planId);
  if (!plan) return refused('unknown_plan');
  if (isMinor(traveller.dateOfBirth, arrivalDate)) return refused('minor');
  const trip = {
    travelDate: arrivalDate,
    returnDate: lastInsuredDay(arrivalDate, plan),
    destination: DEFAULT_DESTINATION,
  };
  const input = { traveller, plan, trip };
  return ok(await insertInsurance(tx, sealer, input, { ...submission, orderNumber }));
}
