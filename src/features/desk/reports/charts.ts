import type { TextKey } from '~/base/text-keys.ts';
import { usd, type Money } from '~/base/money.ts';
import type { StaffAction } from '~/features/staff/roles.ts';

/** What is counted of each step of a period, and of the whole. */
export type StepFigures = {
  /** Submitted applications. */
  visa: number;
  insurance: number;
  /** By day of payment. `refunded`: what has been refunded of it since. */
  paid: Money;
  refunded: Money;
  /** Decisions about paid visa applications. */
  decided: number;
  approved: number;
  /** Milliseconds from payment to decision: the median and the 90th percentile. Null without any. */
  medianMs: number | null;
  ninetiethMs: number | null;
  /** Promises that fell due, and those of them that were kept. */
  due: number;
  kept: number;
};

/** A figure that says what it is, and so how it is written on the page, in a file and on an axis. */
export type Figure =
  | { readonly count: number }
  | { readonly money: Money }
  | { readonly ms: number | null }
  | { readonly part: number; readonly whole: number };

/** A column of a chart's table and file. */
export type Column = {
  /** Its name in the chart's sentence. */
  readonly id: string;
  readonly head: TextKey<'statistics'>;
  readonly of: (figures: StepFigures) => Figure;
  /** Its name in the file; none where the file leaves it out. */
  readonly csv?: string;
};

type Chart = {
  /** The right needed to see it. */
  readonly right: StaffAction;
  readonly columns: readonly Column[];
  /** The column without which there is nothing to show. */
  readonly base: string;
  readonly shape: 'area' | 'line';
  /** The columns drawn, from the bottom up. */
  readonly drawn: readonly string[];
};

const column = (
  id: string,
  head: TextKey<'statistics'>,
  of: (figures: StepFigures) => Figure,
  csv?: string,
): Column => ({ id, head, of, ...(csv !== undefined && { csv }) });

/** A part of a whole. `csv`: names of the whole, the part and the rest in the file. */
const shareChart = (
  name: 'promise' | 'approval',
  csv: readonly [string, string, string],
  of: (figures: StepFigures) => { part: number; whole: number },
): Chart => ({
  right: 'view_statistics',
  columns: [
    column('whole', `${name}.whole`, (one) => ({ count: of(one).whole }), csv[0]),
    column('part', `${name}.part`, (one) => ({ count: of(one).part }), csv[1]),
    column('rest', `${name}.rest`, (one) => ({ count: of(one).whole - of(one).part }), csv[2]),
    column('share', 'head.share', of),
  ],
  base: 'whole',
  shape: 'line',
  drawn: ['share'],
});

const netOf = ({ paid, refunded }: StepFigures): Money => usd(paid.minor - refunded.minor);

/** The charts with a value for each step, in page order, and then that of nationalities. Each has a table and a file. */
const stepChartNames = ['applications', 'revenue', 'time', 'promise', 'approval'] as const;
export const chartNames = [...stepChartNames, 'nationalities'] as const;
export type StepChartName = (typeof stepChartNames)[number];
export type ChartName = (typeof chartNames)[number];

export const stepCharts: Readonly<Record<StepChartName, Chart>> = {
  applications: {
    right: 'view_statistics',
    columns: [
      column('visa', 'kind.visa', ({ visa }) => ({ count: visa }), 'visa'),
      column('insurance', 'kind.insurance', (one) => ({ count: one.insurance }), 'insurance'),
      column('total', 'head.total', (one) => ({ count: one.visa + one.insurance })),
    ],
    base: 'total',
    shape: 'area',
    drawn: ['visa', 'insurance'],
  },
  revenue: {
    right: 'view_revenue',
    columns: [
      column('paid', 'head.paid', ({ paid }) => ({ money: paid }), 'paid'),
      column('refunded', 'head.refunded', ({ refunded }) => ({ money: refunded }), 'refunded'),
      column('net', 'head.net', (one) => ({ money: netOf(one) }), 'net'),
    ],
    base: 'paid',
    shape: 'area',
    drawn: ['net', 'refunded'],
  },
  time: {
    right: 'view_statistics',
    columns: [
      column('decided', 'head.decided', ({ decided }) => ({ count: decided }), 'decided'),
      column('median', 'time.median', ({ medianMs }) => ({ ms: medianMs }), 'median_minutes'),
      column(
        'ninetieth',
        'time.ninetieth',
        ({ ninetiethMs }) => ({ ms: ninetiethMs }),
        'ninetieth_percentile_minutes',
      ),
    ],
    base: 'decided',
    shape: 'line',
    drawn: ['median', 'ninetieth'],
  },
  promise: shareChart('promise', ['due', 'kept', 'not_kept'], (one) => ({
    part: one.kept,
    whole: one.due,
  })),
  approval: shareChart('approval', ['decided', 'approved', 'rejected'], (one) => ({
    part: one.approved,
    whole: one.decided,
  })),
};

/** The columns that a chart draws. */
export const drawnColumns = (name: StepChartName): Column[] => {
  const { columns, drawn } = stepCharts[name];
  return drawn.flatMap((asked) => columns.find(({ id }) => id === asked) ?? []);
};

/** Nationalities in their chart; its file has all. */
export const TOP_NATIONALITIES = 10;

/** The charts that somebody sees who has these rights. */
export const permittedCharts = (may: (right: StaffAction) => boolean): StepChartName[] =>
  stepChartNames.filter((name) => may(stepCharts[name].right));

/** Null for an unknown chart. */
export const readChart = (text: string | null): ChartName | null =>
  chartNames.find((name) => name === text) ?? null;
