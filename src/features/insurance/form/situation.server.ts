import { allCountries } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Situation } from '../rules/answers.ts';
import { situationAt } from '../purchase/apply.server.ts';

/** What the answers on a page are judged against now; never within a transaction. */
export const situationNow = async (platform: Platform, photos: number): Promise<Situation> =>
  situationAt(platform.db, {
    now: platform.now(),
    countries: await allCountries(platform),
    photos,
  });
