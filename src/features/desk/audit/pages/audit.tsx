import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form } from 'react-router';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { auditQuery, readAuditFilter } from '~/features/desk/audit/audit-filter.ts';
import { AuditFilterForm } from '~/features/desk/audit/audit-filter-form.tsx';
import { AuditTable } from '~/features/desk/audit/audit-table.tsx';
import { auditPage, auditQueryOf } from '~/features/desk/audit/audit-trail.server.ts';
import { DeskFailure } from '~/features/desk/frame/desk-failure.tsx';
import { CursorLinks, ListBusy } from '~/features/desk/frame/cursor-links.tsx';
import { DeskPage } from '~/features/desk/frame/desk-page.tsx';
import { Actions, DeskSection } from '~/features/desk/frame/desk-section.tsx';
import { hasOutbox } from '~/features/desk/outbox/outbox.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { audit } from '~/features/staff/audit.server.ts';
import { verifyTrail, type Verification } from '~/features/staff/audit/audit-seal.server.ts';
import { accountsByName } from '~/features/staff/audit-store.server.ts';
import { firstDayOfAuditTrail } from '~/features/staff/jobs/jobs.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/private-page.server.ts';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { Route } from './+types/audit.ts';

export const headers = () => PRIVATE_PAGE;

/** The audit trail, for administrators; opening it is recorded in it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_audit');
  const platform = context.get(platformContext);
  const address = new URL(request.url).searchParams;
  const filter = readAuditFilter(address);
  const place = { newer: address.get('newer'), older: address.get('older') };
  const query = await auditQueryOf(platform.db, filter);
  const [page, accounts] = await Promise.all([
    query ? auditPage(platform.db, query, place) : { rows: [], newer: null, older: null },
    accountsByName(platform.db),
  ]);
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'audit_searched',
    subject: { kind: 'audit', id: 'list' },
    detail: { staff: filter.staff, action: filter.action, day: filter.day },
  });
  const outbox = hasOutbox(platform) && may(staff.role, 'view_outbox');
  return { staff, filter, page, accounts, outbox, unknownNumber: query === null };
}

/** Checks the seals. */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context }, 'view_audit');
  const platform = context.get(platformContext);
  const now = platform.now();
  const verification = await verifyTrail(platform, firstDayOfAuditTrail(now));
  await audit(platform.db, {
    at: now,
    staffId: staff.id,
    action: 'audit_verified',
    subject: { kind: 'audit', id: 'seals' },
    detail: { days: verification.days, findings: verification.findings.length },
  });
  return data(verification, { headers: PRIVATE_PAGE });
}

export default function Audit({ loaderData, actionData }: Route.ComponentProps) {
  const { staff, filter, page, accounts, outbox, unknownNumber } = loaderData;
  const { t } = useTranslation('books');
  return (
    <DeskPage outbox={outbox} staff={staff}>
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
          linkTo={(place) => `/admin/audit${auditQuery(filter, place)}#entries`}
          page={page}
        />
        {page.rows.length === 0 ? null : (
          <Actions>
            <ButtonAnchor
              href={`/admin/audit/csv${auditQuery(filter)}`}
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
  const { t } = useTranslation('books');
  const language = useLanguage();
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

export const ErrorBoundary = DeskFailure;
