import { sql, type SQL } from 'drizzle-orm';
import { application, applicationEvent } from '~/features/application/tables.server.ts';
import { inGroupSql, isWaitingSql } from '~/features/application/queue-sql.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { SoldSpeed } from './sold-speed.ts';

/*
 * The figures of the manager's page, one statement each: promises by when they fell due (`application_promised`), what
 * staff did (`application_event_staff`) and have now (`desk_claim`), nationalities (`application_visa_paid`, `application_visa_decided`), and the
 * queue as it is (`application_queue`).
 */

export type MomentSpan = { readonly from: Date; readonly to: Date };

const within = (moment: SQL, { from, to }: MomentSpan): SQL =>
  sql`${moment} >= ${from.toISOString()}::timestamptz and ${moment} < ${to.toISOString()}::timestamptz`;

/** A plan of an insurance is no speed: minors' insurances are one row. */
const speedColumns = sql`a.kind, case when a.kind = 'visa' then a.service else '' end as service,
  coalesce(v.supporting_document_type is not null, false) as "withDocument"`;

const withVisa = sql`${application} a left join ${visaApplication} v on v.application_id = a.id`;

/**
 * Promises that fell due, of visas and minors' insurances: not those that the traveller withdrew, nor those that wait for
 * the traveller, whose promised moment will move.
 */
const fellDue = (span: MomentSpan): SQL => sql`a.paid_at is not null and a.promised_at is not null
  and ${within(sql`a.promised_at`, span)} and (a.decided_at is not null or a.paused_at is null)
  and a.rejection_code is distinct from 'withdrawn'`;

/** Not decided yet, or approved without its PDF: the traveller still waits. */
const isAwaited = sql`(a.decided_at is null or a.undelivered_since is not null)`;

const isKept = sql`(not ${isAwaited} and a.decided_at <= a.promised_at)`;

/** Promises that fell due in a span that ends now at the latest, and those of them that were kept. */
export type PromisesKept = { due: number; kept: number };

/**
 * The one figure of promises kept, by the steps of a period and, with null, in all. `starts`: the first day of every
 * step, in UTC.
 */
export async function countPromisesByStep(
  db: Queryable,
  span: MomentSpan,
  starts: readonly string[],
): Promise<(PromisesKept & { step: number | null })[]> {
  const midnights = starts.map((day) => `${day}T00:00:00Z`);
  const { rows } = await db.execute<PromisesKept & { step: number | null }>(sql`
    select step, count(*)::int as due, count(*) filter (where is_kept)::int as kept
    from (
      select width_bucket(a.promised_at, ${sql.param(midnights)}::timestamptz[]) - 1 as step, ${isKept} as is_kept
      from ${application} a where ${fellDue(span)}
    ) as promise group by grouping sets ((step), ())`);
  return rows;
}

export type PromiseRow = SoldSpeed & {
  due: number;
  kept: number;
  /** Decided after the promised moment. */
  late: number;
  /** Past the promised moment and not decided, or approved without its PDF. */
  overdue: number;
};

/** Promises due in a span that ends now at the latest, by speed. */
export async function countPromises(db: Queryable, span: MomentSpan): Promise<PromiseRow[]> {
  const { rows } = await db.execute<PromiseRow>(sql`
    select kind, service, "withDocument", count(*)::int as due,
      count(*) filter (where is_kept)::int as kept,
      count(*) filter (where not is_kept and not is_awaited)::int as late,
      count(*) filter (where is_awaited)::int as overdue
    from (
      select ${speedColumns}, ${isKept} as is_kept, ${isAwaited} as is_awaited from ${withVisa} where ${fellDue(span)}
    ) as promise group by kind, service, "withDocument"`);
  return rows;
}

/** `decidedAt`: null while the traveller still waits. */
export type LateRow = SoldSpeed & { number: string; promisedAt: Date; decidedAt: Date | null };

/** The late ones of them, the newest promise first; of one speed, or of all. */
export async function lateApplications(
  db: Queryable,
  span: MomentSpan,
  speed: SoldSpeed | null,
  limit: number,
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
      case when not ${isAwaited} then a.decided_at end as "decidedAt"
    from ${withVisa} where ${fellDue(span)} and not ${isKept} and ${isOfSpeed}
    order by a.promised_at desc, a.id desc limit ${limit}`);
  return rows.map(({ promisedAt, decidedAt, ...row }) => ({
    ...row,
    promisedAt: new Date(promisedAt),
    decidedAt: decidedAt === null ? null : new Date(decidedAt),
  }));
}

export type PersonRow = {
  /** Null: everybody. */
  staffId: string | null;
  decided: number;
  corrections: number;
  /** Milliseconds from the person's first look to the decision: the median and the 90th percentile. Null if unknown. */
  medianMs: number | null;
  ninetiethMs: number | null;
  /** Milliseconds from payment until anybody looked: the median. */
  waitedMs: number | null;
};

/**
 * Decisions of staff in a span, and what they asked travellers to correct. When somebody looked is read from the audit
 * trail; a decision that was made by a call, without looking here, counts in no time.
 */
export async function countWork(db: Queryable, span: MomentSpan): Promise<PersonRow[]> {
  const { rows } = await db.execute<PersonRow>(sql`
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

export type NationalityRow = {
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
export async function countByNationality(
  db: Queryable,
  span: MomentSpan,
  now: Date,
): Promise<NationalityRow[]> {
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
        order by extract(epoch from ${now.toISOString()}::timestamptz - paid_at) * 1000)::float8, 0, 0
      from ${application} where kind = 'visa' and ${isWaitingSql(application)} group by country_code
    ) as counted group by code order by sum(arrived) + sum(waiting) desc, code`);
  return rows;
}

export type WaitingRow = SoldSpeed & {
  /** Past the promised moment. */
  late: number;
  /** Due by the end of each horizon, without the late ones. */
  first: number;
  second: number;
  /** All that wait for staff, also those due later or without a promise. */
  waiting: number;
};

/** What waits for staff now, by speed and by when it falls due. */
export async function countWaiting(
  db: Queryable,
  now: Date,
  [first, second]: readonly [Date, Date],
): Promise<WaitingRow[]> {
  const until = (end: Date) => sql`promised_at >= ${now.toISOString()}::timestamptz
    and promised_at <= ${end.toISOString()}::timestamptz`;
  const { rows } = await db.execute<WaitingRow>(sql`
    select kind, service, "withDocument", count(*)::int as waiting,
      count(*) filter (where promised_at < ${now.toISOString()}::timestamptz)::int as late,
      count(*) filter (where ${until(first)})::int as first,
      count(*) filter (where ${until(second)})::int as second
    from (
      select ${speedColumns}, a.promised_at from (
        select * from ${application} where kind in ('visa', 'insurance') and ${isWaitingSql(application)}
      ) a left join ${visaApplication} v on v.application_id = a.id
    ) as open group by kind, service, "withDocument"`);
  return rows;
}

/** Decisions of staff since a moment, and what waits for travellers now. */
export async function countPace(
  db: Queryable,
  span: MomentSpan,
): Promise<{ decided: number; paused: number }> {
  const { rows } = await db.execute<{ decided: number; paused: number }>(sql`
    select (
      select count(*) from ${applicationEvent} e where e.staff_id is not null
        and e.kind in ('approved', 'rejected') and ${within(sql`e.at`, span)}
    )::int as decided, (
      select count(*) from ${application} where kind in ('visa', 'insurance') and ${inGroupSql(application, 'paused')}
    )::int as paused`);
  return rows[0] ?? { decided: 0, paused: 0 };
}
