import { usd, type Money } from '~/base/money.ts';
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
