import type { ReactNode } from 'react';
import {
  formatDateShort,
  formatDayOfMonth,
  formatMonth,
  formatMonthShort,
} from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { add, formatMoney, usd, type Money } from '~/base/money.ts';
import {
  BarsChart,
  ChartKey,
  ColumnsChart,
  LinesChart,
  type ColumnsPlan,
} from '~/ui/chart/charts.tsx';
import { Icon } from '~/ui/icon.tsx';
import { ScrollRegion } from '~/ui/scroll-region.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formatCount, formatDollars, formatHours, formatShare } from '../frame/formats.ts';
import { TOP_NATIONALITIES, type ChartName } from './charts.ts';
import { lastDayOf, periodQuery, type Period } from './period.ts';
import type { Decisions, Revenue, StatisticsView } from './statistics.server.ts';

type ChartProps = { period: Period; view: StatisticsView };

/** A step in a sentence or a table: "5 Mar 2027", "5 Mar 2027 – 11 Mar 2027", "March 2027". */
function stepName(period: Period, step: number, language: Language): string {
  const first = period.starts[step] ?? period.end;
  if (period.step === 'month') return formatMonth(first, language);
  const last = lastDayOf(period, step);
  const named = formatDateShort(first, language);
  return first === last ? named : `${named} – ${formatDateShort(last, language)}`;
}

/** A step below its column, by its first day: "5 Mar", "Mar". */
function stepMark(period: Period, step: number, language: Language): string {
  const first = period.starts[step] ?? period.end;
  return period.step === 'month'
    ? formatMonthShort(first, language)
    : formatDayOfMonth(first, language);
}

type NumbersTable = {
  /** The first column names the row. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
};

/** A chart with a summary, a definition, a table and a file. */
function ChartCard({
  name,
  period,
  summary,
  table,
  children,
}: {
  name: ChartName;
  period: Period;
  /** Null where there is nothing to show. */
  summary: string | null;
  table: NumbersTable;
  children: ReactNode;
}) {
  const { t } = useTranslation('statistics');
  const title = t(`${name}.title`, { most: TOP_NATIONALITIES });
  return (
    <section
      aria-labelledby={name}
      className="chart-card flex flex-col gap-2.5 rounded-xl border border-line-2 p-5 [&_.chart-key]:text-fine"
      data-testid={`chart-${name}`}
    >
      <h2 id={name}>{title}</h2>
      {summary === null ? (
        <p className="text-pretty text-ink-2">{t(`${name}.empty`)}</p>
      ) : (
        <>
          <p className="chart-summary">{summary}</p>
          {children}
        </>
      )}
      <p className="text-fine text-pretty text-ink-2">{t(`${name}.note`)}</p>
      {summary === null ? null : (
        <div className="mt-auto flex flex-wrap items-start justify-between gap-x-4">
          <details className="desk-more chart-numbers min-w-0 open:flex-[1_1_100%]">
            <summary>{t('numbers')}</summary>
            <ScrollRegion aria-label={title} className="chart-scroll max-h-[420px] overflow-auto">
              <table className="desk-table figures [&_td]:text-end [&_thead_th+th]:text-end">
                <caption className="sr-only">{title}</caption>
                <thead>
                  <tr>
                    {table.head.map((head) => (
                      <th key={head} scope="col">
                        {head}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {table.rows.map(([row, ...cells]) => (
                    <tr
                      className="*:h-8 *:border-line *:py-1 *:text-fine *:whitespace-nowrap"
                      key={row}
                    >
                      <th scope="row">{row}</th>
                      {cells.map((cell, index) => (
                        <td key={index}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollRegion>
          </details>
          <a
            aria-label={t('fileOf', { title })}
            className="inline-flex min-h-11 items-center gap-1.5 print:hidden"
            href={`/admin/statistics/csv${periodQuery(period.range, period.step, { chart: name })}`}
          >
            <Icon name="download" size={14} />
            {t('file')}
          </a>
        </div>
      )}
    </section>
  );
}

export function ApplicationsChart({ period, view: { submitted, plans } }: ChartProps) {
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
export function NationalitiesChart({ period, view: { submitted, nationalities } }: ChartProps) {
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

const netOf = ({ paid, refunded }: Revenue): Money => usd(paid.minor - refunded.minor);

/** Payments of each step less refunds, with the refunds on top. */
export function RevenueChart({
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

/** Shown where there is no value. */
const NONE = '–';

export function TimeChart({ period, view: { decisions, allDecisions, plans } }: ChartProps) {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const name = (step: number) => stepName(period, step, language);
  const hours = (milliseconds: number | null) =>
    milliseconds === null ? NONE : t('hours', { hours: formatHours(milliseconds, language) });
  const { medianMs, ninetiethMs } = allDecisions;
  const summary = t('time.summary', { median: hours(medianMs), ninetieth: hours(ninetiethMs) });
  const names = [t('time.median'), t('time.ninetieth')];
  const value = (one: Decisions | undefined, series: number) =>
    hours((series === 0 ? one?.medianMs : one?.ninetiethMs) ?? null);
  return (
    <ChartCard
      name="time"
      period={period}
      summary={medianMs === null ? null : summary}
      table={{
        head: [t(`head.${period.step}`), t('head.decided'), ...names],
        rows: decisions.map((one, step) => [
          name(step),
          formatCount(one.decided, language),
          hours(one.medianMs),
          hours(one.ninetiethMs),
        ]),
      }}
    >
      <ChartKey names={names} shape="line" />
      <LinesChart
        label={t('time.title')}
        labelText={(step) => stepMark(period, step, language)}
        plan={plans.time}
        pointTitle={(series, step) =>
          `${name(step)} · ${names[series]} ${value(decisions[step], series)}`
        }
        tickText={(ticked) => t('hours', { hours: formatCount(ticked, language) })}
      />
    </ChartCard>
  );
}

/** A share of the decisions, as a line from 0 to 100 %. */
const shares = {
  promise: {
    part: ({ kept }: Decisions) => kept,
    whole: ({ due }: Decisions) => due,
  },
  approval: {
    part: ({ approved }: Decisions) => approved,
    whole: ({ decided }: Decisions) => decided,
  },
};

export function ShareChart({
  chart,
  period,
  view: { decisions, allDecisions, plans },
}: ChartProps & { chart: keyof typeof shares }) {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const { part, whole } = shares[chart];
  const name = (step: number) => stepName(period, step, language);
  const count = (value: number) => formatCount(value, language);
  const share = (one: Decisions) => formatShare(part(one), whole(one), language) ?? NONE;
  const summary = t(`${chart}.summary`, {
    part: count(part(allDecisions)),
    whole: count(whole(allDecisions)),
    share: share(allDecisions),
  });
  return (
    <ChartCard
      name={chart}
      period={period}
      summary={whole(allDecisions) === 0 ? null : summary}
      table={{
        head: [
          t(`head.${period.step}`),
          t(`${chart}.whole`),
          t(`${chart}.part`),
          t(`${chart}.rest`),
          t('head.share'),
        ],
        rows: decisions.map((one, step) => [
          name(step),
          count(whole(one)),
          count(part(one)),
          count(whole(one) - part(one)),
          share(one),
        ]),
      }}
    >
      <LinesChart
        label={t(`${chart}.title`)}
        labelText={(step) => stepMark(period, step, language)}
        plan={plans[chart]}
        pointTitle={(_, step) => {
          const one = decisions[step];
          return one
            ? `${name(step)} · ${share(one)} (${count(part(one))}/${count(whole(one))})`
            : '';
        }}
        tickText={(ticked) => formatShare(ticked, 100, language) ?? ''}
      />
    </ChartCard>
  );
}
