import type { OrderedTraveller, PlacedOrder } from '~/features/application/place-order.server.ts';
import type { OnSale } from '~/features/insurance/store/plan-store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { inputOf, orderedBeside } from '~/features/visa/purchase/submit.server.ts';
import { visaPricesAt } from '~/features/visa/store/prices.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { isInsuredChild, type CheckedGroup, type CheckedTraveller } from './check-group.ts';

/** What checked travellers order, at the prices of these settings and with the plans and terms sold then. */
export function orderedGroup(
  sealer: Sealer,
  travellers: readonly CheckedTraveller[],
  { settings, sold: { terms }, now }: { settings: Settings; sold: OnSale; now: Date },
): OrderedTraveller[] {
  const about = { prices: visaPricesAt(settings, now), terms };
  return travellers.map(({ values, checkContext, zone, plan }) =>
    orderedBeside(sealer, inputOf(values, checkContext, zone), plan, about),
  );
}

/** The ids of the insurances of children, in the order of travellers. */
export const childrenInsurances = (
  { travellers }: Pick<CheckedGroup, 'travellers'>,
  { applications }: Pick<PlacedOrder, 'applications'>,
): string[] =>
  applications.flatMap(({ id, kind, travellerPosition }) => {
    const traveller = travellers[travellerPosition - 1];
    return kind === 'insurance' && traveller && isInsuredChild(traveller) ? [id] : [];
  });
