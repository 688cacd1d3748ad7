import { readPhone } from '~/features/application/phone/read-phone.server.ts';
import { MOST_TRAVELLERS } from '~/features/application/travellers.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import { closuresNow } from '~/features/settings/closures.server.ts';
import { answersIn } from '~/features/visa/purchase/api.server.ts';
import { asObject } from '~/platform/input/read-json.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { orderedInsurance } from './api-shapes.ts';
import type { InsuranceAsked, TravellerAsked } from './check-group.ts';

/** Reads one traveller more than allowed, so that `checkGroup` reports too many. */
export async function travellersIn(platform: Platform, given: unknown): Promise<TravellerAsked[]> {
  const list: unknown[] = Array.isArray(given) ? given.slice(0, MOST_TRAVELLERS + 1) : [];
  const now = platform.now();
  const closures = await closuresNow(platform);
  return Promise.all(
    list.map(async (one): Promise<TravellerAsked> => {
      const fields = asObject(one) ?? {};
      const code = typeof fields.countryId === 'string' ? fields.countryId.trim() : '';
      const country = (await countryByCode(platform, code)) ?? null;
      return {
        answers: answersIn(fields, country),
        checkContext: { now, country, closures, readPhone },
      };
    }),
  );
}

/** Items of the wrong shape become an insurance for nobody by no plan, which `checkGroup` reports. */
export function insurancesIn(given: unknown): InsuranceAsked[] {
  const list: unknown[] = Array.isArray(given) ? given.slice(0, MOST_TRAVELLERS + 1) : [];
  return list.map((one) => {
    const read = orderedInsurance.safeParse(one);
    return read.success ? read.data : { application: -1, productId: '' };
  });
}
