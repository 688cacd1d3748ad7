import type { Cell } from '~/base/csv.ts';
import { usd } from '~/base/money.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ChartName } from './charts.ts';
import type { Statistics } from './statistics.server.ts';
import { cachedStatistics } from './cached-statistics.server.ts';
import { lastDayOf, type Period } from './period.ts';
import { countNationalities } from './statistics-store.server.ts';

type Line = readonly Cell[];
type ChartFile = {
  /** Column names are part of the file's format and stay English. */
  readonly head: readonly string[];
  lines(
    platform: Pick<Platform, 'db' | 'readLagging' | 'now'>,
    period: Period,
  ): AsyncIterable<Line>;
};

/** A chart with a row for every step; `from` and `to` are its first and last day. */
const byStep = (
  head: readonly string[],
  cells: (statistics: Statistics, step: number) => Line,
): ChartFile => ({
  head: ['from', 'to', ...head],
  async *lines(platform, period) {
    const statistics = await cachedStatistics(platform, period);
    for (const [step, from] of period.starts.entries()) {
      yield [from, lastDayOf(period, step), ...cells(statistics, step)];
    }
  },
});

const minutes = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : Math.round(milliseconds / 60_000);

/** The data of every chart. */
export const chartFiles: Readonly<Record<ChartName, ChartFile>> = {
  applications: byStep(['visa', 'insurance'], ({ submitted }, step) => {
    const one = submitted[step];
    return one ? [one.visa, one.insurance] : [];
  }),
  revenue: byStep(['paid', 'refunded', 'net', 'currency'], ({ revenue }, step) => {
    const one = revenue[step];
    if (!one) return [];
    const { paid, refunded } = one;
    const net = usd(paid.minor - refunded.minor);
    return [paid, refunded, net, net.currency];
  }),
  time: byStep(
    ['decided', 'median_minutes', 'ninetieth_percentile_minutes'],
    ({ decisions }, step) => {
      const one = decisions[step];
      return one ? [one.decided, minutes(one.medianMs), minutes(one.ninetiethMs)] : [];
    },
  ),
  promise: byStep(['due', 'kept', 'not_kept'], ({ decisions }, step) => {
    const one = decisions[step];
    return one ? [one.due, one.kept, one.due - one.kept] : [];
  }),
  approval: byStep(['decided', 'approved', 'rejected'], ({ decisions }, step) => {
    const one = decisions[step];
    return one ? [one.decided, one.approved, one.decided - one.approved] : [];
  }),
  /** All nationalities, not only those drawn. */
  nationalities: {
    head: ['nationality', 'visa', 'insurance'],
    async *lines({ readLagging }, period) {
      const all = await readLagging((db) => countNationalities(db, period, null));
      for (const { code, visa, insurance } of all) {
        yield [code, visa, insurance];
      }
    },
  },
};
