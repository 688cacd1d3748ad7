import type { PlainDate } from '~/base/dates/dates.ts';
import { planFor, type Plan } from '../rules/plans.ts';
import { isMinor } from '../rules/trip.ts';

/** The plans that can be added to a visa application, and the one that covers the longest stay it allows. */
export type VisaOffer = { plans: readonly Plan[]; suggested: Plan };

/**
 * The insurance offered, not preselected, beside an e-visa; null for travellers under 18 (they need a parent's ID,
 * which the insurance page takes) and where no plan is long enough. `stayDays`: what the e-visa allows.
 */
export function insuranceOffer(
  sold: readonly Plan[],
  {
    dateOfBirth,
    arrivalDate,
    stayDays,
  }: { dateOfBirth: PlainDate; arrivalDate: PlainDate; stayDays: number },
): VisaOffer | null {
  const suggested = planFor(sold, stayDays);
  if (!suggested || isMinor(dateOfBirth, arrivalDate)) return null;
  return { plans: sold, suggested };
}
