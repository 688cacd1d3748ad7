import { readPhone } from '~/features/application/phone/read-phone.server.ts';
import { MOST_TRAVELLERS } from '~/features/application/travellers.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import { closuresNow } from '~/features/settings/closures.server.ts';
import { notTexts, type PlacedProblem } from '~/features/form/submit/read-call.server.ts';
import { answerNames, answersIn } from '~/features/visa/purchase/api.server.ts';
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

/** The answers of all travellers that are no texts. */
export const notTextsIn = (given: unknown): PlacedProblem[] =>
  (Array.isArray(given) ? given.slice(0, MOST_TRAVELLERS) : []).flatMap((one: unknown, index) =>
    notTexts(answerNames, asObject(one) ?? {}).map((problem) => ({
      place: `applications[${index}].${problem.field}`,
      problem,
      texts: 'visa' as const,
    })),
  );

/** Items of the wrong shape become an insurance for nobody by no plan, which `checkGroup` reports. */
export function insurancesIn(given: unknown): InsuranceAsked[] {
  const list: unknown[] = Array.isArray(given) ? given.slice(0, MOST_TRAVELLERS + 1) : [];
  return list.map((one) => {
    const read = orderedInsurance.safeParse(one);
    return read.success ? read.data : { application: -1, productId: '' };
  });
}
