import { dateOf, UTC, type PlainDate } from '~/base/dates/dates.ts';
import { comparerIn } from '~/base/intl.ts';
import { intlLocaleOf, type Language } from '~/base/languages.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { officeNow } from '~/features/settings/office.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { forecastSpan } from './forecast.ts';
import { bySpeed, type SoldSpeed } from './sold-speed.ts';
import {
  countByNationality,
  countPace,
  countPromises,
  countWaiting,
  countWork,
  lateApplications,
  type PersonRow,
} from './workload-store.server.ts';
import { spanOfDays, type DayPeriod } from '../frame/days.tsx';
import { sql } from 'drizzle-orm';
import { deskClaim, application } from '~/features/application/tables.server.ts';
import { isWaitingSql } from '~/features/application/queue-sql.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';

/** Late applications listed at once. */
const MOST_LATE = 50;

export const todayOf = (now: Date): PlainDate => dateOf(now, UTC);

/** The figures of a period, and what is waiting now, in one snapshot of the database. */
export async function workView(
  platform: Pick<Platform, 'db' | 'readLagging' | 'now'>,
  period: DayPeriod,
  { late, language }: { late: SoldSpeed | null; language: Language },
) {
  const now = platform.now();
  const span = spanOfDays(period);
  // A promise of later today has not fallen due.
  const past = { from: span.from, to: span.to > now ? now : span.to };
  const forecast = forecastSpan(now, await officeNow(platform));
  const read = await platform.readLagging((db) =>
    db.transaction(
      async (tx) => ({
        promises: await countPromises(tx, past),
        late: await lateApplications(tx, past, late, MOST_LATE + 1),
        work: await countWork(tx, span),
        held: await countHeld(tx, now),
        nationalities: await countByNationality(tx, span, now),
        waiting: await countWaiting(tx, now, forecast.ends),
        pace: await countPace(tx, { from: forecast.paceFrom, to: now }),
      }),
      { isolationLevel: 'repeatable read', accessMode: 'read only' },
    ),
  );
  const { paused, decided } = read.pace;
  const countries = new Map((await allCountries(platform)).map(({ code, name }) => [code, name]));
  return {
    asOf: now,
    promises: bySpeed(read.promises),
    late: read.late.slice(0, MOST_LATE),
    mostLate: read.late.length > MOST_LATE ? MOST_LATE : null,
    people: await named(platform.db, withHeld(read.work, read.held), language),
    everybody: totalOf(read.work, read.held),
    unheld: sumWaiting(read.waiting) - sumWaiting(read.held),
    nationalities: read.nationalities.map((row) => ({
      ...row,
      name: countryName({ code: row.code, name: countries.get(row.code) ?? row.code }, language),
    })),
    waiting: bySpeed(read.waiting),
    ends: forecast.ends,
    pace: { decided, workedHours: forecast.workedHours },
    paused,
  };
}

export type WorkView = Awaited<ReturnType<typeof workView>>;

/** What a person did in the period, and has in hand now. */
export type WorkingPerson = PersonRow & Omit<HeldRow, 'staffId'>;
export type NamedPerson = WorkingPerson & { name: string };

const NO_WORK = { decided: 0, corrections: 0, medianMs: null, ninetiethMs: null, waitedMs: null };

/** Everybody who decided something, or has an application now. */
function withHeld(work: readonly PersonRow[], held: readonly HeldRow[]): WorkingPerson[] {
  const done = new Map(work.flatMap((row) => (row.staffId === null ? [] : [[row.staffId, row]])));
  const has = new Map(held.map((row) => [row.staffId, row]));
  return [...new Set([...done.keys(), ...has.keys()])].map((staffId) => {
    const { waiting = 0, late = 0 } = has.get(staffId) ?? {};
    return { staffId, ...NO_WORK, ...done.get(staffId), waiting, late };
  });
}

const sumWaiting = (rows: readonly { waiting: number }[]): number =>
  rows.reduce((sum, { waiting }) => sum + waiting, 0);

/** Everybody together. */
function totalOf(work: readonly PersonRow[], held: readonly HeldRow[]): WorkingPerson {
  const late = held.reduce((sum, row) => sum + row.late, 0);
  const done = work.find(({ staffId }) => staffId === null);
  return { ...NO_WORK, ...done, staffId: null, waiting: sumWaiting(held), late };
}

/** By name: the order says nothing about the work. */
async function named(
  db: Platform['db'],
  rows: readonly WorkingPerson[],
  language: Language,
): Promise<NamedPerson[]> {
  const ids = rows.flatMap(({ staffId }) => staffId ?? []);
  const names = await staffNames(db, ids);
  return rows
    .flatMap((row) =>
      row.staffId === null ? [] : [{ ...row, name: names.get(row.staffId) ?? row.staffId }],
    )
    .toSorted((a, b) => comparerIn(intlLocaleOf(language))(a.name, b.name));
}

type HeldRow = {
  staffId: string;
  /** Applications waiting for staff that the person has now: assigned to them, or opened by them just now. */
  waiting: number;
  /** Of them past the promised moment. */
  late: number;
};

/** What of the queue each of the staff has now. */
async function countHeld(db: Queryable, now: Date): Promise<HeldRow[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { rows } = await db.execute<HeldRow>(sql`
    select c.staff_id as "staffId", count(*)::int as waiting,
      count(*) filter (where ${application}.promised_at < ${at})::int as late
    from ${deskClaim} c join ${application} on ${application}.id = c.application_id
    where c.expires_at > ${at} and ${application}.kind in ('visa', 'insurance') and ${isWaitingSql(application)}
    group by c.staff_id`);
  return rows;
}
