import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { DoneMessage } from '~/features/desk/frame/announcer.tsx';
import { AlertList, useAlertProblems } from '~/features/desk/payments/alert-list.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { CursorLinks, ListBusy } from '~/features/desk/frame/cursor-links.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { DeskSection } from '~/features/desk/frame/desk-section.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import {
  paymentsQuery,
  readPaymentsFilter,
  type PaymentsFilter,
} from '~/features/desk/payments/payments-filter.ts';
import { PaymentsTable } from '~/features/desk/payments/payments-table.tsx';
import { alertsToSee, paymentsPage } from '~/features/desk/payments/payments.server.ts';
import { resolveAlert, type ResolveError } from '~/features/desk/payments/resolve-alert.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { readForm } from '~/platform/input/read-form.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Route } from './+types/payments.ts';
import { paymentStates } from '~/features/payment/machine.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { FilterForm } from '../frame/filter-form.tsx';
import { DayFilter } from '../day-filter/day-filter.tsx';

export const headers = () => PRIVATE_PAGE;

/** Every payment attempt, newest first, below the alerts. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_payments');
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const filter = readPaymentsFilter(query);
  const place = { newer: query.get('newer'), older: query.get('older') };
  const [page, alerts] = await Promise.all([
    paymentsPage(platform.db, filter, place),
    alertsToSee(platform.db),
  ]);
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'payments_listed',
    subject: { kind: 'payments', id: 'list' },
    detail: { count: page.rows.length, searched: filter.search !== '' },
  });
  const outbox = hasOutbox(platform) && may(staff.role, 'view_outbox');
  return { staff, filter, page, alerts, outbox, resolved: query.has('resolved') };
}

/** Resolves an alert with a note. */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context }, 'resolve_alerts');
  const form = await readForm({ request, context });
  const alertId = formText(form, 'alert');
  const note = formText(form, `note-${alertId}`);
  const outcome = await resolveAlert(context.get(platformContext), staff, { alertId, note });
  if (outcome.ok) {
    const filter = readPaymentsFilter(new URL(request.url).searchParams);
    return redirect(`/admin/payments${paymentsQuery(filter, { resolved: '1' })}#alerts`);
  }
  const statuses: Record<ResolveError['code'], number> = {
    note_required: 422,
    note_too_long: 422,
    not_found: 404,
    already_resolved: 409,
  };
  const { error } = outcome;
  return data({ alertId, note, error }, { status: statuses[error.code], headers: PRIVATE_PAGE });
}

export default function Payments({ loaderData, actionData }: Route.ComponentProps) {
  const { staff, filter, page, alerts, outbox, resolved } = loaderData;
  const { t } = useTranslation('books');
  const isFiltered = paymentsQuery(filter) !== '';
  const title = `${t('payments.title')} – Lale`;
  const problems = useAlertProblems(actionData, alerts.open);
  return (
    <DeskPage outbox={outbox} staff={staff}>
      <FormHead problems={problems} title={title} />
      <h1>{t('payments.title')}</h1>
      <p className="mt-1 text-ink-2">{t('payments.lead')}</p>
      <DeskSection id="alerts" title={t('alerts.title')}>
        {resolved && !actionData ? <DoneMessage>{t('alerts.done')}</DoneMessage> : null}
        <AlertList
          alerts={alerts}
          mayResolve={may(staff.role, 'resolve_alerts')}
          problem={actionData}
        />
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
          linkTo={(place) => `/admin/payments${paymentsQuery(filter, place)}#attempts`}
          page={page}
        />
      </DeskSection>
    </DeskPage>
  );
}

export const ErrorBoundary = DeskFailure;

/** Search and filters, a GET form. */
function PaymentsFilterForm({ filter }: { filter: PaymentsFilter }) {
  const { t } = useTranslation('books');
  const query = paymentsQuery(filter);
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
