import { applicationById, changeApplication } from '~/features/application/store.server.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { insuranceDetailsOf, replaceInsuranceDetails } from '../store/store.server.ts';
import { LINE_CODE, type InsuranceInput } from './submit.server.ts';
import { termsInForce } from '../store/terms-store.server.ts';
import { isMinor, lastInsuredDay, tripDays } from '../rules/trip.ts';

/**
 * Replaces the answers of an unpaid insurance, at the terms of this moment and under the same number; returns the order
 * line that pays for it. The caller holds the locks of application and order.
 */
export async function replaceAnswers(
  tx: Transaction,
  sealer: Sealer,
  applicationId: string,
  { plan, traveller, trip }: InsuranceInput,
  { language, now }: { language: string; now: Date },
): Promise<NewLine> {
  const days = tripDays(trip.travelDate, trip.returnDate);
  if (days === null || days > plan.days) throw new Error('The plan does not cover the trip');
  const application = await applicationById(tx, applicationId);
  const details = await insuranceDetailsOf(tx, sealer, applicationId);
  if (!application || !details) throw new Error('No such insurance');
  const terms = await termsInForce(tx, now);
  // No plan would be on sale; see `plansOnSale`.
  if (!terms) throw new Error('No insurance terms are in force');
  const { nationality, travelDocument, passportNumber, placeOfBirth, ...person } = traveller;
  await changeApplication(
    tx,
    applicationId,
    {
      ...person,
      language,
      countryCode: nationality,
      travelDocument,
      startsOn: trip.travelDate,
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
    destination: trip.destination,
    returnDate: trip.returnDate,
    tripDays: days,
    planDays: plan.days,
    coverUntil: lastInsuredDay(trip.travelDate, plan),
    isMinor: isMinor(traveller.dateOfBirth, trip.travelDate),
    termsVersion: terms.version,
  });
  const { number } = application;
  return { applicationNumber: number, code: LINE_CODE, detail: plan.id, amount: plan.price };
}
