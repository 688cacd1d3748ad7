import { useTranslation } from '~/ui/texts/texts.tsx';
import { BarsChart } from '~/ui/chart/bars-chart.tsx';
import { ChartKey } from '~/ui/chart/chart-frame.tsx';
import { ColumnsChart } from '~/ui/chart/columns-chart.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ChartCard } from './chart-card.tsx';
import { formatCount, formatShare } from '../frame/formats.ts';
import type { Period } from './period.ts';
import { stepMark, stepName } from './step-name.ts';
import type { StatisticsView } from './view.server.ts';
import { TOP_NATIONALITIES } from './charts.ts';

type ChartProps = { period: Period; view: StatisticsView };

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
