import { sql, type SQL } from 'drizzle-orm';
import { type Language, intlLocale } from '~/base/languages.ts';
import { countryName } from '~/features/catalog/names.server.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import type { Database, Transaction, Queryable } from '~/platform/postgres/database.server.ts';
import { DAY_MS } from '~/base/dates/dates.ts';
import type { Office } from '~/base/dates/office.ts';
import { addWorkingHours, workingHoursBetween } from '~/base/dates/working-hours.ts';
import { makeComparer } from '~/base/intl.ts';
import { inGroupSql, isWaitingSql } from '~/features/application/queue-sql.server.ts';
import { application, applicationEvent, deskClaim } from '~/features/application/tables.server.ts';
import { currentOffice } from '~/features/settings/office.server.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { moment, within, type Span } from '~/platform/postgres/span.server.ts';
import {
  isAwaitedSql,
  isPromiseKeptSql,
  promiseFellDueSql,
  type PromisesKept,
} from '~/features/application/promise-record.server.ts';
import { spanOf, type Period } from './period.tsx';
import { sortBySpeed, type SoldSpeed } from './sold-speed.ts';

/* What the reports have in common: steps of time, one snapshot for all figures of a page, names of nationalities. */

/** The number of a moment's step, from 0. `starts`: the first day of every step, in UTC. */
export const stepOf = (at: SQL, starts: readonly string[]): SQL =>
  sql`width_bucket(${at}, ${sql.param(starts.map((day) => `${day}T00:00:00Z`))}::timestamptz[]) - 1`;

/** Reads all figures of a page in one snapshot of the database. */
export const readSnapshot = <Figures>(
  db: Database,
  read: (tx: Transaction) => Promise<Figures>,
): Promise<Figures> =>
  db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });

/** Rows of nationalities with their names. */
export async function nameNationalities<Row extends { code: string }>(
  platform: Parameters<typeof allCountries>[0],
  rows: readonly Row[],
  language: Language,
): Promise<(Row & { name: string })[]> {
  const names = new Map((await allCountries(platform)).map(({ code, name }) => [code, name]));
  return rows.map((row) => ({
    ...row,
    name: countryName({ code: row.code, name: names.get(row.code) ?? row.code }, language),
  }));
}

/*
 * The figures of the manager's page, one statement each: promises by when they fell due (`application_promised`), what
 * staff did (`application_event_staff`) and have now (`desk_claim`), nationalities (`application_visa_paid`,
 * `application_visa_decided`), and the queue as it is (`application_queue`).
 */

/** Late applications listed at once. */
const MAX_LATE = 50;

export type WorkView = Awaited<ReturnType<typeof workView>>;

/** The figures of a period, and what is waiting now, in one snapshot of the database. */
export async function workView(
  platform: Pick<Platform, 'db' | 'readLagging' | 'now'>,
  period: Period,
  { late, language }: { late: SoldSpeed | null; language: Language },
) {
  const now = platform.now();
  const span = spanOf(period);
  const { ends, paceFrom, workedHours } = forecastSpan(now, await currentOffice(platform));
  const read = await platform.readLagging((db) =>
    readSnapshot(db, async (tx) => ({
      promises: await countPromises(tx, span, now),
      late: await lateApplications(tx, span, now, late),
      people: [...(await countWork(tx, span)), ...(await countHeld(tx, now))],
      nationalities: await countByNationality(tx, span, now),
      waiting: await countWaiting(tx, now, ends),
      pace: await countPace(tx, { from: paceFrom, to: now }),
    })),
  );
  const personOf = (id: string | null): WorkingPerson =>
    read.people.reduce(
      (all, { staffId, ...figures }) => (staffId === id ? { ...all, ...figures } : all),
      NO_WORK,
    );
  const everybody = personOf(null);
  const ids = [...new Set(read.people.flatMap(({ staffId }) => staffId ?? []))];
  const names = await staffNames(platform.db, ids);
  const hourly = hourlyPace({ decided: read.pace.decided, workedHours });
  const { late: overdue, first, second } = read.waiting.all;
  return {
    asOf: now,
    promises: read.promises,
    late: read.late.slice(0, MAX_LATE),
    mostLate: read.late.length > MAX_LATE ? MAX_LATE : null,
    // By name: the order says nothing about the work.
    people: ids
      .map((id) => ({ id, name: names.get(id) ?? id, ...personOf(id) }))
      .toSorted((a, b) => makeComparer(intlLocale(language))(a.name, b.name)),
    everybody,
    unheld: read.waiting.all.waiting - everybody.waiting,
    nationalities: await nameNationalities(platform, read.nationalities, language),
    waiting: read.waiting,
    pace: { ...read.pace, workedHours, hourly, days: PACE_DAYS },
    /** What falls due by the end of each horizon, late ones included, and what is decided by then at that pace. */
    horizons: horizons.map((hours, index) => ({
      hours,
      end: ends[index] ?? now,
      due: overdue + (index === 0 ? first : second),
      able: hourly === null ? null : Math.floor(hourly * hours),
    })),
  };
}

/** Working hours ahead that the forecast looks at. */
const horizons = [8, 24] as const;
/** Calendar days back over which the pace is measured: each weekday once. */
const PACE_DAYS = 7;
/** Where the forecast's hours end, and where those of the pace begin; by the working hours that promises count. */
export function forecastSpan(now: Date, office: Office) {
  const paceFrom = new Date(now.getTime() - PACE_DAYS * DAY_MS);
  const [first, second] = horizons;
  return {
    ends: [addWorkingHours(now, first, office), addWorkingHours(now, second, office)] as const,
    paceFrom,
    workedHours: workingHoursBetween(paceFrom, now, office),
  };
}

/** Decisions of staff in an hour of work; null where none was worked. */
export const hourlyPace = ({ decided, workedHours }: { decided: number; workedHours: number }) =>
  workedHours > 0 ? decided / workedHours : null;

type BySpeed<Figures> = { rows: (SoldSpeed & Figures)[]; all: Figures };

/** Figures by speed, and of all of them: the row without a kind. */
function splitBySpeed<Figures>(
  found: readonly ((SoldSpeed | { kind: null }) & Figures)[],
): BySpeed<Figures> {
  const all = found.find(({ kind }) => kind === null);
  if (!all) throw new Error('The figures were not counted');
  const rows = found.filter((row): row is SoldSpeed & Figures => row.kind !== null);
  return { rows: sortBySpeed(rows), all };
}

const GROUPS_OF_SPEED = sql`grouping sets ((kind, service, "withDocument"), ())`;

/** A plan of an insurance is no speed: minors' insurances are one row. */
const speedColumns = sql`a.kind, case when a.kind = 'visa' then a.service else '' end as service,
  coalesce(v.supporting_document_type is not null, false) as "withDocument"`;

const withVisa = sql`${application} a left join ${visaApplication} v on v.application_id = a.id`;

/** The one figure of promises kept, by the steps of a period and, without a step, in all. */
export async function countPromisesByStep(
  db: Queryable,
  period: Period,
  now: Date,
): Promise<(PromisesKept & { step: number | null })[]> {
  const { rows } = await db.execute<PromisesKept & { step: number | null }>(sql`
    select step, count(*)::int as due, count(*) filter (where is_kept)::int as kept
    from (
      select ${stepOf(sql`a.promised_at`, period.starts)} as step, ${isPromiseKeptSql} as is_kept
      from ${application} a where ${promiseFellDueSql(spanOf(period), now)}
    ) as promise group by grouping sets ((step), ())`);
  return rows;
}

type PromiseFigures = PromisesKept & {
  /** Decided after the promised moment. */
  late: number;
  /** Past the promised moment and not decided, or approved without its PDF. */
  overdue: number;
};

/** Promises that fell due, by speed. */
export async function countPromises(
  db: Queryable,
  span: Span,
  now: Date,
): Promise<BySpeed<PromiseFigures>> {
  const { rows } = await db.execute<(SoldSpeed | { kind: null }) & PromiseFigures>(sql`
    select kind, service, "withDocument", count(*)::int as due,
      count(*) filter (where is_kept)::int as kept,
      count(*) filter (where not is_kept and not is_awaited)::int as late,
      count(*) filter (where is_awaited)::int as overdue
    from (
      select ${speedColumns}, ${isPromiseKeptSql} as is_kept, ${isAwaitedSql} as is_awaited from ${withVisa}
      where ${promiseFellDueSql(span, now)}
    ) as promise group by ${GROUPS_OF_SPEED}`);
  return splitBySpeed(rows);
}

/** `decidedAt`: null while the traveller still waits. */
type LateRow = SoldSpeed & { number: string; promisedAt: Date; decidedAt: Date | null };

/** The late ones of them, the newest promise first; of one speed, or of all. */
async function lateApplications(
  db: Queryable,
  span: Span,
  now: Date,
  speed: SoldSpeed | null,
): Promise<LateRow[]> {
  const isOfSpeed =
    speed === null
      ? sql`true`
      : speed.kind === 'insurance'
        ? sql`a.kind = 'insurance'`
        : sql`a.kind = 'visa' and a.service = ${speed.service}
            and (v.supporting_document_type is not null) = ${speed.withDocument}`;
  const { rows } = await db.execute<
    Omit<LateRow, 'promisedAt' | 'decidedAt'> & { promisedAt: string; decidedAt: string | null }
  >(sql`
    select ${speedColumns}, a.number, a.promised_at as "promisedAt",
      case when not ${isAwaitedSql} then a.decided_at end as "decidedAt"
    from ${withVisa} where ${promiseFellDueSql(span, now)} and not ${isPromiseKeptSql} and ${isOfSpeed}
    order by a.promised_at desc, a.id desc limit ${MAX_LATE + 1}`);
  return rows.map(({ promisedAt, decidedAt, ...row }) => ({
    ...row,
    promisedAt: new Date(promisedAt),
    decidedAt: decidedAt === null ? null : new Date(decidedAt),
  }));
}

/** What a person, or everybody, did in the period, and has in hand now. */
type WorkingPerson = {
  decided: number;
  corrections: number;
  /** Milliseconds from the person's first look to the decision: the median and the 90th percentile. Null if unknown. */
  medianMs: number | null;
  ninetiethMs: number | null;
  /** Milliseconds from payment until anybody looked: the median. */
  waitedMs: number | null;
  /** Applications waiting for staff that the person has now: assigned to them, or opened by them just now. */
  waiting: number;
  /** Of them past the promised moment. */
  late: number;
};

const NO_WORK: WorkingPerson = {
  decided: 0,
  corrections: 0,
  medianMs: null,
  ninetiethMs: null,
  waitedMs: null,
  waiting: 0,
  late: 0,
};

/** `staffId`: null for everybody. */
type HeldRow = { staffId: string | null } & Pick<WorkingPerson, 'waiting' | 'late'>;
type WorkRow = { staffId: string | null } & Omit<WorkingPerson, 'waiting' | 'late'>;

/** What of the queue each of the staff has now. */
async function countHeld(db: Queryable, now: Date): Promise<HeldRow[]> {
  const { rows } = await db.execute<HeldRow>(sql`
    select c.staff_id as "staffId", count(*)::int as waiting,
      count(*) filter (where ${application}.promised_at < ${moment(now)})::int as late
    from ${deskClaim} c join ${application} on ${application}.id = c.application_id
    where c.expires_at > ${moment(now)} and ${application}.kind in ('visa', 'insurance') and ${isWaitingSql(application)}
    group by grouping sets ((c.staff_id), ())`);
  return rows;
}

/**
 * Decisions of staff in a span, and what they asked travellers to correct. When somebody looked is read from the audit
 * trail; a decision that was made by a call, without looking here, counts in no time.
 */
async function countWork(db: Queryable, span: Span): Promise<WorkRow[]> {
  const { rows } = await db.execute<WorkRow>(sql`
    with done as (
      select e.staff_id, e.at, e.kind, e.application_id from ${applicationEvent} e
      where e.staff_id is not null and e.kind in ('approved', 'rejected', 'correction_asked')
        and ${within(sql`e.at`, span)}
    ), timed as (
      select d.staff_id, d.kind = 'correction_asked' as is_correction,
        extract(epoch from d.at - looked.own) * 1000 as took,
        extract(epoch from looked.first - a.paid_at) * 1000 as waited
      from done d left join ${application} a on a.id = d.application_id and d.kind <> 'correction_asked'
        left join lateral (
          select min(l.at) as first, min(l.at) filter (where l.staff_id = d.staff_id) as own
          from ${auditEntry} l
          where l.subject_kind = 'application' and l.subject_id = a.id::text
            and l.action = 'application_viewed' and l.at >= a.paid_at and l.at <= d.at
        ) looked on true
    )
    select staff_id as "staffId", count(*) filter (where not is_correction)::int as decided,
      count(*) filter (where is_correction)::int as corrections,
      (percentile_disc(0.5) within group (order by took))::float8 as "medianMs",
      (percentile_disc(0.9) within group (order by took))::float8 as "ninetiethMs",
      (percentile_disc(0.5) within group (order by waited))::float8 as "waitedMs"
    from timed group by grouping sets ((staff_id), ())`);
  return rows;
}

type NationalityRow = {
  code: string;
  /** Paid in the span. */
  arrived: number;
  /** Waiting for staff now, and for how long the median of them, in milliseconds since payment. */
  waiting: number;
  waitingMs: number | null;
  /** Decided in the span, without what travellers withdrew, and rejected of them. */
  decided: number;
  rejected: number;
};

/** Paid visa applications by nationality, those with most to do first. */
async function countByNationality(db: Queryable, span: Span, now: Date): Promise<NationalityRow[]> {
  const none = sql`null::float8`;
  // Rejections alone are looked at one by one; the index has the others whole.
  const isDecided = sql`kind = 'visa' and paid_at is not null and decided_at is not null
    and ${within(sql`decided_at`, span)}`;
  const { rows } = await db.execute<NationalityRow>(sql`
    select code, sum(arrived)::int as arrived, sum(waiting)::int as waiting, max(waiting_ms) as "waitingMs",
      sum(decided)::int as decided, sum(rejected)::int as rejected
    from (
      select country_code as code, count(*) as arrived, 0 as waiting, ${none} as waiting_ms, 0 as decided, 0 as rejected
      from ${application} where kind = 'visa' and paid_at is not null and ${within(sql`paid_at`, span)}
      group by country_code
      union all
      select country_code, 0, 0, ${none}, count(*), 0
      from ${application} where ${isDecided} and status = 'approved' group by country_code
      union all
      select country_code, 0, 0, ${none}, count(*), count(*)
      from ${application} where ${isDecided} and status = 'rejected' and rejection_code is distinct from 'withdrawn'
      group by country_code
      union all
      select country_code, 0, count(*), percentile_disc(0.5) within group (
        order by extract(epoch from ${moment(now)} - paid_at) * 1000)::float8, 0, 0
      from ${application} where kind = 'visa' and ${isWaitingSql(application)} group by country_code
    ) as counted group by code order by sum(arrived) + sum(waiting) desc, code`);
  return rows;
}

type WaitingFigures = {
  /** Past the promised moment. */
  late: number;
  /** Due by the end of each horizon, without the late ones. */
  first: number;
  second: number;
  /** All that wait for staff, also those due later or without a promise. */
  waiting: number;
};

/** What waits for staff now, by speed and by when it falls due. */
async function countWaiting(
  db: Queryable,
  now: Date,
  [first, second]: readonly [Date, Date],
): Promise<BySpeed<WaitingFigures>> {
  const until = (end: Date) => sql`promised_at >= ${moment(now)}
    and promised_at <= ${moment(end)}`;
  const { rows } = await db.execute<(SoldSpeed | { kind: null }) & WaitingFigures>(sql`
    select kind, service, "withDocument", count(*)::int as waiting,
      count(*) filter (where promised_at < ${moment(now)})::int as late,
      count(*) filter (where ${until(first)})::int as first,
      count(*) filter (where ${until(second)})::int as second
    from (
      select ${speedColumns}, a.promised_at from (
        select * from ${application} where kind in ('visa', 'insurance') and ${isWaitingSql(application)}
      ) a left join ${visaApplication} v on v.application_id = a.id
    ) as open group by ${GROUPS_OF_SPEED}`);
  return splitBySpeed(rows);
}

/** Decisions of staff since a moment, and what waits for travellers now. */
async function countPace(db: Queryable, span: Span): Promise<{ decided: number; paused: number }> {
  const { rows } = await db.execute<{ decided: number; paused: number }>(sql`
    select (
      select count(*) from ${applicationEvent} e where e.staff_id is not null
        and e.kind in ('approved', 'rejected') and ${within(sql`e.at`, span)}
    )::int as decided, (
      select count(*) from ${application} where kind in ('visa', 'insurance') and ${inGroupSql(application, 'paused')}
    )::int as paused`);
  return rows[0] ?? { decided: 0, paused: 0 };
}
