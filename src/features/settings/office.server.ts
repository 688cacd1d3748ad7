import { z } from 'zod';
import { firstOffice, type Closure, type Office } from '~/base/dates/office.ts';
import {
  DAY_MS,
  addMonths,
  toPlainDate,
  daysInclusive,
  UTC,
  type PlainDate,
} from '~/base/dates/dates.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import {
  upcomingChangeMoments,
  valuesInForce,
  type Settings,
  type SettingsSection,
} from './change.ts';
import { currentSettings, readSettings } from './store.server.ts';

/** The value of a closure, by its id; null for one that was removed. */
export const closureValue = z
  .object({ from: z.iso.date(), to: z.iso.date() })
  .nullable() satisfies z.ZodType<Closure | null>;

/** The closures in a section's values, soonest first. */
export const readClosures = (values: Readonly<Record<string, unknown>>) =>
  Object.entries(values)
    .flatMap(([id, value]) => {
      const read = closureValue.parse(value);
      return read ? [{ ...read, id }] : [];
    })
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));

/** The sections that say when we work: all are read for a promise, and a change of any ends what is cached. */
const OFFICE_SECTIONS = ['closed_days'] as const satisfies readonly SettingsSection[];

const officeValues = (settings: Settings, section: (typeof OFFICE_SECTIONS)[number], at: Date) =>
  valuesInForce(settings, section, at);

/** Cached for each settings with the period in which they hold: each request asks several times. */
const cache = new WeakMap<Settings, { from: Date; until: Date; office: Office }>();

/** The office as known at a moment, with the closures that have not ended by then. */
export function officeInForce(settings: Settings, at: Date): Office {
  const before = cache.get(settings);
  if (before && at >= before.from && at < before.until) return before.office;
  const today = toPlainDate(at, UTC);
  const closures = readClosures(officeValues(settings, 'closed_days', at))
    .filter(({ to }) => to >= today)
    .map(({ from, to }): Closure => ({ from, to }));
  const tomorrow = new Date(Date.parse(today) + DAY_MS);
  const changes = OFFICE_SECTIONS.flatMap((one) => upcomingChangeMoments(settings, one, at));
  const office = { ...firstOffice, closures };
  const until = new Date(Math.min(tomorrow.getTime(), ...changes.map((one) => one.getTime())));
  cache.set(settings, { from: at, until, office });
  return office;
}

/** For a promise that is shown. */
export const currentOffice = async ({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<Office> =>
  officeInForce(await currentSettings(db), now());

/** For a promise that is made: as the transaction sees them. A closure entered after `at` does not count. */
export const readOffice = async (tx: Transaction, at: Date): Promise<Office> =>
  officeInForce(await readSettings(tx, OFFICE_SECTIONS), at);

/** Most days of one closure; a longer one is taken for a typing mistake. */
export const MAX_CLOSURE_DAYS = 31;
/** Years ahead in which the last day must lie. */
export const CLOSURE_YEARS_AHEAD = 2;

/** Why a closure is not accepted; texts are `settings:error.<code>`. */
export type ClosureProblem =
  | 'closure_backwards'
  | 'closure_past'
  | 'closure_long'
  | 'closure_far'
  | 'closure_overlaps';

const overlap = (one: Closure, other: Closure): boolean =>
  one.from <= other.to && other.from <= one.to;

/** Whether no two closures share a day. */
export const areClosuresApart = (closures: readonly Closure[]): boolean =>
  closures.every((one, index) => closures.slice(index + 1).every((other) => !overlap(one, other)));

/**
 * What is wrong with a new closure beside the existing ones; null for nothing. `today`: the day in UTC, which may still
 * be closed.
 */
export function closureProblem(
  { from, to }: { from: PlainDate; to: PlainDate },
  standing: readonly Closure[],
  today: PlainDate,
): ClosureProblem | null {
  if (to < from) return 'closure_backwards';
  if (from < today) return 'closure_past';
  if (to > addMonths(today, 12 * CLOSURE_YEARS_AHEAD)) return 'closure_far';
  if (daysInclusive(from, to) > MAX_CLOSURE_DAYS) return 'closure_long';
  return standing.some((one) => overlap(one, { from, to })) ? 'closure_overlaps' : null;
}
