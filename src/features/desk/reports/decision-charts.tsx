import { useTranslation } from '~/ui/texts/texts.tsx';
import { ChartKey } from '~/ui/chart/chart-frame.tsx';
import { LinesChart } from '~/ui/chart/lines-chart.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ChartCard } from './chart-card.tsx';
import type { Decisions } from './statistics.server.ts';
import { formatCount, formatHours, formatShare } from '../frame/formats.ts';
import type { Period } from './period.ts';
import { stepMark, stepName } from './step-name.ts';
import type { StatisticsView } from './view.server.ts';

type ChartProps = { period: Period; view: StatisticsView };

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
