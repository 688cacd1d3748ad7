import { useTranslation } from '~/ui/texts/texts.tsx';
import { dateOf, formatDate, formatMoment, UTC } from '~/base/dates/dates.ts';
import { ListBusy } from '../frame/cursor-links.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Actions, DeskSection } from '../frame/desk-section.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ShareChart, TimeChart } from './decision-charts.tsx';
import { lastDayOf, periodQuery, readPeriod, ranges, stepsOf, type Period } from './period.ts';
import { statisticsView, type StatisticsView } from './view.server.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import type { Route } from './+types/statistics.ts';
import { SOON_HOURS } from '../frame/due.ts';
import { Pill, Pills } from '../frame/pills.tsx';
import { add, formatMoney, usd, type Money } from '~/base/money.ts';
import { ChartKey } from '~/ui/chart/chart-frame.tsx';
import { ColumnsChart } from '~/ui/chart/columns-chart.tsx';
import type { ColumnsPlan } from '~/ui/chart/plan-columns.ts';
import { ChartCard } from './chart-card.tsx';
import type { Revenue } from './statistics.server.ts';
import { formatDollars, formatCount, formatShare } from '../frame/formats.ts';
import { stepMark, stepName } from './step-name.ts';
import { BarsChart } from '~/ui/chart/bars-chart.tsx';
import { TOP_NATIONALITIES } from './charts.ts';

const netOf = ({ paid, refunded }: Revenue): Money => usd(paid.minor - refunded.minor);

/** Payments of each step less refunds, with the refunds on top. */
function RevenueChart({
  period,
  revenue,
  plan,
}: {
  period: Period;
  revenue: readonly Revenue[];
  plan: ColumnsPlan;
}) {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const money = (amount: Money) => formatMoney(amount, language);
  const name = (step: number) => stepName(period, step, language);
  const paid = add(...revenue.map((one) => one.paid));
  const refunded = add(...revenue.map((one) => one.refunded));
  const summary = t('revenue.summary', {
    net: money(netOf({ paid, refunded })),
    paid: money(paid),
    refunded: money(refunded),
  });
  const cellsOf = (one: Revenue) => [money(one.paid), money(one.refunded), money(netOf(one))];
  return (
    <ChartCard
      name="revenue"
      period={period}
      summary={paid.minor === 0 ? null : summary}
      table={{
        head: [t(`head.${period.step}`), t('head.paid'), t('head.refunded'), t('head.net')],
        rows: revenue.map((one, step) => [name(step), ...cellsOf(one)]),
      }}
    >
      <ChartKey names={[t('head.net'), t('head.refunded')]} shape="area" />
      <ColumnsChart
        columnTitle={(step) => {
          const one = revenue[step];
          return one
            ? `${name(step)} · ${t('head.net')} ${money(netOf(one))} · ${t('head.refunded')} ${money(one.refunded)}`
            : '';
        }}
        label={t('revenue.title')}
        labelText={(step) => stepMark(period, step, language)}
        plan={plan}
        tickText={(dollars) => formatDollars(dollars, language)}
      />
    </ChartCard>
  );
}

/** Charts over time. No personal data, so views are not recorded; downloads of files are. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_statistics');
  const platform = context.get(platformContext);
  const today = dateOf(platform.now(), UTC);
  const period = readPeriod(new URL(request.url).searchParams, today);
  const view = await statisticsView(platform, period, {
    language: context.get(languageContext),
    withRevenue: may(staff.role, 'view_revenue'),
  });
  const mayExport = may(staff.role, 'export_applications');
  return { mayExport, period, view };
}

export default function Statistics({ loaderData }: Route.ComponentProps) {
  const { mayExport, period, view } = loaderData;
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const [first = period.end] = period.starts;
  const last = lastDayOf(period, period.starts.length - 1);
  const isEmpty =
    view.submitted.every(({ visa, insurance }) => visa + insurance === 0) &&
    view.allDecisions.decided === 0 &&
    (view.revenue ?? []).every(({ paid }) => paid.minor === 0);
  return (
    <DeskPage>
      <title>{`${t('title')} – Lale`}</title>
      <h1>{t('title')}</h1>
      <p className="mt-1 text-ink-2">
        {t('lead', {
          first: formatDate(first, language),
          last: formatDate(last, language),
          moment: formatMoment(view.asOf, language, UTC, 'time'),
        })}
      </p>
      <PeriodChoice period={period} />
      <ListBusy />
      {isEmpty ? (
        <p className="py-10 text-ink-2">{t('empty')}</p>
      ) : (
        <>
          <div className="chart-cards mt-3 grid grid-cols-1 gap-5 wide:grid-cols-2">
            <ApplicationsChart period={period} view={view} />
            {view.revenue && view.plans.revenue ? (
              <RevenueChart period={period} plan={view.plans.revenue} revenue={view.revenue} />
            ) : null}
            <TimeChart period={period} view={view} />
            <ShareChart chart="promise" period={period} view={view} />
            <ShareChart chart="approval" period={period} view={view} />
            <NationalitiesChart period={period} view={view} />
          </div>
          {mayExport ? (
            <DeskSection className="print:hidden" id="export" title={t('export.title')}>
              <p className="max-w-[620px] text-pretty text-ink-2">{t('export.text')}</p>
              <Actions>
                <ButtonAnchor
                  href={`/admin/statistics/applications/csv${periodQuery(period.range, period.step)}`}
                  icon="download"
                  look="secondary"
                >
                  {t('export.button')}
                </ButtonAnchor>
              </Actions>
            </DeskSection>
          ) : null}
        </>
      )}
      <CardDefinitions />
    </DeskPage>
  );
}

/** Explains the four cards of the desk, counted in `statistics.server.ts`. */
function CardDefinitions() {
  const { t } = useTranslation('statistics');
  return (
    <DeskSection id="cards" title={t('cards.title')}>
      <dl className="grid grid-cols-1 gap-x-10 gap-y-3 wide:grid-cols-2">
        {(
          [
            'totalApplications',
            'totalInsuranceApplications',
            'totalRevenue',
            'pendingApplications',
          ] as const
        ).map((card) => (
          <div key={card}>
            <dt className="font-semibold">{t(`desk:figures.${card}`)}</dt>
            <dd className="max-w-[620px] text-pretty text-ink-2">
              {t(`cards.${card}`, { hours: SOON_HOURS })}
            </dd>
          </div>
        ))}
      </dl>
    </DeskSection>
  );
}

/** Links that choose range and step. */
function PeriodChoice({ period }: { period: Period }) {
  const { t } = useTranslation('statistics');
  const steps = stepsOf[period.range];
  return (
    <div className="mt-4 mb-2 flex flex-wrap gap-x-8 gap-y-2 print:hidden">
      <Pills className="*:min-h-11" label={t('range.label')}>
        {ranges.map((range) => (
          <Pill
            aria-current={range === period.range ? 'page' : undefined}
            key={range}
            preventScrollReset
            to={periodQuery(range, stepsOf[range][0])}
          >
            {t(`range.${range}`)}
          </Pill>
        ))}
      </Pills>
      {steps.length === 1 ? null : (
        <Pills className="*:min-h-11" label={t('step.label')}>
          {steps.map((step) => (
            <Pill
              aria-current={step === period.step ? 'page' : undefined}
              key={step}
              preventScrollReset
              to={periodQuery(period.range, step)}
            >
              {t(`step.${step}`)}
            </Pill>
          ))}
        </Pills>
      )}
    </div>
  );
}

type ChartProps = { period: Period; view: StatisticsView };

function ApplicationsChart({ period, view: { submitted, plans } }: ChartProps) {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const count = (value: number) => formatCount(value, language);
  const name = (step: number) => stepName(period, step, language);
  const sums = submitted.map(({ visa, insurance }) => visa + insurance);
  const total = sums.reduce((sum, value) => sum + value, 0);
  const most = Math.max(...sums);
  const visa = submitted.reduce((sum, one) => sum + one.visa, 0);
  const summary = t('applications.summary', {
    total: count(total),
    visa: count(visa),
    insurance: count(total - visa),
    peak: name(sums.indexOf(most)),
    most: count(most),
  });
  const kinds = [t('kind.visa'), t('kind.insurance')];
  return (
    <ChartCard
      name="applications"
      period={period}
      summary={total === 0 ? null : summary}
      table={{
        head: [t(`head.${period.step}`), ...kinds, t('head.total')],
        rows: submitted.map((one, step) => [
          name(step),
          count(one.visa),
          count(one.insurance),
          count(one.visa + one.insurance),
        ]),
      }}
    >
      <ChartKey names={kinds} shape="area" />
      <ColumnsChart
        columnTitle={(step) =>
          `${name(step)} · ${kinds[0]} ${count(submitted[step]?.visa ?? 0)} · ${kinds[1]} ${count(submitted[step]?.insurance ?? 0)}`
        }
        label={t('applications.title')}
        labelText={(step) => stepMark(period, step, language)}
        plan={plans.applications}
        tickText={count}
      />
    </ChartCard>
  );
}

/** The most frequent nationalities; shares are of all applications of the period. */
function NationalitiesChart({ period, view: { submitted, nationalities } }: ChartProps) {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const count = (value: number) => formatCount(value, language);
  const total = submitted.reduce((sum, { visa, insurance }) => sum + visa + insurance, 0);
  const rows = nationalities.map((row) => {
    const all = row.visa + row.insurance;
    return { ...row, all, share: formatShare(all, total, language) ?? '' };
  });
  const [first] = rows;
  const most = first?.all ?? 1;
  return (
    <ChartCard
      name="nationalities"
      period={period}
      summary={
        first
          ? t('nationalities.summary', {
              name: first.name,
              applications: count(first.all),
              total: count(total),
              share: first.share,
            })
          : null
      }
      table={{
        head: [
          t('head.nationality'),
          t('kind.visa'),
          t('kind.insurance'),
          t('head.total'),
          t('head.share'),
        ],
        rows: rows.map(({ name, visa, insurance, all, share }) => [
          name,
          count(visa),
          count(insurance),
          count(all),
          share,
        ]),
      }}
    >
      <BarsChart
        bars={rows.map(({ code, name, all, share }) => ({
          id: code,
          name,
          value: `${count(all)} · ${share}`,
          share: Math.round((all * 1000) / most) / 10,
        }))}
        label={t('nationalities.title', { most: TOP_NATIONALITIES })}
      />
    </ChartCard>
  );
}
