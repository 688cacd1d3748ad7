import type { PlainDate } from '~/base/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { applicationById, changeApplication } from '~/features/application/store.server.ts';
import type { NewLine } from '~/features/order/store.server.ts';
import type { Transaction } from '~/platform/database.server.ts';
import type { Sealer } from '~/platform/seal.server.ts';
import { plansOnSale } from './plan-store.server.ts';
import { planNamed } from './plans.ts';
import { insuranceDetailsOf, replaceInsuranceDetails } from './store.server.ts';
import { LINE_CODE, type Traveller } from './submit.server.ts';
import { termsInForce } from './terms-store.server.ts';
import { isMinor, lastInsuredDay, tripDays } from './trip.ts';

/**
 * The insurance beside an e-visa that its payer changes before paying: person, first day and plan become what is asked for
 * now, at this moment's price and terms, under the same number. The caller holds application and order.
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
  const application = await applicationById(tx, applicationId);
  const details = await insuranceDetailsOf(tx, sealer, applicationId);
  if (!application || !details) throw new Error('No such insurance');
  const terms = await termsInForce(tx, now);
  // The plans would not be on sale; see `plansOnSale`.
  if (!terms) throw new Error('No insurance terms are in force');
  const returnDate = lastInsuredDay(arrivalDate, plan);
  const { nationality, travelDocument, passportNumber, placeOfBirth, ...person } = traveller;
  await changeApplication(
    tx,
    applicationId,
    {
      ...person,
      language,
      countryCode: nationality,
      travelDocument,
      startsOn: arrivalDate,
      service: plan.id,
      amountMinor: plan.price.minor,
      currency: plan.price.currency,
    },
    now,
  );
  await replaceInsuranceDetails(tx, sealer, {
    ...details,
    passportNumber,
    placeOfBirth,
    returnDate,
    tripDays: tripDays(arrivalDate, returnDate) ?? plan.days,
    planDays: plan.days,
    coverUntil: returnDate,
    isMinor: false,
    termsVersion: terms.version,
  });
  const { number } = application;
  return ok({
    line: { applicationNumber: number, code: LINE_CODE, detail: plan.id, amount: plan.price },
  });
}
