import { onSaleAt } from '~/features/insurance/store/on-sale.server.ts';
import { lastInsuredDay } from '~/features/insurance/rules/trip.ts';
import { insuranceForVisa } from '~/features/insurance/purchase/with-visa.server.ts';
import { changeInsuranceOfVisa } from '~/features/insurance/change-with-visa.server.ts';
import { deleteInsuranceDetails, lockInsurance } from '~/features/insurance/store/store.server.ts';
import { deleteApplications } from '~/features/application/retention/delete-expired-store.server.ts';
import { withCaseFile } from '~/features/desk/privacy/retention-jobs.server.ts';
import { insuranceOffer } from '~/features/insurance/purchase/with-visa.ts';
import type { AddOn } from '~/features/visa/purchase/add-on.server.ts';

/** Travel insurance as an add-on of an e-visa's order; neither feature imports the other. */
export const insuranceAddOn: AddOn = {
  async offer({ db, settings, now }, about) {
    const { plans: sold, terms } = await onSaleAt(db, settings, now);
    const offer = insuranceOffer(sold, about);
    if (!offer || !terms) return null;
    const { plans, suggested } = offer;
    const sorted = [suggested, ...plans.filter(({ id }) => id !== suggested.id)];
    return {
      suggested: suggested.id,
      terms: { insurer: terms.insurer, version: terms.version },
      choices: sorted.map((plan) => ({
        id: plan.id,
        name: plan.name,
        price: plan.price,
        until: lastInsuredDay(about.arrivalDate, plan),
      })),
    };
  },
  async add({ db, settings, now }, sealer, { choice, ...taken }, language) {
    const sold = await onSaleAt(db, settings, now);
    return insuranceForVisa(sealer, sold, { ...taken, planId: choice }, { language, now });
  },
  lock: lockInsurance,
  change: (tx, sealer, applicationId, { choice, ...taken }, submission) =>
    changeInsuranceOfVisa(tx, sealer, applicationId, { ...taken, planId: choice }, submission),
  async drop(tx, applicationId) {
    // Minors have no insurance beside a visa, so there is no photo of a parent's ID among its files.
    await deleteApplications(tx, [applicationId], withCaseFile(deleteInsuranceDetails));
  },
};
