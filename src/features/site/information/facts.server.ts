import { currentSettings } from '~/features/settings/store.server.ts';
import { retentionAt } from '../retention.server.ts';
import { officeAt } from '~/features/settings/office.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import type { Language } from '~/base/languages.ts';
import { oncePerLanguage } from '~/base/once-per-language.ts';
import { countryOptions } from '~/features/catalog/names.server.ts';
import { noteFor } from '~/features/catalog/notes.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { allCountries, countryIn } from '~/features/catalog/store.server.ts';
import { plansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import { plans as firstPlans, type Plan } from '~/features/insurance/rules/plans.ts';
import { visaPrices } from '~/features/visa/store/prices.server.ts';
import { waysToPay } from '~/features/order/fallback-provider.ts';
import type { Providers } from '~/features/payment/provider.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { EligibleCountry } from './countries-figure.tsx';
import type { Facts } from './values.server.ts';

/** Configuration, countries and plans at present. */
export async function currentFacts(
  platform: Platform,
  providers: Providers,
): Promise<Facts & { sold: readonly Plan[] }> {
  const [countries, plans, prices, operator, settings] = await Promise.all([
    allCountries(platform),
    currentPlans(platform),
    visaPrices(platform),
    operatorNow(platform),
    currentSettings(platform.db),
  ]);
  const retention = retentionAt(settings, platform.now());
  const onSale = plans.length > 0 ? plans : firstPlans;
  const ways = waysToPay(providers);
  const office = officeAt(settings, platform.now());
  return {
    operator,
    countries,
    plans: onSale,
    sold: plans,
    prices,
    office,
    retention,
    waysToPay: ways,
  };
}

/** The plans on sale, shortest first; empty while insurance is not sold. */
export async function currentPlans({ db, now }: Platform): Promise<readonly Plan[]> {
  return plansOnSale(db, now());
}

/** Nationalities with an e-visa, named and sorted as readers of the language expect. */
export const eligibleCountries = oncePerLanguage(
  (countries: readonly Country[], language: Language): readonly EligibleCountry[] =>
    countryOptions(countries, language).flatMap(({ id, name }): EligibleCountry[] => {
      const country = countryIn(countries, id);
      if (!country) return [];
      const { code, regime, maxStayDays, entries } = country;
      if (maxStayDays === null || entries === null) return [];
      const path = regime === 'evisa' ? 'without_document' : 'with_document';
      return [{ code, name, path, stayDays: maxStayDays, entries, note: noteFor(country) }];
    }),
);
