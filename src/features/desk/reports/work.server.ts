import { sql } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Office } from '~/base/dates/office.ts';
import { addWorkingHours } from '~/base/dates/working-hours.ts';
import { isWaitingSql } from '~/features/application/queue-sql.server.ts';
import { application, applicationEvent, deskClaim } from '~/features/application/tables.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { moment, within, type Span } from '~/platform/postgres/span.server.ts';
import {
  isAwaitedSql,
  isPromiseKeptSql,
  promiseFellDueSql,
  type PromisesKept,
} from '~/features/application/promise-record.server.ts';
import { sortBySpeed, type SoldSpeed } from './sold-speed.ts';

/*
 * What managers see of the work, one statement each: promises by when they fell due (`application_promised`), what staff
 * did (`application_event_staff`) and have now (`desk_claim`), and the queue as it is (`application_queue`).
 */

/** Late applications listed at once. */
const MAX_LATE = 50;

export type WorkView = Awaited<ReturnType<typeof readWork>>;

/** The figures of a span, and what is waiting now. `people` are by id; `name` them. */
export async function readWork(
  db: Queryable,
  { span, now, office }: { span: Span; now: Date; office: Office },
) {
  const promises = await countPromisesBySpeed(db, span, now);
  const late = await lateApplications(db, span, now);
  const work = [...(await countWork(db, span)), ...(await countHeld(db, now))];
  const waiting = await countWaiting(db, now, office);
  const personOf = (id: string | null): WorkingPerson =>
    work.reduce(
      (all, { staffId, ...figures }) => (staffId === id ? { ...all, ...figures } : all),
      NO_WORK,
    );
  const everybody = personOf(null);
  const ids = [...new Set(work.flatMap(({ staffId }) => staffId ?? []))];
  return {
    promises,
    late: late.slice(0, MAX_LATE),
    mostLate: late.length > MAX_LATE ? MAX_LATE : null,
    people: ids.map((id) => ({ id, ...personOf(id) })),
    everybody,
    unheld: waiting.all.waiting - everybody.waiting,
    waiting,
    hoursAhead: HOURS_AHEAD,
  };
}

/** Working hours ahead that are looked at. */
const HOURS_AHEAD = [8, 24] as const;

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

type PromiseFigures = PromisesKept & {
  /** Decided after the promised moment. */
  late: number;
  /** Past the promised moment and not decided, or approved without its PDF. */
  overdue: number;
};

/** Promises that fell due, by speed. */
export async function countPromisesBySpeed(
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

/** The late ones of them, the newest promise first. */
async function lateApplications(db: Queryable, span: Span, now: Date): Promise<LateRow[]> {
  const { rows } = await db.execute<
    Omit<LateRow, 'promisedAt' | 'decidedAt'> & { promisedAt: string; decidedAt: string | null }
  >(sql`
    select ${speedColumns}, a.number, a.promised_at as "promisedAt",
      case when not ${isAwaitedSql} then a.decided_at end as "decidedAt"
    from ${withVisa} where ${promiseFellDueSql(span, now)} and not ${isPromiseKeptSql}
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

type WaitingFigures = {
  /** Past the promised moment. */
  late: number;
  /** Due within `HOURS_AHEAD`, without the late ones. */
  first: number;
  second: number;
  /** All that wait for staff, also those due later or without a promise. */
  waiting: number;
};

/** What waits for staff now, by speed and by when it falls due. */
async function countWaiting(
  db: Queryable,
  now: Date,
  office: Office,
): Promise<BySpeed<WaitingFigures>> {
  const [first, second] = HOURS_AHEAD;
  const within = (hours: number) => sql`promised_at >= ${moment(now)}
    and promised_at <= ${moment(addWorkingHours(now, hours, office))}`;
  const { rows } = await db.execute<(SoldSpeed | { kind: null }) & WaitingFigures>(sql`
    select kind, service, "withDocument", count(*)::int as waiting,
      count(*) filter (where promised_at < ${moment(now)})::int as late,
      count(*) filter (where ${within(first)})::int as first,
      count(*) filter (where ${within(second)})::int as second
    from (
      select ${speedColumns}, a.promised_at from (
        select * from ${application} where kind in ('visa', 'insurance') and ${isWaitingSql(application)}
      ) a left join ${visaApplication} v on v.application_id = a.id
    ) as open group by ${GROUPS_OF_SPEED}`);
  return splitBySpeed(rows);
}
