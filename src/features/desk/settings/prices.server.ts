import type { Language } from '~/base/languages.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { formatMoney, parseMoney, toDecimal, usd, type Money } from '~/base/money.ts';
import { firstPlans } from '~/features/insurance/store/plan-store.server.ts';
import { readPlanValues, saleSubject } from '~/features/insurance/store/plan-values.server.ts';
import { type Change, type Section, type Settings, valuesAt } from '~/features/settings/change.ts';
import { FIRST_EVISA_FEE, itemsOutOfOrder, speedItem } from '~/features/visa/rules/price-list.ts';
import { paths, speedsFor } from '~/features/visa/rules/speeds.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { Read, SectionForm } from './handle-decision-submit.server.ts';
import {
  type ChangeRow,
  type SettingsProblem,
  type TypedSettings,
  saleField,
} from './typed-settings.ts';

/** Highest price accepted, in cents; above it is a typing mistake. */
const HIGHEST_MINOR = 9999_99;

/**
 * A price that can be set. `group`: texts are `settings:prices.group.<group>`. `label` names it within its group,
 * `name` alone: both paths have a "Standard".
 */
export type PricedItem = {
  item: string;
  label: string;
  name: string;
  group: CodeIn<'settings', 'prices.group'>;
  first: Money;
  /** Whether it can be taken off sale. */
  canRest: boolean;
};

export type PriceSection = Extract<Section, 'visa_prices' | 'plan_prices'>;

/** The price of an item at a moment, and whether it is sold. */
export type Offered = { price: Money; isOnSale: boolean };

/** The prices of a section in display order, cheapest first within a group. */
export async function itemsOf(
  platform: Pick<Platform, 'db'>,
  section: PriceSection,
  language: Language,
): Promise<PricedItem[]> {
  const t = textsIn(language, 'settings');
  if (section === 'plan_prices') {
    const plans = await firstPlans(platform.db);
    return plans.map(({ id, price }) => {
      const label = t(`application:service.${id}.name`);
      return { item: id, label, name: label, group: 'plans', first: price, canRest: true };
    });
  }
  const fee = t('prices.evisaFee');
  return [
    {
      item: 'evisa_fee',
      label: fee,
      name: fee,
      group: 'evisa_fee',
      first: FIRST_EVISA_FEE,
      canRest: false,
    },
    ...paths.flatMap((path) =>
      speedsFor(path).map(({ processingType, firstPrice }): PricedItem => {
        const label = t(`application:service.${processingType}.name`);
        return {
          item: speedItem(path, processingType),
          label,
          name: t(`prices.named.${path}`, { speed: label }),
          group: path,
          first: firstPrice,
          canRest: false,
        };
      }),
    ),
  ];
}

type Values = Readonly<Record<string, unknown>>;

/** Each item by the decisions in force, or its first price where there are none. */
function offersIn(items: readonly PricedItem[], values: Values): Readonly<Record<string, Offered>> {
  const { prices, sale } = readPlanValues(values);
  return Object.fromEntries(
    items.map(({ item, first }) => [
      item,
      { price: prices[item] ?? first, isOnSale: sale[item] !== false },
    ]),
  );
}

/** Each item at a moment. */
export const offersAt = (
  items: readonly PricedItem[],
  settings: Settings,
  section: PriceSection,
  at: Date,
) => offersIn(items, valuesAt(settings, section, at));

/**
 * Where a section is inconsistent. Faster must cost more, and longer cover must cost more, among what is sold:
 * otherwise somebody would pay more for less. And something must be sold.
 */
function problemsIn(
  section: PriceSection,
  items: readonly PricedItem[],
  values: Values,
): SettingsProblem[] {
  const offers = offersIn(items, values);
  if (section === 'visa_prices') {
    const prices = Object.entries(offers).map(([item, { price }]) => [item, price] as const);
    return itemsOutOfOrder(Object.fromEntries(prices)).map((field) => ({
      field,
      code: 'not_dearer',
    }));
  }
  const sold = items.filter(({ item }) => offers[item]?.isOnSale);
  const [first] = items;
  if (sold.length === 0 && first) return [{ field: saleField(first.item), code: 'none_on_sale' }];
  const minor = (item: string | undefined) => (item && offers[item]?.price.minor) || 0;
  return sold.flatMap(({ item }, index) =>
    minor(item) > minor(sold[index - 1]?.item) ? [] : [{ field: item, code: 'plan_not_dearer' }],
  );
}

export function pricesForm(
  items: readonly PricedItem[],
  section: PriceSection,
  page: string,
  language: Language,
): SectionForm {
  const t = textsIn(language, 'settings');

  function read(typed: TypedSettings, settings: Settings, at: Date): Read {
    const problems: SettingsProblem[] = [];
    const changed: Record<string, Money | boolean> = {};
    const then = offersAt(items, settings, section, at);
    // Values left as the page showed them are not part of the decision.
    const isLeft = (field: string, value: string) => value === typed[`was-${field}`];
    for (const { item, canRest } of items) {
      const text = (typed[item] ?? '').trim().replace(/^\$/, '').replace(',', '.');
      const price = parseMoney(text);
      if (!price || price.minor === 0) problems.push({ field: item, code: 'price_unreal' });
      else if (price.minor > HIGHEST_MINOR) {
        const most = formatMoney(usd(HIGHEST_MINOR + 1), language);
        problems.push({ field: item, code: 'price_high', values: { most } });
      } else if (!isLeft(item, toDecimal(price)) && price.minor !== then[item]?.price.minor) {
        changed[item] = price;
      }
      const sale = typed[saleField(item)] ?? '';
      if (!canRest || !['yes', 'no'].includes(sale) || isLeft(saleField(item), sale)) continue;
      const isOnSale = sale === 'yes';
      if (isOnSale !== then[item]?.isOnSale) changed[saleSubject(item)] = isOnSale;
    }
    if (problems.length === 0) {
      const values = { ...valuesAt(settings, section, at), ...changed };
      problems.push(...problemsIn(section, items, values));
    }
    return { values: changed, problems };
  }

  function rows(values: Read['values'], settings: Settings, at: Date): ChangeRow[] {
    const then = offersAt(items, settings, section, at);
    const { prices, sale } = readPlanValues(values);
    const words = (isOnSale: boolean | undefined) =>
      t(`prices.sale.${isOnSale === false ? 'no' : 'yes'}`);
    return items.flatMap(({ item, name }) => {
      const [price, isOnSale, before] = [prices[item], sale[item], then[item]];
      const priced: ChangeRow | null = price
        ? {
            label: name,
            before: before ? formatMoney(before.price, language) : null,
            after: formatMoney(price, language),
          }
        : null;
      const sold: ChangeRow | null =
        isOnSale === undefined
          ? null
          : {
              label: t('prices.saleOf', { label: name }),
              before: words(before?.isOnSale),
              after: words(isOnSale),
            };
      return [priced, sold].filter((row) => row !== null);
    });
  }

  return {
    section,
    page,
    read,
    rows,
    fits: (values) => problemsIn(section, items, values).length === 0,
  };
}

/** "Fast, no supporting document: $80.00" and "7 days: not on sale", item by item. */
export const priceLines =
  (items: readonly PricedItem[], language: Language) =>
  (change: Change): string[] => {
    const t = textsIn(language, 'settings');
    const { prices, sale } = readPlanValues(change.values);
    return items.flatMap(({ item, name }) => {
      const [price, isOnSale] = [prices[item], sale[item]];
      return [
        ...(price ? [`${name}: ${formatMoney(price, language)}`] : []),
        ...(isOnSale === undefined
          ? []
          : [`${name}: ${t(`prices.sale.${isOnSale ? 'yes' : 'no'}`)}`]),
      ];
    });
  };
