import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect, Form } from 'react-router';
import { DoneMessage } from '../frame/announcer.tsx';
import { FormHead, type FieldProblem } from '~/ui/fields/error-summary.tsx';
import {
  CursorLinks,
  ListBusy,
  OrderLink,
  EntriesTable,
  FilterForm,
  filterQuery,
} from '../frame/lists.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { DeskSection } from '../frame/panel.tsx';
import { formText } from '~/platform/input/form-text.ts';
import {
  readAlerts,
  paymentsPage,
  readPaymentsFilter,
  resolveAlert,
  type AlertRow,
  type PaymentRow,
  type PaymentsFilter,
  type ResolveError,
} from './payments.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import type { Route } from './+types/payments.ts';
import { paymentStates, type PaymentState } from '~/features/payment/machine.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField, TextArea } from '~/ui/fields/text-field.tsx';
import { DayFilter } from '../frame/days.tsx';
import type { ReactNode } from 'react';
import { formatDate, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { Translate } from '~/base/read-text.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { Button } from '~/ui/button.tsx';
import { classNames } from '~/ui/class-names.ts';
import { Icon } from '~/ui/icon.tsx';
import { MAX_FAILED_STARTS } from '~/features/payment/provider.ts';
import { formatCount } from '../frame/formats.ts';
import { MAX_ALERT_NOTE_LENGTH, type AlertFact } from './alert-facts.ts';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';

/** Every payment attempt, newest first, below the alerts. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform, record } = await requireDesk({ request, context }, 'view_payments');
  const query = new URL(request.url).searchParams;
  const filter = readPaymentsFilter(query);
  const [page, alerts] = await Promise.all([
    paymentsPage(platform.db, filter, query),
    readAlerts(platform.db),
  ]);
  await record('payments_listed', ['payments', 'list'], {
    count: page.rows.length,
    searched: filter.search !== '',
  });
  const mayResolve = may(staff.role, 'resolve_alerts');
  return { mayResolve, filter, page, alerts, resolved: query.has('resolved') };
}

/** Resolves an alert with a note. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'resolve_alerts');
  const form = await readForm({ request, context });
  const alertId = formText(form, 'alert');
  const note = formText(form, `note-${alertId}`);
  const outcome = await resolveAlert(platform, staff, { alertId, note });
  if (outcome.ok) {
    const filter = readPaymentsFilter(new URL(request.url).searchParams);
    return redirect(`/admin/payments${filterQuery(filter, { resolved: '1' })}#alerts`);
  }
  const statuses: Record<ResolveError['code'], number> = {
    note_required: 422,
    note_too_long: 422,
    not_found: 404,
    already_resolved: 409,
  };
  const { error } = outcome;
  return data({ alertId, note, error }, { status: statuses[error.code] });
}

export default function Payments({ loaderData, actionData }: Route.ComponentProps) {
  const { mayResolve, filter, page, alerts, resolved } = loaderData;
  const { t } = useTranslation('books');
  const isFiltered = filterQuery(filter) !== '';
  const title = `${t('payments.title')} – Lale`;
  const problems = useAlertProblems(actionData, alerts.open);
  return (
    <DeskPage>
      <FormHead problems={problems} title={title} />
      <h1>{t('payments.title')}</h1>
      <p className="mt-1 text-ink-2">{t('payments.lead')}</p>
      <DeskSection id="alerts" title={t('alerts.title')}>
        {resolved && !actionData ? <DoneMessage>{t('alerts.done')}</DoneMessage> : null}
        <AlertList alerts={alerts} mayResolve={mayResolve} problem={actionData} />
      </DeskSection>
      <DeskSection id="attempts" title={t('payments.attempts')}>
        <PaymentsFilterForm filter={filter} />
        <ListBusy />
        {page.rows.length === 0 ? (
          <p className="py-10 text-ink-2">
            {t(isFiltered ? 'payments.nothing' : 'payments.empty')}
          </p>
        ) : (
          <PaymentsTable rows={page.rows} />
        )}
        <CursorLinks
          linkTo={(place) => `/admin/payments${filterQuery(filter, place)}#attempts`}
          page={page}
        />
      </DeskSection>
    </DeskPage>
  );
}

/** Search and filters, a GET form. */
function PaymentsFilterForm({ filter }: { filter: PaymentsFilter }) {
  const { t } = useTranslation('books');
  const query = filterQuery(filter);
  return (
    <FilterForm action="/admin/payments" query={query}>
      <TextField
        autoComplete="off"
        defaultValue={filter.search}
        label={t('payments.search')}
        latin
        maxLength={120}
        name="search"
        type="search"
      />
      <SelectField
        defaultValue={filter.state ?? ''}
        emptyLabel={t('all')}
        label={t('payments.state')}
        name="state"
        options={paymentStates.map((value) => ({
          value,
          label: t(`desk:detail.attemptState.${value}`),
        }))}
      />
      <SelectField
        defaultValue={filter.provider ?? ''}
        emptyLabel={t('all')}
        label={t('payments.provider')}
        name="provider"
        options={providerNames.map((value) => ({ value, label: t(`provider.${value}`) }))}
      />
      <DayFilter label={t('payments.day')} name="day" read={filter.day ?? ''} />
    </FilterForm>
  );
}

type Problem = { alertId: string; note: string; error: ResolveError };

/** Alerts about money, with a form to resolve each. */
function AlertList({
  alerts: { open, openCount, resolved },
  mayResolve,
  problem,
}: {
  alerts: { open: AlertRow[]; openCount: number; resolved: AlertRow[] };
  mayResolve: boolean;
  problem: Problem | undefined;
}) {
  const { t } = useTranslation('books');
  return (
    <>
      {open.length === 0 ? <p className="text-ink-2">{t('alerts.none')}</p> : null}
      <Alerts tone="*:border-s-amber">
        {open.map((alert) => (
          <li data-testid="alert" key={alert.id}>
            <AlertHead alert={alert} />
            {mayResolve ? (
              <ResolveForm
                id={alert.id}
                problem={problem?.alertId === alert.id ? problem : undefined}
              />
            ) : null}
          </li>
        ))}
      </Alerts>
      {openCount > open.length ? (
        <p className="text-ink-2">{t('alerts.more', { count: openCount - open.length })}</p>
      ) : null}
      {resolved.length === 0 ? null : (
        <details className="desk-more">
          <summary>{t('alerts.resolved')}</summary>
          <Alerts tone="*:border-s-line-2">
            {resolved.map((alert) => (
              <li key={alert.id}>
                <AlertHead alert={alert} />
                <Resolution alert={alert} />
              </li>
            ))}
          </Alerts>
        </details>
      )}
    </>
  );
}

/** `tone`: the colour of the line before each. */
function Alerts({ tone, children }: { tone: string; children: ReactNode }) {
  return (
    <ul
      className={classNames(
        'grid grid-cols-1 gap-3 *:grid *:grid-cols-1 *:gap-2 *:rounded-field *:border *:border-s-3 *:border-line-2 *:px-4 *:py-3.5',
        tone,
      )}
    >
      {children}
    </ul>
  );
}

function AlertHead({ alert }: { alert: AlertRow }) {
  const { t, language } = useTranslation('books');
  return (
    <>
      <h3 className="flex items-center gap-2 text-sm">
        <Icon name={alert.resolved ? 'check' : 'alert'} size={18} />
        {t(`alerts.kind.${alert.kind}.title`)}
      </h3>
      <p>{t(`alerts.kind.${alert.kind}.text`, { failures: MAX_FAILED_STARTS })}</p>
      <dl className="flex flex-wrap gap-x-7 gap-y-1.5 [&_.number-code]:text-fine/5 [&_a]:-my-2.5 [&_dd]:wrap-anywhere [&_dt]:text-fine [&_dt]:text-ink-2">
        <div>
          <dt>{t('alerts.raised')}</dt>
          <dd>{formatMoment(alert.raisedAt, language, UTC, 'dated')}</dd>
        </div>
        {alert.reference === null ? null : (
          <div>
            <dt>{t('payments.order')}</dt>
            <dd>
              <OrderLink reference={alert.reference} />
            </dd>
          </div>
        )}
        {alert.facts.map((fact) => (
          <div key={fact.key}>
            <dt>{t(`alerts.fact.${fact.key}`)}</dt>
            <dd>
              <FactValue fact={fact} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function FactValue({ fact }: { fact: AlertFact }) {
  const { t, language } = useTranslation('books');
  if ('amount' in fact) return <bdi>{formatMoney(fact.amount, language)}</bdi>;
  if (fact.key === 'partner') return t(`provider.${fact.text}`, { defaultValue: fact.text });
  const day = fact.key === 'day' ? parseDate(fact.text) : null;
  return day ? formatDate(day, language) : <bdi dir="ltr">{fact.text}</bdi>;
}

function ResolveForm({ id, problem }: { id: string; problem: Problem | undefined }) {
  const { t, language } = useTranslation('books');
  return (
    <details className="desk-more" open={problem !== undefined}>
      <summary>{t('alerts.resolve')}</summary>
      <Form
        action="?"
        className="grid max-w-[640px] grid-cols-1 justify-items-start gap-3"
        id={`resolve-${id}`}
        method="post"
      >
        <input name="alert" type="hidden" value={id} />
        <TextArea
          defaultValue={problem?.note}
          error={problem ? errorText(problem.error, t, language) : undefined}
          hint={t('alerts.noteHint')}
          label={t('alerts.note')}
          maxLength={MAX_ALERT_NOTE_LENGTH}
          name={`note-${id}`}
          required
        />
        <Button>{t('alerts.submit')}</Button>
      </Form>
    </details>
  );
}

/** What is wrong with the note of an alert, as a line of the page's summary; no link where the alert is no longer open. */
function useAlertProblems(problem: Problem | undefined, open: readonly AlertRow[]): FieldProblem[] {
  const { t, language } = useTranslation('books');
  if (!problem) return [];
  const { alertId, error } = problem;
  const isOpen = open.some(({ id }) => id === alertId);
  return [{ name: isOpen ? `note-${alertId}` : null, message: errorText(error, t, language) }];
}

function errorText(error: ResolveError, t: Translate, language: Language): string {
  if (error.code !== 'already_resolved') {
    return t(`books:alerts.error.${error.code}`, {
      limit: formatCount(MAX_ALERT_NOTE_LENGTH, language),
    });
  }
  return t('books:alerts.error.already_resolved', {
    name: error.by ?? t('books:someone'),
    moment: formatMoment(error.at, language, UTC, 'dated'),
  });
}

function Resolution({ alert: { resolved } }: { alert: AlertRow }) {
  const { t, language } = useTranslation('books');
  if (!resolved) return null;
  const moment = formatMoment(resolved.at, language, UTC, 'dated');
  return (
    <blockquote className="border-s-2 border-line-2 ps-3 whitespace-pre-line">
      {resolved.isByItself ? null : <p dir="auto">{resolved.note}</p>}
      <footer className="text-fine text-ink-2">
        {resolved.isByItself
          ? t('alerts.byItself', { moment })
          : t('alerts.resolvedBy', { name: resolved.by ?? t('someone'), moment })}
      </footer>
    </blockquote>
  );
}

const tones: Record<PaymentState, StatusTone> = {
  created: 'neutral',
  redirected: 'neutral',
  pending: 'amber',
  authorised: 'amber',
  completed: 'green',
  failed: 'red',
  cancelled: 'neutral',
  expired: 'neutral',
  captured_late: 'amber',
  partially_refunded: 'blue',
  refunded: 'blue',
};

/** Attempts, newest first. On narrow screens each row is an entry of two columns. */
function PaymentsTable({ rows }: { rows: readonly PaymentRow[] }) {
  const { t, language } = useTranslation('books');
  return (
    <EntriesTable
      caption={t('payments.caption')}
      columns={[
        {
          head: t('payments.moment'),
          className: 'figures whitespace-nowrap max-wide:row-start-2 max-wide:whitespace-normal',
          render: ({ createdAt }) => formatMoment(createdAt, language, UTC, 'dated'),
        },
        {
          head: t('payments.order'),
          className: 'whitespace-nowrap max-wide:row-start-1',
          render: ({ reference }) => <OrderLink reference={reference} />,
        },
        {
          head: t('payments.provider'),
          className:
            'max-wide:col-start-2 max-wide:row-start-3 max-wide:justify-self-end max-wide:text-ink-2',
          render: ({ provider }) => t(`provider.${provider}`, provider),
        },
        {
          head: t('payments.amount'),
          className:
            'whitespace-nowrap max-wide:col-start-2 max-wide:row-start-1 max-wide:self-center max-wide:font-semibold',
          isFigure: true,
          render: ({ amountMinor, refundedMinor }) => (
            <>
              <bdi>{formatMoney(usd(amountMinor), language)}</bdi>
              {refundedMinor > 0 ? (
                <span className="block text-tiny text-ink-2">
                  {t('payments.refunded', { amount: formatMoney(usd(refundedMinor), language) })}
                </span>
              ) : null}
            </>
          ),
        },
        {
          head: t('payments.state'),
          className: 'max-wide:col-start-2 max-wide:row-start-2 max-wide:justify-self-end',
          render: ({ state }) => (
            <StatusTag tone={tones[state]}>{t(`desk:detail.attemptState.${state}`)}</StatusTag>
          ),
        },
        {
          head: t('payments.transaction'),
          className: 'wrap-anywhere max-wide:row-start-3',
          render: ({ transaction }) =>
            transaction === null ? (
              <span className="text-ink-2">{t('payments.noTransaction')}</span>
            ) : (
              <bdi className="mono text-fine/5 wrap-anywhere" dir="ltr">
                {transaction}
              </bdi>
            ),
        },
      ]}
      entries={rows}
      rowOf={({ id }) => ({
        key: id,
        className: 'max-wide:grid-cols-[minmax(0,1fr)_fit-content(150px)]',
      })}
      testId="payment-row"
    />
  );
}
