import { useTranslation } from '~/ui/texts/texts.tsx';
import { toDecimal } from '~/base/money.ts';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import {
  DecisionForm,
  Fields,
  Group,
  type SettingsForm,
} from '~/features/desk/settings/decision-form.tsx';
import { openSection } from '~/features/desk/settings/open-section.server.ts';
import {
  itemsOf,
  offersAt,
  priceLines,
  pricesForm,
  type PricedItem,
  type PriceSection,
} from '~/features/desk/settings/prices.server.ts';
import { EndedProposals, WaitingProposals } from '~/features/desk/settings/proposals.tsx';
import { shownProposals } from '~/features/desk/settings/proposals.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { saleField } from './typed-settings.ts';
import { SettingsPage } from '~/features/desk/settings/settings-page.tsx';
import { handleDecisionSubmit } from '~/features/desk/settings/handle-decision-submit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-prices.ts';

export const headers = () => PRIVATE_PAGE;
export const shouldRevalidate = () => true;

/** One page at two addresses: prices of e-visas, and of insurance. */
const sectionOf = ({ pattern }: { pattern: string }): PriceSection =>
  pattern.endsWith('/plans') ? 'plan_prices' : 'visa_prices';

const pageOf = (section: PriceSection): string =>
  section === 'plan_prices' ? '/admin/settings/plans' : '/admin/settings/prices';

export async function loader(args: Route.LoaderArgs) {
  await requireStaff(args, 'administer');
  const section = sectionOf(args);
  const language = args.context.get(languageContext);
  const items = await itemsOf(args.context.get(platformContext), section, language);
  const { frame, settings, now } = await openSection(args, section, priceLines(items, language));
  const platform = args.context.get(platformContext);
  const form = pricesForm(items, section, pageOf(section), language);
  const offers = offersAt(items, settings, section, now);
  return {
    section,
    frame,
    proposals: await shownProposals(platform, frame.staff, settings, form),
    items: items.map(({ first, ...item }) => {
      const { price, isOnSale } = offers[item.item] ?? { price: first, isOnSale: true };
      return { ...item, price: toDecimal(price), sale: isOnSale ? 'yes' : 'no' };
    }),
  };
}

export async function action(args: Route.ActionArgs) {
  await requireStaff(args, 'administer');
  const section = sectionOf(args);
  const language = args.context.get(languageContext);
  const items = await itemsOf(args.context.get(platformContext), section, language);
  return handleDecisionSubmit(args, () => pricesForm(items, section, pageOf(section), language));
}

export default function SettingsPrices({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { section, frame, proposals, items } = loaderData;
  const groups = [...new Set(items.map(({ group }) => group))];
  const shown = items.flatMap(({ item, price, canRest, sale }) => [
    [`was-${item}`, price],
    ...(canRest ? [[`was-${saleField(item)}`, sale]] : []),
  ]);
  return (
    <SettingsPage
      answer={actionData}
      frame={frame}
      lead={t(`${section}.lead`)}
      title={t(`${section}.title`)}
    >
      <WaitingProposals answer={actionData} proposals={proposals} />
      <DecisionForm answer={actionData} hidden={Object.fromEntries(shown)} version={frame.version}>
        {(form) =>
          groups.map((group) => (
            <Group key={group} title={t(`prices.group.${group}`)}>
              <Fields>
                {items
                  .filter((item) => item.group === group)
                  .map((item) => (
                    <Price form={form} key={item.item} {...item} />
                  ))}
              </Fields>
            </Group>
          ))
        }
      </DecisionForm>
      <EndedProposals proposals={proposals} />
    </SettingsPage>
  );
}

type Shown = Omit<PricedItem, 'first'> & { price: string; sale: string };

function Price({ item, label, price, canRest, sale, form }: Shown & { form: SettingsForm }) {
  const { t } = useTranslation('settings');
  const cost = (
    <TextField
      autoComplete="off"
      defaultValue={form.value(item, price)}
      error={form.errorAt(item)}
      inputMode="decimal"
      label={t('prices.inDollars', { label })}
      latin
      maxLength={12}
      name={item}
      width="short"
    />
  );
  if (!canRest) return cost;
  const name = saleField(item);
  return (
    <Fields>
      {cost}
      <SelectField
        defaultValue={form.value(name, sale)}
        error={form.errorAt(name)}
        label={t('prices.saleOf', { label })}
        name={name}
        options={(['yes', 'no'] as const).map((value) => ({
          value,
          label: t(`prices.sale.${value}`),
        }))}
      />
    </Fields>
  );
}

export const ErrorBoundary = DeskFailure;
