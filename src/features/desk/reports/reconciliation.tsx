import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form, redirect } from 'react-router';
import {
  formatDate,
  parseDate,
  UTC,
  toPlainDate,
  formatDateShort,
  type PlainDate,
} from '~/base/dates/dates.ts';
import { ListBusy, PAGE_LINKS, EntriesTable, OrderLink } from '../frame/lists.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Actions, DeskSection } from '../frame/panel.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { reconciliationPage, type ReconciliationPage } from './reconciliation.server.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { askForReport } from '~/features/payment/reconcile/jobs.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import type { Route } from './+types/reconciliation.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { Link } from '~/ui/page/link.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { formatCount } from '../frame/formats.ts';

/** The reports of the last days, and the differences of one of them. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_payments');
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const asked = parseDate(query.get('day') ?? '');
  const before = parseDate(query.get('before') ?? '');
  const page = await reconciliationPage(platform.db, { day: asked, before });
  if (page.day) {
    await audit(platform.db, {
      at: platform.now(),
      staffId: staff.id,
      action: 'reconciliation_viewed',
      subject: { kind: 'report', id: page.day },
    });
  }
  const mayAsk = may(staff.role, 'resolve_alerts');
  return { mayAsk, page, before, again: query.has('asked') };
}

/** Has a day compared again, which replaces its report. */
export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireStaff({ request, context }, 'resolve_alerts');
  const platform = context.get(platformContext);
  const day = parseDate(formText(await readForm({ request, context }), 'day'));
  const now = platform.now();
  if (!day || day >= toPlainDate(now, UTC)) throw data(null, { status: 404 });
  await platform.db.transaction(async (tx) => {
    await askForReport(tx, day);
    await audit(tx, {
      at: now,
      staffId: staff.id,
      action: 'reconciliation_asked',
      subject: { kind: 'report', id: day },
    });
  });
  return redirect(`/admin/reconciliation?day=${day}&asked=1#report`);
}

export default function Reconciliation({
  loaderData: { mayAsk, page, before, again },
}: Route.ComponentProps) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const title = `${t('reconciliation.title')} – Lale`;
  const { day } = page;
  return (
    <DeskPage>
      <title>{title}</title>
      <h1>{t('reconciliation.title')}</h1>
      <p className="mt-1 text-ink-2">{t('reconciliation.lead')}</p>
      <ListBusy />
      {page.reports.length === 0 ? (
        <p className="py-10 text-ink-2">{t('reconciliation.empty')}</p>
      ) : (
        <ReportDays before={before} page={page} />
      )}
      {day === null ? null : (
        <DeskSection
          id="report"
          title={t('reconciliation.report', { day: formatDate(day, language) })}
        >
          {again ? (
            <Notice role="status" tone="blue">
              {t('reconciliation.asked')}
            </Notice>
          ) : null}
          <DifferencesTable page={page} />
          <Actions>
            <ButtonAnchor
              href={`/admin/reconciliation/${day}/csv`}
              icon="download"
              look="secondary"
            >
              {t('reconciliation.download')}
            </ButtonAnchor>
            {mayAsk ? (
              <Form method="post">
                <input name="day" type="hidden" value={day} />
                <Button className="max-wide:px-0" look="plain">
                  {t('reconciliation.again')}
                </Button>
              </Form>
            ) : null}
          </Actions>
        </DeskSection>
      )}
    </DeskPage>
  );
}

/** The attempts in which our ledger and a provider's books differ. */
function DifferencesTable({
  page: { differences: rows, moreDifferences, isFinished },
}: {
  page: ReconciliationPage;
}) {
  const { t } = useTranslation('books');
  if (rows.length === 0) {
    return <p>{t(isFinished ? 'reconciliation.allAgree' : 'reconciliation.notDone')}</p>;
  }
  return (
    <>
      {isFinished ? null : <p>{t('reconciliation.notDone')}</p>}
      <EntriesTable
        caption={t('reconciliation.differences')}
        columns={[
          {
            head: t('payments.order'),
            className: 'whitespace-nowrap',
            render: ({ reference }) => <OrderLink reference={reference} />,
          },
          {
            head: t('payments.provider'),
            className: 'max-wide:self-center max-wide:justify-self-end',
            render: ({ provider }) => t(`provider.${provider}`, provider),
          },
          {
            head: t('reconciliation.difference'),
            className: '*:block max-wide:col-span-2 max-wide:font-semibold',
            render: ({ differences, settled }) => (
              <>
                {differences.map((difference) => (
                  <span key={difference}>{t(`difference.${difference}`)}</span>
                ))}
                {settled ? <span className="text-ink-2">{t('difference.settled')}</span> : null}
              </>
            ),
          },
          {
            head: t('reconciliation.ours'),
            isLabelled: true,
            render: (row) => (
              <Books captured={row.ourCapturedMinor} refunded={row.ourRefundedMinor} />
            ),
          },
          {
            head: t('reconciliation.theirs'),
            isLabelled: true,
            render: (row) => (
              <Books captured={row.theirCapturedMinor} refunded={row.theirRefundedMinor} />
            ),
          },
        ]}
        entries={rows}
        rowOf={({ attemptId }) => ({ key: attemptId, className: 'max-wide:grid-cols-2' })}
        testId="difference-row"
      />
      {moreDifferences ? <p className="text-ink-2">{t('reconciliation.more')}</p> : null}
    </>
  );
}

function Books({ captured, refunded }: { captured: number | null; refunded: number | null }) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const money = (minor: number) => formatMoney(usd(minor), language);
  return (
    <span className="figures">
      <bdi>{captured === null ? t('reconciliation.noCapture') : money(captured)}</bdi>
      {refunded ? (
        <span className="block text-tiny text-ink-2">
          {t('payments.refunded', { amount: money(refunded) })}
        </span>
      ) : null}
    </span>
  );
}

/** One line for each day and provider: captured, refunded, and whether the books agree. */
function ReportDays({
  page: { reports, day, older },
  before,
}: {
  page: ReconciliationPage;
  before: PlainDate | null;
}) {
  const { t } = useTranslation('books');
  const language = useLanguage();
  const place = before ? `&before=${before}` : '';
  const dayText = (text: string) => {
    const date = parseDate(text);
    return date ? formatDateShort(date, language) : text;
  };
  const money = (minor: number) => <bdi>{formatMoney(usd(minor), language)}</bdi>;
  return (
    <>
      <EntriesTable
        caption={t('reconciliation.caption')}
        className="mt-3"
        columns={[
          {
            head: t('reconciliation.day'),
            className: 'figures whitespace-nowrap max-wide:col-span-2',
            render: (report) => (
              <Link
                aria-current={report.day === day ? 'true' : undefined}
                className="inline-flex min-h-8 items-center max-wide:min-h-11"
                to={`/admin/reconciliation?day=${report.day}${place}#report`}
              >
                {dayText(report.day)}
              </Link>
            ),
          },
          {
            head: t('payments.provider'),
            className: 'max-wide:self-center max-wide:justify-self-end',
            render: ({ provider }) => t(`provider.${provider}`, provider),
          },
          {
            head: t('reconciliation.captured'),
            className: 'whitespace-nowrap max-wide:text-start',
            isFigure: true,
            isLabelled: true,
            render: ({ capturedMinor }) => money(capturedMinor),
          },
          {
            head: t('reconciliation.refunded'),
            className: 'whitespace-nowrap max-wide:text-start',
            isFigure: true,
            isLabelled: true,
            render: ({ refundedMinor }) => money(refundedMinor),
          },
          {
            head: t('reconciliation.net'),
            className: 'whitespace-nowrap',
            isFigure: true,
            isLabelled: true,
            render: ({ capturedMinor, refundedMinor, feesMinor }) => (
              <>
                {money(capturedMinor - refundedMinor)}
                {/* What the partner kept, where its books say so. */}
                {feesMinor === null ? null : (
                  <span className="block text-tiny text-ink-2">
                    {t('reconciliation.fees', { amount: formatMoney(usd(feesMinor), language) })}
                  </span>
                )}
              </>
            ),
          },
          {
            head: t('reconciliation.attempts'),
            className: 'whitespace-nowrap max-wide:hidden',
            isFigure: true,
            render: ({ attempts }) => formatCount(attempts, 'en'),
          },
          {
            head: t('reconciliation.result'),
            className: 'max-wide:col-span-3',
            render: (report) => <Result report={report} />,
          },
        ]}
        entries={reports}
        rowOf={(report) => ({
          key: `${report.day} ${report.provider}`,
          className: 'max-wide:grid-cols-3',
          isSelected: report.day === day,
        })}
        testId="report-row"
      />
      {before === null && older === null ? null : (
        <nav aria-label={t('pages.label')} className={PAGE_LINKS}>
          {before === null ? null : <Link to="/admin/reconciliation">{t('pages.newest')}</Link>}
          {older === null ? null : (
            <Link to={`/admin/reconciliation?before=${older}`}>{t('pages.older')}</Link>
          )}
        </nav>
      )}
    </>
  );
}

/** Unanswered questions and differences may both occur. */
function Result({ report }: { report: ReconciliationPage['reports'][number] }) {
  const { t } = useTranslation('books');
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 @max-[53.25rem]/desk-main:justify-end">
      {report.finishedAt ? null : (
        <StatusTag tone="amber">
          {t('reconciliation.unfinished', { count: report.unanswered })}
        </StatusTag>
      )}
      {report.differing > 0 ? (
        <StatusTag tone="red">
          {t('reconciliation.differing', { count: report.differing })}
        </StatusTag>
      ) : null}
      {report.finishedAt && report.differing === 0 ? (
        <StatusTag tone="green">{t('reconciliation.agree')}</StatusTag>
      ) : null}
    </span>
  );
}
