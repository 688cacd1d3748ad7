import type { Language } from '~/base/languages.ts';
import { formatMoney, parseMoney, toDecimal, type Money } from '~/base/money.ts';
import { firstPlans } from '~/features/insurance/plan-store.server.ts';
import type { Change, Section, Settings } from '~/features/settings/change.ts';
import { valuesAt } from '~/features/settings/change.ts';
import { moneyValues } from '~/features/settings/money-values.server.ts';
import { firstPrices, itemsOutOfOrder, priceItems } from '~/features/visa/price-list.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { translations } from '~/platform/translations.server.ts';
import type { ChangeRow, Read, SectionForm } from './take-decision.server.ts';
import type { SettingsProblem, TypedSettings } from './when.ts';

/** Nothing that is sold here costs more; more is a typing mistake. */
const HIGHEST_MINOR = 9999_99;

/** A price that can be set. `group`: words are `settings:prices.group.<group>`. */
export type PricedItem = { item: string; label: string; group: string; first: Money };

export type PriceSection = Extract<Section, 'visa_prices' | 'plan_prices'>;

/** The prices of a section, in the order in which they are shown, cheapest first within a group. */
export async function itemsOf(
  platform: Pick<Platform, 'db'>,
  section: PriceSection,
  language: Language,
): Promise<PricedItem[]> {
  const t = translations(language).getFixedT(null, ['settings', 'visa', 'application']);
  if (section === 'plan_prices') {
    const plans = await firstPlans(platform.db);
    return plans.map(({ id, name, price }) => ({
      item: id,
      label: t(`application:service.${id}`, { defaultValue: name }),
      group: 'plans',
      first: price,
    }));
  }
  return priceItems.flatMap((item) => {
    const first = firstPrices[item];
    const [group = '', speed] = item.split('.');
    const label = speed ? t(`visa:speed.${speed}`) : t('settings:prices.evisaFee');
    return first ? [{ item, label, group, first }] : [];
  });
}

/** What each item costs at a moment. */
export function pricesAt(
  items: readonly PricedItem[],
  settings: Settings,
  section: PriceSection,
  at: Date,
): Readonly<Record<string, Money>> {
  const set = moneyValues(valuesAt(settings, section, at));
  return Object.fromEntries(items.map(({ item, first }) => [item, set[item] ?? first]));
}

/** Dearer is faster, and longer cover is dearer: else somebody would pay more for less. */
function outOfOrder(
  section: PriceSection,
  items: readonly PricedItem[],
  prices: Readonly<Record<string, Money>>,
) {
  if (section === 'visa_prices') return itemsOutOfOrder(prices);
  return items.flatMap(({ item, first }, index) => {
    const shorter = items[index - 1];
    if (!shorter) return [];
    const price = (prices[item] ?? first).minor;
    return price > (prices[shorter.item] ?? shorter.first).minor ? [] : [item];
  });
}

export function pricesForm(
  items: readonly PricedItem[],
  section: PriceSection,
  page: string,
  language: Language,
): SectionForm {
  const money = (price: Money | undefined) => (price ? formatMoney(price, language) : null);
  const label = (item: string) => items.find((one) => one.item === item)?.label ?? item;

  function read(typed: TypedSettings, settings: Settings, at: Date): Read {
    const problems: SettingsProblem[] = [];
    const changed: Record<string, Money> = {};
    const then = pricesAt(items, settings, section, at);
    for (const { item } of items) {
      const text = (typed[item] ?? '').trim().replace(/^\$/, '').replace(',', '.');
      const price = parseMoney(text);
      if (!price || price.minor === 0) problems.push({ field: item, code: 'price_unreal' });
      else if (price.minor > HIGHEST_MINOR) problems.push({ field: item, code: 'price_high' });
      // What was left as the page showed it is not decided, whatever will be so by then.
      else if (toDecimal(price) !== typed[`was-${item}`] && price.minor !== then[item]?.minor) {
        changed[item] = price;
      }
    }
    if (problems.length === 0) {
      for (const item of outOfOrder(section, items, { ...then, ...changed })) {
        problems.push({
          field: item,
          code: section === 'visa_prices' ? 'not_dearer' : 'plan_not_dearer',
        });
      }
    }
    return { values: changed, problems };
  }

  function rows(values: Read['values'], settings: Settings, at: Date): ChangeRow[] {
    const then = pricesAt(items, settings, section, at);
    return Object.entries(moneyValues(values)).map(([item, price]) => ({
      label: label(item),
      before: money(then[item]),
      after: money(price),
    }));
  }

  return {
    section,
    page,
    read,
    rows,
    fits: (values) => outOfOrder(section, items, moneyValues(values)).length === 0,
  };
}

/** "Fast: $80.00", item by item. */
export const priceLines =
  (items: readonly PricedItem[], language: Language) => (change: Change) => {
    const prices = moneyValues(change.values);
    return items.flatMap(({ item, label }) => {
      const price = prices[item];
      return price ? [`${label}: ${formatMoney(price, language)}`] : [];
    });
  };
