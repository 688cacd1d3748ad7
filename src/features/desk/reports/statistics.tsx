import type { ReactNode } from 'react';
import {
  toPlainDate,
  formatDate,
  formatDateShort,
  formatDayOfMonth,
  formatMoment,
  formatMonth,
  formatMonthShort,
  UTC,
} from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import { requireStaff } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { languageContext, platformContext } from '~/platform/http/request.server.ts';
import { ButtonAnchor } from '~/ui/button.tsx';
import { BarsChart, ChartKey, ColumnsChart, LinesChart } from '~/ui/chart/charts.tsx';
import { Icon } from '~/ui/icon.tsx';
import { ScrollRegion } from '~/ui/scroll-region.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ListBusy } from '../frame/lists.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { Actions, DeskSection, Pill, Pills } from '../frame/panel.tsx';
import type { Route } from './+types/statistics.ts';
import {
  drawnColumns,
  permittedCharts,
  stepCharts,
  TOP_NATIONALITIES,
  type ChartName,
} from './charts.ts';
import { useFigures } from './figures.tsx';
import { daysOfStep, ranges, readRangePeriod, stepsFor, type RangePeriod } from './period.tsx';
import { statisticsView, type ChartView } from './statistics.server.ts';

/** Charts over time. No personal data, so views are not recorded; downloads of files are. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const staff = await requireStaff({ request, context }, 'view_statistics');
  const platform = context.get(platformContext);
  const period = readRangePeriod(
    new URL(request.url).searchParams,
    toPlainDate(platform.now(), UTC),
  );
  const view = await statisticsView(platform, period, {
    charts: permittedCharts((right) => may(staff.role, right)),
    language: context.get(languageContext),
  });
  return { mayExport: may(staff.role, 'export_applications'), period, view };
}

type View = Route.ComponentProps['loaderData']['view'];

export default function Statistics({ loaderData }: Route.ComponentProps) {
  const { mayExport, period, view } = loaderData;
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  return (
    <DeskPage>
      <title>{`${t('title')} – Lale`}</title>
      <h1>{t('title')}</h1>
      <p className="mt-1 text-ink-2">
        {t('lead', {
          first: formatDate(period.first, language),
          last: formatDate(period.last, language),
          moment: formatMoment(view.asOf, language, UTC, 'time'),
        })}
      </p>
      <PeriodChoice period={period} />
      <ListBusy />
      {view.charts.every(({ isEmpty }) => isEmpty) ? (
        <p className="py-10 text-ink-2">{t('empty')}</p>
      ) : (
        <>
          <div className="chart-cards mt-3 grid grid-cols-1 gap-5 wide:grid-cols-2">
            {view.charts.map((chart) => (
              <StepChart chart={chart} key={chart.name} period={period} />
            ))}
            <NationalitiesChart period={period} view={view} />
          </div>
          {mayExport ? (
            <DeskSection className="print:hidden" id="export" title={t('export.title')}>
              <p className="max-w-[620px] text-pretty text-ink-2">{t('export.text')}</p>
              <Actions>
                <ButtonAnchor
                  href={`/admin/statistics/applications/csv${queryOf(period)}`}
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
    </DeskPage>
  );
}

/** The query of an address with this period in its steps. */
const queryOf = (
  { range, step }: Pick<RangePeriod, 'range' | 'step'>,
  more: Record<string, string> = {},
): string => `?${new URLSearchParams({ range, by: step, ...more }).toString()}`;

/** Links that choose range and step. */
function PeriodChoice({ period }: { period: RangePeriod }) {
  const { t } = useTranslation('statistics');
  const steps = stepsFor(period);
  return (
    <div className="mt-4 mb-2 flex flex-wrap gap-x-8 gap-y-2 print:hidden">
      <Pills className="*:min-h-11" label={t('range.label')}>
        {ranges.map((range) => (
          <Pill
            aria-current={range === period.range ? 'page' : undefined}
            key={range}
            preventScrollReset
            to={`?range=${range}`}
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
              to={queryOf({ ...period, step })}
            >
              {t(`step.${step}`)}
            </Pill>
          ))}
        </Pills>
      )}
    </div>
  );
}

/** A step in a sentence or a table: "5 Mar 2027", "5 Mar 2027 – 11 Mar 2027", "March 2027". */
function stepName(period: RangePeriod, step: number, language: Language): string {
  const { first, last } = daysOfStep(period, step);
  if (period.step === 'month') return formatMonth(first, language);
  const named = formatDateShort(first, language);
  return first === last ? named : `${named} – ${formatDateShort(last, language)}`;
}

/** A step below its column, by its first day: "5 Mar", "Mar". */
function stepMark(period: RangePeriod, step: number, language: Language): string {
  const { first } = daysOfStep(period, step);
  return period.step === 'month'
    ? formatMonthShort(first, language)
    : formatDayOfMonth(first, language);
}

/** A chart of the steps of a period. */
function StepChart({ chart, period }: { chart: ChartView; period: RangePeriod }) {
  const { t } = useTranslation('statistics');
  const language = useLanguage();
  const { count, textOf, tickText } = useFigures();
  const { name, rows, whole, plan } = chart;
  const { columns, shape } = stepCharts[name];
  const series = drawnColumns(name);
  const nameOf = (step: number) => stepName(period, step, language);
  const titleOf = (step: number, shown: typeof series) => {
    const figures = shown.map(({ id, head }) => {
      const figure = rows[step]?.[id];
      // A share stands alone, and so has no heading.
      return figure && 'part' in figure
        ? `${textOf(figure)} (${count(figure.part)}/${count(figure.whole)})`
        : `${t(head)} ${textOf(figure)}`;
    });
    return [nameOf(step), ...figures].join(' · ');
  };
  const totals = rows.map(({ total }) => (total && 'count' in total ? total.count : 0));
  const most = Math.max(...totals);
  const axis = {
    label: t(`${name}.title`),
    labelText: (step: number) => stepMark(period, step, language),
    tickText: (value: number) => tickText(value, rows[0]?.[series[0]?.id ?? '']),
  };
  return (
    <ChartCard
      head={[t(`head.${period.step}`), ...columns.map(({ head }) => t(head))]}
      name={name}
      period={period}
      rows={rows.map((figures, step) => [
        nameOf(step),
        ...columns.map(({ id }) => textOf(figures[id])),
      ])}
      summary={
        chart.isEmpty
          ? null
          : t(`${name}.summary`, {
              ...Object.fromEntries(columns.map(({ id }) => [id, textOf(whole[id])])),
              peak: nameOf(totals.indexOf(most)),
              most: count(most),
            })
      }
    >
      {series.length > 1 ? (
        <ChartKey names={series.map(({ head }) => t(head))} shape={shape} />
      ) : null}
      {'columns' in plan ? (
        <ColumnsChart {...axis} columnTitle={(step) => titleOf(step, series)} plan={plan} />
      ) : (
        <LinesChart
          {...axis}
          plan={plan}
          pointTitle={(line, step) => titleOf(step, series.slice(line, line + 1))}
        />
      )}
    </ChartCard>
  );
}

/** The most frequent nationalities; shares are of all applications of the period. */
function NationalitiesChart({
  period,
  view: { submitted, nationalities },
}: {
  period: RangePeriod;
  view: View;
}) {
  const { t } = useTranslation('statistics');
  const { count, share } = useFigures();
  const rows = nationalities.map((row) => {
    const all = row.visa + row.insurance;
    return { ...row, all, share: share(all, submitted) };
  });
  const [first] = rows;
  const most = first?.all ?? 1;
  return (
    <ChartCard
      head={[
        t('head.nationality'),
        t('kind.visa'),
        t('kind.insurance'),
        t('head.total'),
        t('head.share'),
      ]}
      name="nationalities"
      period={period}
      rows={rows.map(({ name, visa, insurance, all, share }) => [
        name,
        count(visa),
        count(insurance),
        count(all),
        share,
      ])}
      summary={
        first
          ? t('nationalities.summary', {
              name: first.name,
              applications: count(first.all),
              total: count(submitted),
              share: first.share,
            })
          : null
      }
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

/** A chart with a summary, a definition, a table and a file. */
function ChartCard({
  name,
  period,
  summary,
  head,
  rows,
  children,
}: {
  name: ChartName;
  period: RangePeriod;
  /** Null where there is nothing to show. */
  summary: string | null;
  /** The headings of the table; the first column names the row. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
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
                    {head.map((text) => (
                      <th key={text} scope="col">
                        {text}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {rows.map(([row, ...cells]) => (
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
            href={`/admin/statistics/csv${queryOf(period, { chart: name })}`}
          >
            <Icon name="download" size={14} />
            {t('file')}
          </a>
        </div>
      )}
    </section>
  );
}
