import type { Language } from '~/base/languages.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { planColumns } from '~/ui/chart/plan-columns.ts';
import { planLines } from '~/ui/chart/plan-lines.ts';
import type { Decisions, Statistics } from './statistics.server.ts';
import { cachedStatistics } from './cached-statistics.server.ts';
import type { Period } from './period.ts';

export type NamedNationality = Statistics['nationalities'][number] & { name: string };
export type Plans = ReturnType<typeof plansOf>;

export type StatisticsView = Omit<Statistics, 'revenue' | 'nationalities'> & {
  revenue: Statistics['revenue'] | null;
  nationalities: readonly NamedNationality[];
  plans: Plans;
};

/** The page's data with charts laid out here, which keeps the layout library out of the browser. */
export async function statisticsView(
  platform: Pick<Platform, 'db' | 'readLagging' | 'now'>,
  period: Period,
  { language, withRevenue }: { language: Language; withRevenue: boolean },
): Promise<StatisticsView> {
  const [statistics, countries] = await Promise.all([
    cachedStatistics(platform, period),
    allCountries(platform),
  ]);
  const names = new Map(countries.map(({ code, name }) => [code, name]));
  return {
    ...statistics,
    revenue: withRevenue ? statistics.revenue : null,
    nationalities: statistics.nationalities.map((row) => ({
      ...row,
      name: countryName({ code: row.code, name: names.get(row.code) ?? row.code }, language),
    })),
    plans: plansOf(statistics, withRevenue),
  };
}

const HOUR_MS = 3_600_000;
const hours = (milliseconds: number | null) =>
  milliseconds === null ? null : milliseconds / HOUR_MS;
const percent = (part: number, whole: number) => (whole === 0 ? null : (part * 100) / whole);

/** Axes: applications, dollars, hours, percent. */
function plansOf({ submitted, revenue, decisions }: Statistics, withRevenue: boolean) {
  const share = (of: (one: Decisions) => number | null) =>
    planLines([decisions.map(of)], { most: 100 });
  return {
    applications: planColumns(
      submitted.map(({ visa, insurance }) => [visa, insurance]),
      { whole: true },
    ),
    revenue: withRevenue
      ? planColumns(
          revenue.map(({ paid, refunded }) => [
            (paid.minor - refunded.minor) / 100,
            refunded.minor / 100,
          ]),
        )
      : null,
    time: planLines(
      [
        decisions.map(({ medianMs }) => hours(medianMs)),
        decisions.map(({ ninetiethMs }) => hours(ninetiethMs)),
      ],
      { least: 1 },
    ),
    promise: share(({ kept, due }) => percent(kept, due)),
    approval: share(({ approved, decided }) => percent(approved, decided)),
  };
}
