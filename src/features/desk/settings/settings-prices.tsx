import { useTranslation } from '~/ui/texts/texts.tsx';
import { toDecimal } from '~/base/money.ts';
import { DecisionForm, Fields, Group, type SettingsForm, ChangeTable } from './decision-form.tsx';
import { openSection } from './open-section.server.ts';
import {
  itemsOf,
  offersAt,
  priceLines,
  pricesForm,
  type PricedItem,
  type PriceSection,
} from './prices.server.ts';
import { shownProposals, type ShownProposals, type WaitingProposal } from './proposals.server.ts';
import { saleField, valuesOf } from './typed-settings.ts';
import { SettingsPage } from './settings-page.tsx';
import { handleDecisionSubmit, type SettingsAnswer } from './handle-decision-submit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField, TextArea } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/settings-prices.ts';
import { Form } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { Button } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { Actions } from '../frame/desk-section.tsx';

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
  const { frame, staff, settings, now } = await openSection(
    args,
    section,
    priceLines(items, language),
  );
  const platform = args.context.get(platformContext);
  const form = pricesForm(items, section, pageOf(section), language);
  const offers = offersAt(items, settings, section, now);
  return {
    section,
    frame,
    proposals: await shownProposals(platform, staff, settings, form),
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

/** What waits for a second administrator, with what each may do about it. */
function WaitingProposals({
  proposals: { waiting, hasSecond, isAlone },
  answer,
}: {
  proposals: ShownProposals;
  answer: SettingsAnswer | undefined;
}) {
  const { t } = useTranslation('settings');
  return (
    <>
      <Notice tone="blue">
        {t(isAlone ? 'proposal.alone' : hasSecond ? 'proposal.two' : 'proposal.nobody')}
      </Notice>
      {waiting.length === 0 ? null : (
        <section aria-labelledby="proposals">
          <h2 id="proposals">{t('proposal.title')}</h2>
          <ol className="grid gap-6">
            {waiting.map((one) => (
              <li className="grid gap-3 wrap-anywhere" key={one.id}>
                <Waiting answer={answer} one={one} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}

function Waiting({
  one: { id, who, isOwn, proposedAt, validFrom, reason, rows, isOutdated },
  answer,
}: {
  one: WaitingProposal;
  answer: SettingsAnswer | undefined;
}) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const moment = (at: number) => formatMoment(new Date(at), language, UTC, 'dated');
  const typed = answer?.kind === 'typed' && answer.typed.proposal === String(id) ? answer : null;
  const problem = typed?.problems.find(({ field }) => field === `why-${id}`);
  return (
    <>
      <p>
        <strong>{t('proposal.by', { who, moment: moment(proposedAt) })}</strong>
      </p>
      <p>
        {validFrom === null
          ? t('proposal.now')
          : t('proposal.later', { moment: moment(validFrom) })}
      </p>
      <ChangeTable rows={rows} />
      <p>{t('history.reason', { reason })}</p>
      {isOutdated ? <Notice tone="amber">{t('proposal.outdated')}</Notice> : null}
      {isOwn ? (
        <>
          <p className="text-ink-2">{t('proposal.own')}</p>
          <Form method="post">
            <input name="proposal" type="hidden" value={id} />
            <Button look="secondary" name="intent" small value="withdraw_proposal">
              {t('proposal.withdraw')}
            </Button>
          </Form>
        </>
      ) : (
        <>
          {isOutdated ? null : (
            <Form method="post">
              <input name="proposal" type="hidden" value={id} />
              <Button name="intent" small value="confirm">
                {t('proposal.confirm')}
              </Button>
            </Form>
          )}
          <details className="desk-more" open={problem !== undefined}>
            <summary>{t('proposal.declineOpen')}</summary>
            <Form className="mt-3" method="post" noValidate>
              <input name="proposal" type="hidden" value={id} />
              <TextArea
                defaultValue={typed?.typed[`why-${id}`] ?? ''}
                error={problem && t(`error.${problem.code}`, valuesOf(problem, language))}
                hint={t('proposal.whyHint', { who })}
                label={t('proposal.why')}
                name={`why-${id}`}
              />
              <Actions>
                <Button look="secondary" name="intent" small value="decline">
                  {t('proposal.decline')}
                </Button>
              </Actions>
            </Form>
          </details>
        </>
      )}
    </>
  );
}

/** The last proposals that came to nothing, with the reason. */
function EndedProposals({ proposals: { ended } }: { proposals: ShownProposals }) {
  const { t } = useTranslation('settings');
  const language = useLanguage();
  const moment = (at: number) => formatMoment(new Date(at), language, UTC, 'dated');
  if (ended.length === 0) return null;
  return (
    <section aria-labelledby="ended-proposals">
      <h2 id="ended-proposals">{t('proposal.ended')}</h2>
      <ol className="grid gap-3.5">
        {ended.map(({ id, who, proposedAt, state, by, at, why, rows }) => (
          <li
            className="grid gap-1 border-b border-line pb-3.5 wrap-anywhere last:border-b-0"
            key={id}
          >
            <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <strong>{t('proposal.by', { who, moment: moment(proposedAt) })}</strong>{' '}
              <StatusTag tone={state === 'declined' ? 'red' : 'neutral'}>
                {t(`proposal.state.${state}`)}
              </StatusTag>
            </p>
            <ul>
              {rows.map(({ label, after }) => (
                <li key={label}>
                  {label}: {after ?? t('confirm.nothing')}
                </li>
              ))}
            </ul>
            <p className="text-ink-2">
              {state === 'declined'
                ? t('proposal.declinedBy', { who: by, moment: moment(at), why: why ?? '' })
                : t('proposal.withdrawnAt', { moment: moment(at) })}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
