import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  decideEach,
  makeSetting,
  type OpeningSection,
  type OpenSection,
  type SettingsProblem,
  type Setting,
  type SettingValues,
} from './section.server.ts';
import { formatMoney, parseMoney, toDecimal, usd, type Money } from '~/base/money.ts';
import {
  firstPlans,
  readPlanValues,
  saleSubject,
} from '~/features/insurance/store/plan-store.server.ts';
import { valuesInForce } from '~/features/settings/change.ts';
import { moneyValues } from '~/features/settings/price-values.server.ts';
import { FIRST_EVISA_FEE, misorderedItems, speedItem } from '~/features/visa/rules/price-list.ts';
import { paths, speedsByPath } from '~/features/visa/rules/speeds.ts';

/** Highest price accepted, in cents; above it is a typing mistake. */
const MAX_PRICE_MINOR = 9999_99;

/** A price that can be set. `label` names it within its group, `name` alone: both paths have a "Standard". */
type PricedItem = { item: string; label: string; name?: string; first: Money };

function priceSetting(
  { item, label, name = label, first }: PricedItem,
  section: 'visa_prices' | 'plan_prices',
  language: OpeningSection['language'],
): Setting {
  const t = makeTranslate(language, 'settings');
  return makeSetting<Money>({
    name,
    subject: item,
    control: {
      kind: 'text',
      name: item,
      label: t('prices.inDollars', { label }),
      inputMode: 'decimal',
      latin: true,
      maxLength: 12,
      width: 'short',
    },
    at: (decided, moment) =>
      readPlanValues(valuesInForce(decided, section, moment)).prices[item] ?? first,
    stored: (value) => moneyValues({ [item]: value })[item] ?? first,
    read(text) {
      const value = parseMoney(text.replace(/^\$/, '').replace(',', '.'));
      if (!value || value.minor === 0) return { code: 'price_unreal' };
      if (value.minor <= MAX_PRICE_MINOR) return { value };
      return {
        code: 'price_high',
        values: { most: formatMoney(usd(MAX_PRICE_MINOR + 1), language) },
      };
    },
    write: toDecimal,
    words: (price) => formatMoney(price, language),
  });
}

/** The e-visa fee and the price of each speed. Faster must cost more: otherwise somebody would pay more for less. */
export function openVisaPrices({ language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  const fee = { item: 'evisa_fee', label: t('prices.evisaFee'), first: FIRST_EVISA_FEE };
  const groups = [
    { title: t('prices.group.evisa_fee'), rows: [[priceSetting(fee, 'visa_prices', language)]] },
    ...paths.map((path) => ({
      title: t(`prices.group.${path}`),
      rows: [
        speedsByPath(path).map(({ processingType, firstPrice }) => {
          const label = t(`application:service.${processingType}.name`);
          const item = speedItem(path, processingType);
          const name = t(`prices.named.${path}`, { speed: label });
          return priceSetting({ item, label, name, first: firstPrice }, 'visa_prices', language);
        }),
      ],
    })),
  ];
  return {
    title: t('visa_prices.title'),
    lead: t('visa_prices.lead'),
    ...decideEach('visa_prices', language, groups, (values) =>
      misorderedItems(moneyValues(values)).map((field) => ({ field, code: 'not_dearer' })),
    ),
  };
}

/** The price of each plan, and whether it is sold. */
export async function openPlanPrices({ platform, language }: OpeningSection): Promise<OpenSection> {
  const t = makeTranslate(language, 'settings');
  const plans = (await firstPlans(platform.db)).map(({ id, price }) => ({
    item: id,
    label: t(`application:service.${id}.name`),
    first: price,
  }));
  const rows = plans.map((plan) => {
    const { item, label } = plan;
    const saleOf = t('prices.saleOf', { label });
    const words = (isOnSale: boolean) => t(`prices.sale.${isOnSale ? 'yes' : 'no'}`);
    const sale = makeSetting<boolean>({
      name: saleOf,
      historyName: label,
      subject: saleSubject(item),
      control: {
        kind: 'select',
        name: saleControl(item),
        label: saleOf,
        options: [true, false].map((one) => ({ value: one ? 'yes' : 'no', label: words(one) })),
      },
      at: (decided, moment) =>
        readPlanValues(valuesInForce(decided, 'plan_prices', moment)).sale[item] !== false,
      stored: Boolean,
      read: (text) => ({ value: text !== 'no' }),
      write: (isOnSale) => (isOnSale ? 'yes' : 'no'),
      words,
    });
    return [priceSetting(plan, 'plan_prices', language), sale];
  });
  return {
    title: t('plan_prices.title'),
    lead: t('plan_prices.lead'),
    ...decideEach('plan_prices', language, [{ title: t('prices.group.plans'), rows }], (values) =>
      planProblems(plans, values),
    ),
  };
}

/** The control that says whether a plan is sold. */
const saleControl = (item: string): string => `sale-${item}`;

/** Something must be sold, and among what is sold longer cover must cost more. Plans are in order of their length. */
function planProblems(plans: readonly PricedItem[], values: SettingValues): SettingsProblem[] {
  const { prices, sale } = readPlanValues(values);
  const sold = plans.filter(({ item }) => sale[item] !== false);
  const [first] = plans;
  if (sold.length === 0 && first) {
    return [{ field: saleControl(first.item), code: 'none_on_sale' }];
  }
  const minor = (plan: PricedItem | undefined) =>
    plan ? (prices[plan.item] ?? plan.first).minor : 0;
  return sold.flatMap((plan, index) =>
    minor(plan) > minor(sold[index - 1]) ? [] : [{ field: plan.item, code: 'plan_not_dearer' }],
  );
}
