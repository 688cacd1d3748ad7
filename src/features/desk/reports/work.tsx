import { formatDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import { PeriodForm, readDayPeriod, periodDays, type DayPeriod } from '../frame/days.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { formatCount, formatHours, formatShare } from '../frame/formats.ts';
import { LateSection, PromiseSection } from './promise-section.tsx';
import { readSpeed, speedKey, speedName } from './sold-speed.ts';
import { todayOf, workView, type WorkingPerson, type WorkView } from './work.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import type { Route } from './+types/work.ts';
import { DeskSection } from '../frame/panel.tsx';
import { FiguresTable } from '../frame/lists.tsx';
import { Link } from '~/ui/page/link.tsx';
import { numberFormat } from '~/base/intl.ts';
import { intlLocaleOf } from '~/base/languages.ts';
import { decidedAtPace, horizons, hourlyPace, PACE_DAYS } from './forecast.ts';

/** Rows shown before all are asked for. */
const FIRST_ROWS = 12;

/** Visa applications by nationality: arrived, waiting, rejected. Those with most to do come first. */
function NationalitySection({
  period,
  isWhole,
  view: { nationalities },
}: {
  period: DayPeriod;
  isWhole: boolean;
  view: WorkView;
}) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const count = (figure: number) => formatCount(figure, language);
  const shown = isWhole ? nationalities : nationalities.slice(0, FIRST_ROWS);
  return (
    <DeskSection id="nationalities" title={t('nationalities.title')}>
      {shown.length === 0 ? (
        <p className="text-ink-2">{t('nationalities.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('nationalities.title')}
          head={[
            t('nationalities.name'),
            t('nationalities.arrived'),
            t('nationalities.waiting'),
            t('nationalities.waitingFor'),
            t('nationalities.decided'),
            t('nationalities.rejected'),
          ]}
          rows={shown.map((row) => ({
            key: row.code,
            name: row.name,
            cells: [
              count(row.arrived),
              count(row.waiting),
              row.waitingMs === null
                ? '–'
                : t('statistics:hours', { hours: formatHours(row.waitingMs, language) }),
              count(row.decided),
              formatShare(row.rejected, row.decided, language) ?? '–',
            ],
          }))}
        />
      )}
      {shown.length < nationalities.length ? (
        <p>
          <Link
            className="inline-flex min-h-11 items-center"
            preventScrollReset
            to={`/admin/work${periodDays(period, { all: '1' })}#nationalities`}
          >
            {t('nationalities.showAll', { count: nationalities.length })}
          </Link>
        </p>
      ) : null}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">{t('nationalities.note')}</p>
    </DeskSection>
  );
}

/** Promises kept, work of people, what falls due. It shows what colleagues did, so views are recorded. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_work');
  const platform = context.get(platformContext);
  const query = new URL(request.url).searchParams;
  const period = readDayPeriod(query, todayOf(platform.now()));
  const late = readSpeed(query.get('late'));
  const view = await workView(platform, period, { late, language: context.get(languageContext) });
  await audit(platform.db, {
    at: platform.now(),
    staffId: staff.id,
    action: 'work_viewed',
    subject: { kind: 'statistics', id: 'work' },
    detail: { from: period.first, to: period.last },
  });
  return {
    period,
    isWhole: query.has('all'),
    late,
    view,
  };
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

/** What each of the staff decided, how long it took, and what they have now, by name. */
function PeopleSection({ view: { people, everybody, unheld } }: { view: WorkView }) {
  const { t } = useTranslation('work');
  const language = useLanguage();
  const hours = (milliseconds: number | null) =>
    milliseconds === null
      ? '–'
      : t('statistics:hours', { hours: formatHours(milliseconds, language) });
  const cells = (row: WorkingPerson) => [
    formatCount(row.decided, language),
    formatCount(row.corrections, language),
    hours(row.waitedMs),
    hours(row.medianMs),
    hours(row.ninetiethMs),
    <>
      {formatCount(row.waiting, language)}
      {row.late > 0 ? (
        <span className="block text-tiny font-normal text-ink-2">
          {t('people.late', { count: row.late })}
        </span>
      ) : null}
    </>,
  ];
  return (
    <DeskSection id="people" title={t('people.title')}>
      {people.length === 0 ? (
        <p className="text-ink-2">{t('people.empty')}</p>
      ) : (
        <FiguresTable
          caption={t('people.title')}
          head={[
            t('people.name'),
            t('people.decided'),
            t('people.corrections'),
            t('people.waited'),
            t('people.median'),
            t('people.ninetieth'),
            t('people.waiting'),
          ]}
          rows={[
            ...people.map((row) => ({ key: row.staffId ?? '', name: row.name, cells: cells(row) })),
            { key: 'all', name: t('all'), cells: cells(everybody), isTotal: true },
          ]}
        />
      )}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">
        {t('people.note')} {unheld > 0 ? t('people.unheld', { count: unheld }) : null}
      </p>
    </DeskSection>
  );
}

/** What falls due in the next working hours, and whether the pace of the last days is enough for it. */
function ForecastSection({ view: { waiting, ends, pace, paused } }: { view: WorkView }) {
  const { t } = useTranslation('desk');
  const language = useLanguage();
  const count = (figure: number) => formatCount(figure, language);
  const decimal = (figure: number) =>
    numberFormat(intlLocaleOf(language), { maximumFractionDigits: 1 }).format(figure);
  const all = waiting.reduce(
    (sum, row) => ({
      late: sum.late + row.late,
      first: sum.first + row.first,
      second: sum.second + row.second,
      waiting: sum.waiting + row.waiting,
    }),
    { late: 0, first: 0, second: 0, waiting: 0 },
  );
  const cells = (row: typeof all) => [
    count(row.late),
    count(row.first),
    count(row.second),
    count(row.waiting),
  ];
  const hourly = hourlyPace(pace);
  // The late ones are due as well.
  const due = [all.late + all.first, all.late + all.second] as const;
  return (
    <DeskSection id="forecast" title={t('work:forecast.title')}>
      {waiting.length === 0 ? (
        <p className="text-ink-2">{t('work:forecast.empty')}</p>
      ) : (
        <>
          <FiguresTable
            caption={t('work:forecast.title')}
            head={[
              t('work:speed'),
              t('work:forecast.late'),
              t('work:forecast.within', { hours: count(horizons[0]) }),
              t('work:forecast.within', { hours: count(horizons[1]) }),
              t('work:forecast.waiting'),
            ]}
            rows={[
              ...waiting.map((row) => ({
                key: speedKey(row),
                name: speedName(t, row),
                cells: cells(row),
              })),
              { key: 'all', name: t('work:all'), cells: cells(all), isTotal: true },
            ]}
          />
          {hourly === null ? (
            <p className="text-ink-2">{t('work:forecast.noPace', { days: count(PACE_DAYS) })}</p>
          ) : (
            <>
              <p>
                {t('work:forecast.pace', {
                  days: count(PACE_DAYS),
                  decided: count(pace.decided),
                  hours: decimal(pace.workedHours),
                  hourly: decimal(hourly),
                })}
              </p>
              {horizons.map((hours, index) => {
                const able = decidedAtPace(pace, hours) ?? 0;
                const needed = due[index] ?? 0;
                const values = {
                  days: count(PACE_DAYS),
                  hours: count(hours),
                  moment: formatMoment(ends[index] ?? ends[0], language, UTC, 'dated'),
                  due: count(needed),
                  able: count(able),
                };
                return (
                  <Notice key={hours} tone={needed > able ? 'amber' : 'green'}>
                    {t(needed > able ? 'work:forecast.short' : 'work:forecast.enough', values)}
                  </Notice>
                );
              })}
            </>
          )}
        </>
      )}
      <p className="max-w-[720px] text-fine text-pretty text-ink-2">
        {t('work:forecast.note')} {paused > 0 ? t('work:forecast.paused', { count: paused }) : null}
      </p>
    </DeskSection>
  );
}
