import type { StaffAction } from '~/features/staff/roles.ts';

/** The charts in page order. Each has a table and a file. */
export const chartNames = [
  'applications',
  'revenue',
  'time',
  'promise',
  'approval',
  'nationalities',
] as const;
export type ChartName = (typeof chartNames)[number];

/** The right needed to see a chart. */
export const chartActions: Readonly<Record<ChartName, StaffAction>> = {
  applications: 'view_statistics',
  revenue: 'view_revenue',
  time: 'view_statistics',
  promise: 'view_statistics',
  approval: 'view_statistics',
  nationalities: 'view_statistics',
};

/** Nationalities in their chart; its file has all. */
export const TOP_NATIONALITIES = 10;

/** Null for an unknown chart. */
export const readChart = (text: string | null): ChartName | null =>
  chartNames.find((name) => name === text) ?? null;
