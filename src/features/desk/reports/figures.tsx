import { data, redirect } from 'react-router';
import {
  formatDate,
  formatDateShort,
  formatMoment,
  formatMonth,
  toPlainDate,
  TURKIYE,
  UTC,
} from '~/base/dates/dates.ts';
import { askForReport } from '~/features/payment/reconcile/jobs.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { may, type Role } from '~/features/staff/roles.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Link } from '~/ui/page/link.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { readDay } from '../frame/days.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { EntriesTable, FiguresTable } from '../frame/lists.tsx';
import type { Route } from './+types/figures.ts';
import { FigureSection, FileLink, Note, Small, useFigures } from './figure-section.tsx';
import { figuresView, type FiguresView } from './figures.server.ts';
import { BookSection, MoneySection } from './money-sections.tsx';
import { PeriodForm, periodQuery, readPeriod, type Days, type Period } from './period.tsx';
import { speedKey, useSpeedName } from './sold-speed.ts';
import type { WorkView } from './work.server.ts';

/** Nationalities shown; the file has all. */
const MAX_NATIONALITIES = 20;

/** Everything that is counted of a period; whoever sees what colleagues did, or the books, is recorded. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform, language, record } = await requireDesk(
    { request, context },
    'view_statistics',
  );
  const query = new URL(request.url).searchParams;
  const period = readPeriod(query, toPlainDate(platform.now(), TURKIYE));
  const { role } = staff;
  const view = await figuresView(platform, period, {
    role,
    language,
  });
  if (view.work || view.books)
    await record('figures_viewed', ['statistics', 'figures'], {
      from: period.first,
      to: period.last,
    });
  return { period, isAsked: query.has('asked'), role, view };
}

/** Has a UTC day that is over compared with the partners' books again, which replaces its report. */
export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'resolve_alerts');
  const typed = formText(await readForm({ request, context }), 'day');
  const day = readDay(typed);
  const now = platform.now();
  if (!day || day >= toPlainDate(now, UTC)) return data({ unreadable: typed }, { status: 422 });
  await platform.db.transaction(async (tx) => {
    await askForReport(tx, day);
    await audit(tx, {
      at: now,
      staffId: staff.id,
      action: 'reconciliation_asked',
      subject: { kind: 'report', id: day },
    });
  });
  return redirect(`/admin/figures${periodQuery({ first: day, last: day }, { asked: '1' })}#books`);
}

export default function Figures({ loaderData, actionData }: Route.ComponentProps) {
  const { period, isAsked, role, view } = loaderData;
  const { t, language } = useTranslation(['figures', 'desk']);
  const { work, looks, partners, books } = view;
  const sections = [
    'steps',
    ...(work ? (['promises', 'late', 'forecast', 'people'] as const) : []),
    ...(looks ? (['looks'] as const) : []),
    'nationalities',
    ...(partners ? (['money', 'books'] as const) : []),
  ] as const;
  const unreadable = actionData ? [{ name: 'day', message: t('desk:filter.unreadableDay') }] : [];
  return (
    <DeskPage>
      <FormHead problems={unreadable} title={`${t('title')} – Lale`} />
      <h1>{t('title')}</h1>
      <p className="mt-1 mb-2 text-ink-2">
        {t('lead', {
          first: formatDate(period.first, language),
          last: formatDate(period.last, language),
          moment: formatMoment(view.asOf, language, UTC, 'time'),
        })}
      </p>
      <PeriodForm period={period} />
      <nav aria-label={t('onPage')} className="mt-2 flex flex-wrap gap-x-5 print:hidden">
        {sections.map((id) => (
          <a className="inline-flex min-h-11 items-center" href={`#${id}`} key={id}>
            {t(`${id}.title`)}
          </a>
        ))}
      </nav>
      <StepSection period={period} role={role} view={view} />
      {work ? (
        <>
          <PromiseSection work={work} />
          <LateSection asOf={view.asOf} work={work} />
          <ForecastSection work={work} />
          <PeopleSection work={work} />
        </>
      ) : null}
      {looks ? <LookSection looks={looks} period={period} /> : null}
      <NationalitySection period={period} view={view} />
      {partners ? <MoneySection partners={partners} period={period} role={role} /> : null}
      {books ? (
        <BookSection
          books={books}
          isAsked={isAsked}
          period={period}
          role={role}
          unreadable={actionData?.unreadable ?? null}
        />
      ) : null}
    </DeskPage>
  );
}

type Step = FiguresView['steps'][number];

function useStepName({ step }: Period) {
  const { language } = useTranslation();
  return ({ first, last }: Days) => {
    if (step === 'month') return formatMonth(first, language);
    const named = formatDateShort(first, language);
    return first === last ? named : `${named} – ${formatDateShort(last, language)}`;
  };
}

/** Applications, money, decisions and promises of each step of the period. */
function StepSection({ period, role, view }: { period: Period; role: Role; view: FiguresView }) {
  const { t } = useTranslation('figures');
  const { count, share, hours, money } = useFigures();
  const nameOf = useStepName(period);
  const { steps, whole } = view;
  type Row = Omit<Step, 'first' | 'last'>;
  const moneyColumns = [
    { head: t('money.captured'), render: ({ captured }: Row) => money(captured) },
    { head: t('money.refunded'), render: ({ refunded }: Row) => money(refunded) },
  ];
  return (
    <FigureSection
      file={period}
      id="steps"
      more={
        may(role, 'export_applications') ? (
          <FileLink name="applications" period={period} text={t('steps.applications')} />
        ) : null
      }
      title={t('steps.title')}
    >
      <FiguresTable
        caption={t('steps.title')}
        columns={[
          { head: t('steps.visa'), render: ({ visa }) => count(visa) },
          { head: t('steps.insurance'), render: ({ insurance }) => count(insurance) },
          ...(whole.captured ? moneyColumns : []),
          { head: t('steps.decided'), render: ({ decided }) => count(decided) },
          { head: t('steps.approved'), render: (row) => share(row.approved, row.decided) },
          { head: t('steps.median'), render: ({ medianMs }) => hours(medianMs) },
          { head: t('steps.ninetieth'), render: ({ ninetiethMs }) => hours(ninetiethMs) },
          { head: t('steps.due'), render: ({ due }) => count(due) },
          { head: t('steps.kept'), render: ({ kept, due }) => share(kept, due) },
        ]}
        name={t(`steps.${period.step}`)}
        rows={[
          ...steps.map((row) => ({ ...row, key: row.first, name: nameOf(row) })),
          { ...whole, key: 'all', name: t('all'), isTotal: true },
        ]}
      />
    </FigureSection>
  );
}

/** How many promises of the period were kept, by speed. */
function PromiseSection({ work: { promises } }: { work: WorkView }) {
  const { t } = useTranslation('figures');
  const speedName = useSpeedName();
  const { count, share } = useFigures();
  return (
    <FigureSection id="promises" title={t('promises.title')}>
      {promises.rows.length === 0 ? (
        <p className="text-ink-2">{t('promises.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('promises.title')}
          columns={[
            { head: t('promises.due'), render: ({ due }) => count(due) },
            { head: t('promises.kept'), render: ({ kept }) => count(kept) },
            { head: t('promises.late'), render: ({ late, overdue }) => count(late + overdue) },
            { head: t('promises.overdue'), render: ({ overdue }) => count(overdue) },
            { head: t('promises.share'), render: ({ kept, due }) => share(kept, due) },
          ]}
          name={t('speed')}
          rows={[
            ...promises.rows.map((row) => ({ ...row, key: speedKey(row), name: speedName(row) })),
            { ...promises.all, key: 'all', name: t('all'), isTotal: true },
          ]}
        />
      )}
      <Note>{t('promises.note')}</Note>
    </FigureSection>
  );
}

/** The late ones of the period, newest promise first. */
function LateSection({ work: { late, mostLate }, asOf }: { work: WorkView; asOf: Date }) {
  const { t } = useTranslation('figures');
  const speedName = useSpeedName();
  const { count, hours, moment } = useFigures();
  return (
    <FigureSection id="late" title={t('late.title')}>
      {late.length === 0 ? (
        <p className="text-ink-2">{t('late.none')}</p>
      ) : (
        <EntriesTable
          caption={t('late.title')}
          columns={[
            {
              head: t('late.number'),
              className: 'whitespace-nowrap max-wide:col-span-full',
              render: ({ number, kind }) => (
                <Link
                  className="inline-flex min-h-8 items-center max-wide:min-h-11"
                  to={`/admin/applications/${number}${kind === 'insurance' ? '?tab=insurance' : ''}`}
                >
                  <NumberCode value={number} />
                </Link>
              ),
            },
            { head: t('speed'), isLabelled: true, render: (row) => speedName(row) },
            {
              head: t('late.readyBy'),
              className: 'figures',
              isLabelled: true,
              render: ({ promisedAt }) => moment(promisedAt),
            },
            {
              head: t('late.decided'),
              className: 'figures',
              isLabelled: true,
              render: ({ decidedAt }) =>
                decidedAt ? (
                  moment(decidedAt)
                ) : (
                  <StatusTag tone="red">{t('late.undecided')}</StatusTag>
                ),
            },
            {
              head: t('late.by'),
              className: 'max-wide:text-start',
              isFigure: true,
              isLabelled: true,
              render: ({ decidedAt, promisedAt }) =>
                hours((decidedAt ?? asOf).getTime() - promisedAt.getTime()),
            },
          ]}
          entries={late}
          rowOf={({ number }) => ({ key: number, className: 'max-wide:grid-cols-2' })}
        />
      )}
      {mostLate === null ? null : (
        <p className="text-ink-2">{t('late.more', { most: count(mostLate) })}</p>
      )}
    </FigureSection>
  );
}

/** What waits for staff now, by when it falls due in working hours. */
function ForecastSection({ work: { waiting, hoursAhead } }: { work: WorkView }) {
  const { t } = useTranslation('figures');
  const speedName = useSpeedName();
  const { count } = useFigures();
  const within = (index: 0 | 1) => t('forecast.within', { hours: count(hoursAhead[index]) });
  return (
    <FigureSection id="forecast" title={t('forecast.title')}>
      {waiting.rows.length === 0 ? (
        <p className="text-ink-2">{t('forecast.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('forecast.title')}
          columns={[
            { head: t('forecast.late'), render: ({ late }) => count(late) },
            { head: within(0), render: ({ first }) => count(first) },
            { head: within(1), render: ({ second }) => count(second) },
            { head: t('forecast.waiting'), render: (row) => count(row.waiting) },
          ]}
          name={t('speed')}
          rows={[
            ...waiting.rows.map((row) => ({ ...row, key: speedKey(row), name: speedName(row) })),
            { ...waiting.all, key: 'all', name: t('all'), isTotal: true },
          ]}
        />
      )}
    </FigureSection>
  );
}

/** What each of the staff decided, how long it took, and what they have now, by name. */
function PeopleSection({
  work: { people, everybody, unheld },
}: {
  work: NonNullable<FiguresView['work']>;
}) {
  const { t } = useTranslation('figures');
  const { count, hours } = useFigures();
  return (
    <FigureSection id="people" title={t('people.title')}>
      {people.length === 0 ? (
        <p className="text-ink-2">{t('people.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('people.title')}
          columns={[
            { head: t('people.decided'), render: ({ decided }) => count(decided) },
            { head: t('people.corrections'), render: ({ corrections }) => count(corrections) },
            { head: t('people.waited'), render: ({ waitedMs }) => hours(waitedMs) },
            { head: t('people.median'), render: ({ medianMs }) => hours(medianMs) },
            { head: t('people.ninetieth'), render: ({ ninetiethMs }) => hours(ninetiethMs) },
            {
              head: t('people.waiting'),
              render: ({ waiting, late }) => (
                <>
                  {count(waiting)}
                  {late > 0 ? <Small>{t('people.late', { count: late })}</Small> : null}
                </>
              ),
            },
          ]}
          name={t('people.name')}
          rows={[
            ...people.map((row) => ({ ...row, key: row.id })),
            { ...everybody, key: 'all', name: t('all'), isTotal: true },
          ]}
        />
      )}
      <Note>
        {t('people.note')} {unheld > 0 ? t('people.unheld', { count: unheld }) : null}
      </Note>
    </FigureSection>
  );
}

/** How many decisions of each step were looked at again, and found wrong. */
function LookSection({
  period,
  looks: { steps, whole },
}: {
  period: Period;
  looks: NonNullable<FiguresView['looks']>;
}) {
  const { t } = useTranslation('figures');
  const { count } = useFigures();
  const nameOf = useStepName(period);
  return (
    <FigureSection file={period} id="looks" title={t('looks.title')}>
      <FiguresTable
        caption={t('looks.title')}
        columns={[
          { head: t('looks.drawnJudged'), render: ({ drawnJudged }) => count(drawnJudged) },
          { head: t('looks.drawnWrong'), render: ({ drawnWrong }) => count(drawnWrong) },
          {
            head: t('looks.differingJudged'),
            render: ({ differingJudged }) => count(differingJudged),
          },
          {
            head: t('looks.differingWrong'),
            render: ({ differingWrong }) => count(differingWrong),
          },
          { head: t('looks.open'), render: ({ open }) => count(open) },
        ]}
        name={t(`steps.${period.step}`)}
        rows={[
          ...steps.map((row) => ({ ...row, key: row.first, name: nameOf(row) })),
          { ...whole, key: 'all', name: t('all'), isTotal: true },
        ]}
      />
      <Note>{t('looks.note')}</Note>
    </FigureSection>
  );
}

/** Those with most to do first. */
function NationalitySection({ period, view }: { period: Period; view: FiguresView }) {
  const { t } = useTranslation('figures');
  const { count, hours, share } = useFigures();
  const shown = view.nationalities.slice(0, MAX_NATIONALITIES);
  return (
    <FigureSection file={period} id="nationalities" title={t('nationalities.title')}>
      {shown.length === 0 ? (
        <p className="text-ink-2">{t('nationalities.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('nationalities.title')}
          columns={[
            { head: t('steps.visa'), render: ({ visa }) => count(visa) },
            { head: t('steps.insurance'), render: ({ insurance }) => count(insurance) },
            { head: t('nationalities.waiting'), render: ({ waiting }) => count(waiting) },
            { head: t('nationalities.waitingFor'), render: ({ waitingMs }) => hours(waitingMs) },
            { head: t('nationalities.decided'), render: ({ decided }) => count(decided) },
            {
              head: t('nationalities.rejected'),
              render: (row) => share(row.rejected, row.decided),
            },
          ]}
          name={t('nationalities.name')}
          rows={shown.map((row) => ({ ...row, key: row.code }))}
        />
      )}
    </FigureSection>
  );
}
