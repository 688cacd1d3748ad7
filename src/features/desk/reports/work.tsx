import { toPlainDate, formatDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import { numberFormat } from '~/base/intl.ts';
import { intlLocale } from '~/base/languages.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { EntriesTable, FiguresTable } from '../frame/lists.tsx';
import { DeskSection } from '../frame/panel.tsx';
import type { Route } from './+types/work.ts';
import { Note, useFigures } from './figures.tsx';
import { PeriodForm, periodQuery, readPeriod, type Period } from './period.tsx';
import { readSpeed, speedKey, speedName, type SoldSpeed } from './sold-speed.ts';
import { workView, type WorkView } from './work.server.ts';

/** Rows of nationalities shown before all are asked for. */
const FIRST_ROWS = 12;

/** Promises kept, work of people, what falls due. It shows what colleagues did, so views are recorded. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_work');
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const period = readPeriod(query, toPlainDate(platform.now(), UTC));
  const late = readSpeed(query.get('late'));
  const view = await workView(platform, period, { late, language: context.get(languageContext) });
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'work_viewed',
    subject: { kind: 'statistics', id: 'work' },
    detail: { from: period.first, to: period.last },
  });
  return { period, isWhole: query.has('all'), late, view };
}

export default function Work({
  loaderData: { period, isWhole, late, view },
}: Route.ComponentProps) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  return (
    <DeskPage>
      <title>{`${t('title')} – Lale`}</title>
      <h1>{t('title')}</h1>
      <p className="mt-1 mb-4 text-ink-2">
        {t('lead', {
          first: formatDate(period.first, language),
          last: formatDate(period.last, language),
          moment: formatMoment(view.asOf, language, UTC, 'time'),
        })}
      </p>
      <PeriodForm action="/admin/work" from={t('from')} period={period} to={t('to')} />
      <ForecastSection view={view} />
      <PromiseSection period={period} view={view} />
      <LateSection period={period} speed={late} view={view} />
      <PeopleSection view={view} />
      <NationalitySection isWhole={isWhole} period={period} view={view} />
    </DeskPage>
  );
}

/** What falls due in the next working hours, and whether the pace of the last days is enough for it. */
function ForecastSection({ view: { waiting, horizons, pace } }: { view: WorkView }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const { count } = useFigures();
  const decimal = (figure: number) =>
    numberFormat(intlLocale(language), { maximumFractionDigits: 1 }).format(figure);
  const within = (index: number) =>
    t('work:forecast.within', { hours: count(horizons[index]?.hours ?? 0) });
  const days = count(pace.days);
  return (
    <DeskSection id="forecast" title={t('work:forecast.title')}>
      {waiting.rows.length === 0 ? (
        <p className="text-ink-2">{t('work:forecast.empty')}</p>
      ) : (
        <>
          <FiguresTable
            caption={t('work:forecast.title')}
            columns={[
              { head: t('work:forecast.late'), render: ({ late }) => count(late) },
              { head: within(0), render: ({ first }) => count(first) },
              { head: within(1), render: ({ second }) => count(second) },
              { head: t('work:forecast.waiting'), render: (row) => count(row.waiting) },
            ]}
            name={t('work:speed')}
            rows={[
              ...waiting.rows.map((row) => ({
                ...row,
                key: speedKey(row),
                name: speedName(t, row),
              })),
              { ...waiting.all, key: 'all', name: t('work:all'), isTotal: true },
            ]}
          />
          {pace.hourly === null ? (
            <p className="text-ink-2">{t('work:forecast.noPace', { days })}</p>
          ) : (
            <p>
              {t('work:forecast.pace', {
                days,
                decided: count(pace.decided),
                hours: decimal(pace.workedHours),
                hourly: decimal(pace.hourly),
              })}
            </p>
          )}
          {horizons.map(({ hours, end, due, able }) =>
            able === null ? null : (
              <Notice key={hours} tone={due > able ? 'amber' : 'green'}>
                {t(due > able ? 'work:forecast.short' : 'work:forecast.enough', {
                  days,
                  hours: count(hours),
                  moment: formatMoment(end, language, UTC, 'dated'),
                  due: count(due),
                  able: count(able),
                })}
              </Notice>
            ),
          )}
        </>
      )}
      <Note>
        {t('work:forecast.note')}{' '}
        {pace.paused > 0 ? t('work:forecast.paused', { count: pace.paused }) : null}
      </Note>
    </DeskSection>
  );
}

/** How many promises of the period were kept, by speed, with links to those that were not. */
function PromiseSection({ period, view: { promises } }: { period: Period; view: WorkView }) {
  const { t } = useTranslation('desk');
  const { count, share } = useFigures();
  const lateLink = (late: number, query: Record<string, string>) =>
    late === 0 ? (
      count(0)
    ) : (
      <Link
        className="inline-flex min-h-8 items-center max-wide:min-h-11"
        to={`/admin/work${periodQuery(period, query)}#late`}
      >
        {/* Read before the words: in some languages those name one and two without a figure. */}
        {count(late)}{' '}
        <span className="sr-only">{t('work:promises.showLate', { count: late })}</span>
      </Link>
    );
  return (
    <DeskSection id="promises" title={t('work:promises.title')}>
      {promises.rows.length === 0 ? (
        <p className="text-ink-2">{t('work:promises.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('work:promises.title')}
          columns={[
            { head: t('work:promises.due'), render: ({ due }) => count(due) },
            { head: t('work:promises.kept'), render: ({ kept }) => count(kept) },
            {
              head: t('work:promises.late'),
              render: ({ late, overdue, query }) => lateLink(late + overdue, query),
            },
            { head: t('work:promises.overdue'), render: ({ overdue }) => count(overdue) },
            { head: t('work:promises.share'), render: ({ kept, due }) => share(kept, due) },
          ]}
          name={t('work:speed')}
          rows={[
            ...promises.rows.map((row) => ({
              ...row,
              key: speedKey(row),
              name: speedName(t, row),
              query: { late: speedKey(row) },
            })),
            { ...promises.all, key: 'all', name: t('work:all'), query: {}, isTotal: true },
          ]}
        />
      )}
      <Note>{t('work:promises.note')}</Note>
    </DeskSection>
  );
}

/** The late ones of the period, newest promise first. */
function LateSection({
  period,
  speed,
  view: { late, mostLate, asOf },
}: {
  period: Period;
  speed: SoldSpeed | null;
  view: WorkView;
}) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const title =
    speed === null ? t('work:late.title') : t('work:late.titleOf', { speed: speedName(t, speed) });
  const { count, hours } = useFigures();
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  return (
    <DeskSection id="late" title={title}>
      {speed === null ? null : (
        <p>
          <Link
            className="inline-flex min-h-11 items-center"
            to={`/admin/work${periodQuery(period)}#late`}
          >
            {t('work:late.all')}
          </Link>
        </p>
      )}
      {late.length === 0 ? (
        <p className="text-ink-2">{t('work:late.none')}</p>
      ) : (
        <EntriesTable
          caption={title}
          columns={[
            {
              head: t('work:late.number'),
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
            { head: t('work:speed'), isLabelled: true, render: (row) => speedName(t, row) },
            {
              head: t('work:late.readyBy'),
              className: 'figures',
              isLabelled: true,
              render: ({ promisedAt }) => moment(promisedAt),
            },
            {
              head: t('work:late.decided'),
              className: 'figures',
              isLabelled: true,
              render: ({ decidedAt }) =>
                decidedAt ? (
                  moment(decidedAt)
                ) : (
                  <StatusTag tone="red">{t('work:late.undecided')}</StatusTag>
                ),
            },
            {
              head: t('work:late.by'),
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
        <p className="text-ink-2">{t('work:late.more', { most: count(mostLate) })}</p>
      )}
    </DeskSection>
  );
}

/** What each of the staff decided, how long it took, and what they have now, by name. */
function PeopleSection({ view: { people, everybody, unheld } }: { view: WorkView }) {
  const { t } = useTranslation('work');
  const { count, hours } = useFigures();
  return (
    <DeskSection id="people" title={t('people.title')}>
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
                  {late > 0 ? (
                    <span className="block text-tiny font-normal text-ink-2">
                      {t('people.late', { count: late })}
                    </span>
                  ) : null}
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
    </DeskSection>
  );
}

/** Visa applications by nationality: arrived, waiting, rejected. Those with most to do come first. */
function NationalitySection({
  period,
  isWhole,
  view: { nationalities },
}: {
  period: Period;
  isWhole: boolean;
  view: WorkView;
}) {
  const { t } = useTranslation('work');
  const { count, hours, share } = useFigures();
  const shown = isWhole ? nationalities : nationalities.slice(0, FIRST_ROWS);
  return (
    <DeskSection id="nationalities" title={t('nationalities.title')}>
      {shown.length === 0 ? (
        <p className="text-ink-2">{t('nationalities.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('nationalities.title')}
          columns={[
            { head: t('nationalities.arrived'), render: ({ arrived }) => count(arrived) },
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
      {shown.length < nationalities.length ? (
        <p>
          <Link
            className="inline-flex min-h-11 items-center"
            preventScrollReset
            to={`/admin/work${periodQuery(period, { all: '1' })}#nationalities`}
          >
            {t('nationalities.showAll', { count: nationalities.length })}
          </Link>
        </p>
      ) : null}
      <Note>{t('nationalities.note')}</Note>
    </DeskSection>
  );
}
