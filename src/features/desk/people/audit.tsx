import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form } from 'react-router';
import { formatDate, parseDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import {
  accountsByName,
  auditDetail,
  auditPage,
  readAuditQuery,
  readAuditFilter,
  type AuditFilter,
} from './audit.server.ts';
import { CursorLinks, ListBusy, EntriesTable, FilterForm, filterQuery } from '../frame/lists.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Actions, DeskSection } from '../frame/panel.tsx';
import { verifyTrail, type Verification } from '~/features/staff/audit/audit-seal.server.ts';
import type { AuditEntry } from '~/features/staff/store.server.ts';
import { firstDayOfAuditTrail } from '~/features/staff/accounts/jobs.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { Route } from './+types/audit.ts';
import { auditActions } from '~/features/staff/audit-words.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import { DayFilter } from '../frame/days.tsx';

/** The audit trail, for administrators; opening it is recorded in it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { platform, record } = await requireDesk({ request, context }, 'view_audit');
  const address = new URL(request.url).searchParams;
  const filter = readAuditFilter(address);
  const query = await readAuditQuery(platform.db, filter);
  const [page, accounts] = await Promise.all([
    query ? auditPage(platform.db, query, address) : { rows: [], newer: null, older: null },
    accountsByName(platform.db),
  ]);
  await record('audit_searched', ['audit', 'list'], auditDetail(filter));
  return { filter, page, accounts, unknownNumber: query === null };
}

/** Checks the seals. */
export async function action({ request, context }: Route.ActionArgs) {
  const { platform, record } = await requireDesk({ request, context }, 'view_audit');
  const now = platform.now();
  const verification = await verifyTrail(platform, firstDayOfAuditTrail(now));
  await record('audit_verified', ['audit', 'seals'], {
    days: verification.days,
    findings: verification.findings.length,
  });
  return data(verification);
}

export default function Audit({ loaderData, actionData }: Route.ComponentProps) {
  const { filter, page, accounts, unknownNumber } = loaderData;
  const { t } = useTranslation(['books', 'desk']);
  return (
    <DeskPage>
      <title>{`${t('audit.title')} – Lale`}</title>
      <h1>{t('audit.title')}</h1>
      <p className="mt-1 text-ink-2">{t('audit.lead')}</p>
      <DeskSection id="seals" title={t('audit.seals.title')}>
        <p>{t('audit.seals.lead')}</p>
        {actionData ? <Outcome {...actionData} /> : null}
        <Form action="?#seals" method="post">
          <Button look="secondary">{t('audit.seals.verify')}</Button>
        </Form>
      </DeskSection>
      <DeskSection id="entries" title={t('audit.caption')}>
        <AuditFilterForm accounts={accounts} filter={filter} unknownNumber={unknownNumber} />
        <ListBusy />
        {page.rows.length === 0 ? (
          <p className="py-10 text-ink-2">{t('audit.empty')}</p>
        ) : (
          <AuditTable
            names={new Map(accounts.map(({ id, name }) => [id, name]))}
            rows={page.rows}
          />
        )}
        <CursorLinks
          linkTo={(place) => `/admin/audit${filterQuery(filter, place)}#entries`}
          page={page}
        />
        {page.rows.length === 0 ? null : (
          <Actions>
            <ButtonAnchor
              href={`/admin/audit/csv${filterQuery(filter)}`}
              icon="download"
              look="secondary"
            >
              {t('audit.download')}
            </ButtonAnchor>
          </Actions>
        )}
      </DeskSection>
    </DeskPage>
  );
}

const SHOWN = 50;

function Outcome({ days, findings }: Pick<Verification, 'days' | 'findings'>) {
  const { t, language } = useTranslation(['books', 'desk']);
  if (findings.length > 0) {
    return (
      <Notice role="alert" title={t('audit.seals.bad')} tone="red">
        <ul>
          {findings.slice(0, SHOWN).map(({ day: text, kind, entry }) => {
            const date = parseDate(text);
            const day = date ? formatDate(date, language) : text;
            const found = kind === 'changed' && entry === null ? 'day' : kind;
            return (
              <li key={`${text} ${kind} ${entry}`}>
                {t(`audit.seals.finding.${found}`, { day, entry })}
              </li>
            );
          })}
        </ul>
      </Notice>
    );
  }
  return (
    <Notice role="status" tone={days === 0 ? 'blue' : 'green'}>
      {days === 0 ? t('audit.seals.none') : t('audit.seals.good', { count: days })}
    </Notice>
  );
}

/** Filters the entries by the address's query. */
function AuditFilterForm({
  filter,
  accounts,
  unknownNumber,
}: {
  filter: AuditFilter;
  accounts: readonly { id: string; name: string }[];
  unknownNumber: boolean;
}) {
  const { t } = useTranslation(['books', 'desk']);
  const query = filterQuery(filter);
  return (
    <FilterForm action="/admin/audit" query={query}>
      <TextField
        autoComplete="off"
        defaultValue={filter.number}
        error={unknownNumber ? t('audit.unknownNumber') : undefined}
        label={t('audit.number')}
        latin
        maxLength={40}
        name="number"
        type="search"
      />
      <SelectField
        defaultValue={filter.staff ?? ''}
        emptyLabel={t('all')}
        label={t('audit.staff')}
        name="staff"
        options={accounts.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        defaultValue={filter.action ?? ''}
        emptyLabel={t('all')}
        label={t('audit.action')}
        name="action"
        options={auditActions.map((value) => ({ value, label: t(`desk:audit.${value}`) }))}
      />
      <DayFilter label={t('payments.day')} name="day" read={filter.day ?? ''} />
      <CheckBox defaultChecked={filter.views !== null} label={t('audit.views')} name="views" />
    </FilterForm>
  );
}

/** Entries, newest first, with actions and subjects in words; the CSV file has the codes. */
function AuditTable({
  rows,
  names,
}: {
  rows: readonly AuditEntry[];
  /** Account id → name. */
  names: ReadonlyMap<string, string>;
}) {
  const { t, language } = useTranslation(['books', 'desk']);
  return (
    <EntriesTable
      caption={t('audit.caption')}
      columns={[
        {
          head: t('audit.moment'),
          className: 'figures whitespace-nowrap',
          render: ({ at }) => formatMoment(at, language, UTC, 'dated'),
        },
        {
          head: t('audit.who'),
          render: ({ staffId }) =>
            staffId === null ? (
              <span className="text-ink-2">{t('audit.service')}</span>
            ) : (
              <bdi>{names.get(staffId) ?? staffId}</bdi>
            ),
        },
        {
          head: t('audit.action'),
          className: 'font-semibold',
          render: ({ action }) => t(`desk:audit.${action}`, action),
        },
        {
          head: t('audit.subject'),
          className: 'wrap-anywhere',
          render: ({ subjectKind, subjectId }) => (
            <>
              {t(`audit.about.${subjectKind}`, subjectKind)}{' '}
              <bdi className="mono text-fine/5" dir="ltr">
                {subjectId}
              </bdi>
            </>
          ),
        },
        {
          head: t('audit.detail'),
          className: 'wrap-anywhere',
          render: ({ detail }) => (
            <bdi className="mono text-fine/5" dir="ltr">
              {Object.entries(detail)
                .map(([key, value]) => `${key}: ${String(value)}`)
                .join(', ')}
            </bdi>
          ),
        },
      ]}
      entries={rows}
      rowOf={({ id }) => ({ key: id, className: 'max-wide:grid-cols-1' })}
      testId="audit-row"
    />
  );
}
