import type { Language } from '~/base/languages.ts';
import { usd, type Money } from '~/base/money.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { planColumns, planLines } from '~/ui/chart/charts.tsx';
import type { Database } from '~/platform/postgres/database.server.ts';
import { countPromisesByStep, type PromisesKept } from './workload-store.server.ts';
import type { Period } from './period.ts';
import {
  countNationalities,
  countSubmitted,
  readDecisions,
  sumRevenue,
  type DecisionsRow,
  type NationalityRow,
} from './statistics-store.server.ts';
import { TOP_NATIONALITIES } from './charts.ts';

export type Submitted = { readonly visa: number; readonly insurance: number };
/** By day of payment. `refunded`: what has been refunded of it since. */
export type Revenue = { readonly paid: Money; readonly refunded: Money };
/** With the promises that fell due in the step, and those of them that were kept. */
export type Decisions = Omit<DecisionsRow, 'step'> & PromisesKept;

/** The statistics of a period: one for each step, and for the whole where a sum would be wrong. */
export type Statistics = {
  /** Everything was read in one snapshot of the database, at this moment. */
  readonly asOf: Date;
  readonly submitted: readonly Submitted[];
  readonly revenue: readonly Revenue[];
  readonly decisions: readonly Decisions[];
  readonly allDecisions: Decisions;
  readonly nationalities: readonly NationalityRow[];
};

const noDecisions: Decisions = {
  decided: 0,
  approved: 0,
  due: 0,
  kept: 0,
  medianMs: null,
  ninetiethMs: null,
};

export async function readStatistics(
  db: Database,
  period: Period,
  asOf: Date,
): Promise<Statistics> {
  return db.transaction(
    async (tx) => {
      const submitted = await countSubmitted(tx, period);
      const revenue = await sumRevenue(tx, period);
      const decisions = await readDecisions(tx, period);
      const { starts, end } = period;
      const span = { from: new Date(starts[0] ?? end), to: new Date(end) };
      // A promise of later today has not fallen due.
      const past = { from: span.from, to: span.to > asOf ? asOf : span.to };
      const promises = await countPromisesByStep(tx, past, starts);
      const promisesAt = new Map(promises.map(({ step, ...kept }) => [step, kept]));
      const decisionsAt = new Map(decisions.map(({ step, ...made }) => [step, made]));
      const at = (step: number | null): Decisions => ({
        ...noDecisions,
        ...decisionsAt.get(step),
        ...promisesAt.get(step),
      });
      const nationalities = await countNationalities(tx, period, TOP_NATIONALITIES);
      return {
        asOf,
        submitted: everyStep(period, submitted, (row) => ({
          visa: row?.visa ?? 0,
          insurance: row?.insurance ?? 0,
        })),
        revenue: everyStep(period, revenue, (row) => ({
          paid: usd(row?.paidMinor ?? 0),
          refunded: usd(row?.refundedMinor ?? 0),
        })),
        decisions: starts.map((_, step) => at(step)),
        allDecisions: at(null),
        nationalities,
      };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

/** One value for every step of the period, also for empty ones. */
function everyStep<Row extends { step: number | null }, Value>(
  { starts }: Period,
  rows: readonly Row[],
  valueOf: (row: Row | undefined) => Value,
): Value[] {
  const found = new Map(rows.map((row) => [row.step, row]));
  return starts.map((_, step) => valueOf(found.get(step)));
}

const FRESH_MS = 60_000;

type Cached = { at: number; statistics: Promise<Statistics> };

/** By database, then by period, of which there are seven a day. */
const cache = new WeakMap<Database, Map<string, Cached>>();

/**
 * The statistics of a period, at most a minute old; they contain their moment. Each process has its own; concurrent
 * requests share one reading. A reading that fails is not cached.
 */
export function cachedStatistics(
  { db, readLagging, now }: Pick<Platform, 'db' | 'readLagging' | 'now'>,
  period: Period,
): Promise<Statistics> {
  const asOf = now();
  const at = asOf.getTime();
  const known = cache.get(db) ?? new Map<string, Cached>();
  cache.set(db, known);
  for (const [key, { at: then }] of known) if (at - then >= FRESH_MS) known.delete(key);
  const key = `${period.range} ${period.step} ${period.end}`;
  const found = known.get(key);
  if (found) return found.statistics;
  // A lagging replica is fine, as statistics may be a minute old.
  const statistics = readLagging((from) => readStatistics(from, period, asOf));
  known.set(key, { at, statistics });
  statistics.catch(() => {
    if (known.get(key)?.statistics === statistics) known.delete(key);
  });
  return statistics;
}

type NamedNationality = Statistics['nationalities'][number] & { name: string };
type Plans = ReturnType<typeof plansOf>;

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
