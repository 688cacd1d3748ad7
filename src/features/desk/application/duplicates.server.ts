import { createHash } from 'node:crypto';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  sortPair,
  isSamePerson,
  pairText,
  findDuplicateReasons,
  type DuplicateReason,
  type OpenDuplicate,
  type TripFacts,
} from './duplicates.ts';
import { readWhy, type WhyError } from './note.ts';
import { inArray, or, sql, type SQL } from 'drizzle-orm';
import { addDays, parseDate } from '~/base/dates/dates.ts';
import { closedNameSql } from '~/features/application/queue-sql.server.ts';
import { application, applicationEarlierPassport } from '~/features/application/tables.server.ts';
import { insuranceApplication } from '~/features/insurance/store/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { listedName } from '~/features/application/full-name.ts';
import { deskDismissal } from './tables.server.ts';

type Pair = { one: TripFacts; other: TripFacts; reasons: DuplicateReason[]; facts: Buffer };

const factsOf = (one: TripFacts, other: TripFacts): Buffer =>
  createHash('sha256').update(pairText(one, other)).digest();

function pairOf(one: TripFacts | undefined, other: TripFacts | undefined): Pair | null {
  if (!one || !other?.paid) return null;
  const reasons = findDuplicateReasons(one, other);
  return reasons.length === 0 ? null : { one, other, reasons, facts: factsOf(one, other) };
}

type Found = Pair & { isDismissed: boolean };

/** Every pair of one of these applications and another, paid one that may be a duplicate, in one statement. */
async function pairsOf(db: Queryable, applicationIds: readonly string[]): Promise<Found[]> {
  const alike = await alikeOf(db, applicationIds);
  return [...alike.values()].flatMap(({ trip, others, dismissed }) =>
    others.flatMap((id) => {
      const pair = pairOf(trip, alike.get(id)?.trip);
      return pair ? { ...pair, isDismissed: dismissed.includes(pair.facts.toString('hex')) } : [];
    }),
  );
}

/** Which of these applications have a possible duplicate that was not dismissed. */
export async function duplicateMarks(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const pairs = await pairsOf(db, ids);
  return new Set(pairs.flatMap(({ one, isDismissed }) => (isDismissed ? [] : one.id)));
}

/** The same, of those alone that seem to be of one person: they are approved only by who says that they checked it. */
export async function samePersonMarks(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const pairs = await pairsOf(db, ids);
  return new Set(
    pairs.flatMap(({ one, reasons, isDismissed }) =>
      isDismissed || !isSamePerson(reasons) ? [] : one.id,
    ),
  );
}

type Duplicate = {
  trip: TripFacts;
  reasons: DuplicateReason[];
  dismissal: Dismissal | null;
};

/** The possible duplicates of one application, and the dismissed ones. */
export async function findDuplicates(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  applicationId: string,
): Promise<Duplicate[]> {
  const pairs = await pairsOf(db, [applicationId]);
  const dismissals = pairs.some(({ isDismissed }) => isDismissed)
    ? await dismissalsOf(db, sealer, applicationId)
    : new Map<string, Dismissal>();
  return pairs
    .map(({ other, reasons, facts }) => ({
      trip: other,
      reasons,
      dismissal: dismissals.get(facts.toString('hex')) ?? null,
    }))
    .toSorted((a, b) => (a.trip.from < b.trip.from ? -1 : 1));
}

/** Those that nobody has dismissed, of the same person first, as the desk shows them beside a decision. */
export async function openDuplicates(
  opening: { db: Queryable; sealer: Sealer },
  id: string,
): Promise<OpenDuplicate[]> {
  const found = await findDuplicates(opening, id);
  return found
    .filter(({ dismissal }) => dismissal === null)
    .toSorted(
      (one, other) => Number(isSamePerson(other.reasons)) - Number(isSamePerson(one.reasons)),
    )
    .map(({ trip: { number, name, status }, reasons }) => ({ number, name, status, reasons }));
}

/**
 * Records that two applications are no duplicates, and why: the warning ends for both until their compared facts
 * change. The applications stay as they are.
 */
export async function dismissDuplicate(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  staff: Staff,
  { applicationId, otherId, typed }: { applicationId: string; otherId: string; typed: string },
): Promise<Outcome<null, WhyError | 'unknown_duplicate'>> {
  const why = readWhy(typed);
  if (!why.ok) return why;
  const at = now();
  return db.transaction(async (tx) => {
    await lockBoth(tx, [applicationId, otherId]);
    const trips = await tripsOf(tx, [applicationId, otherId]);
    const named = (id: string) => trips.find((trip) => trip.id === id);
    const pair = pairOf(named(applicationId), named(otherId));
    if (!pair) return refused('unknown_duplicate');
    const [one, other] = sortPair(pair.one, pair.other);
    const row = { oneId: one.id, otherId: other.id, facts: pair.facts, why: why.value };
    const isNew = await insertDismissal(tx, sealer, { ...row, staffId: staff.id, dismissedAt: at });
    if (!isNew) return ok(null);
    for (const [id, against] of [
      [one.id, other.id],
      [other.id, one.id],
    ] as const) {
      await audit(tx, {
        at,
        staffId: staff.id,
        action: 'duplicate_dismissed',
        subject: { kind: 'application', id },
        detail: { otherId: against, reasons: pair.reasons.join(' ') },
      });
    }
    return ok(null);
  });
}

/** Most matches of one passport or address that are listed. */
const MAX_MATCHES = 50;

type TripRow = Pick<TripFacts, 'id' | 'kind' | 'number' | 'status' | 'paid' | 'orderNumber'> & {
  email: string;
  from: string;
  firstName: string;
  lastName: string;
  person: string;
  stayDays: number | null;
  returnDate: string | null;
  passport: string | null;
  earlier: string[];
};

/** The compared columns of application `a` with its answers `v` or `i`. */
const tripColumns = sql`a.id, a.kind, a.number, a.status, a.paid_at is not null as paid,
  a.order_number as "orderNumber", lower(a.email) as email, a.starts_on::text as "from",
  a.first_name as "firstName", a.last_name as "lastName",
  ${closedNameSql(sql`a.last_name`)} || ' ' || ${closedNameSql(sql`a.first_name`)} || ' ' || a.date_of_birth as person, v.stay_days as "stayDays",
  i.return_date::text as "returnDate",
  encode(coalesce(v.passport_hash, i.passport_hash), 'hex') as passport,
  array(select encode(e.passport_hash, 'hex') from ${applicationEarlierPassport} e
    where e.application_id = a.id) as earlier`;
const withAnswers = sql`left join ${visaApplication} v on v.application_id = a.id
  left join ${insuranceApplication} i on i.application_id = a.id`;

/** Null for one without answers. */
function tripOf(row: TripRow): TripFacts | null {
  const { firstName, lastName, stayDays, returnDate, passport, from, ...facts } = row;
  const start = parseDate(from);
  if (!passport || !start) return null;
  const until = returnDate ?? addDays(start, Math.max(0, (stayDays ?? 1) - 1));
  return { ...facts, name: listedName({ firstName, lastName }), from, until, passport };
}

const uuids = (ids: readonly string[]): SQL => sql`${sql.param([...ids])}::uuid[]`;

/** The compared facts of some applications; those without answers are left out. */
async function tripsOf(db: Queryable, ids: string[]): Promise<TripFacts[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.execute<TripRow>(
    sql`select ${tripColumns} from ${application} a ${withAnswers} where a.id = any(${uuids(ids)})`,
  );
  return rows.flatMap((row) => tripOf(row) ?? []);
}

/** An application's facts, the ids of similar ones, and its dismissals, as hashes of the facts in hexadecimal. */
type SimilarApplications = {
  trip: TripFacts;
  others: readonly string[];
  dismissed: readonly string[];
};

/**
 * Paid applications that share a passport (now or earlier), email and first day, or order and birth date with one of
 * these: more than the rule accepts, but found by indexes. Returns both sides of every pair, by id; `others` is empty
 * for those that were not asked about. One statement, usually with an empty result.
 */
async function alikeOf(
  db: Queryable,
  ids: readonly string[],
): Promise<Map<string, SimilarApplications>> {
  if (ids.length === 0) return new Map();
  const rows = await alike(db).execute({ ids: [...ids] });
  return new Map(
    rows.flatMap(({ others, dismissed, ...row }) => {
      const trip = tripOf(row);
      return trip ? [[trip.id, { trip, others, dismissed }] as const] : [];
    }),
  );
}

const sharing = (
  table: typeof visaApplication | typeof insuranceApplication | typeof applicationEarlierPassport,
) =>
  sql`select p.id, o.id as other from passports p cross join lateral (
    select o.id from ${table} t join ${application} o on o.id = t.application_id
    where t.passport_hash = p.hash and t.application_id <> p.id and o.paid_at is not null
    limit ${MAX_MATCHES}) o`;

const alike = prepareOnce((db) => {
  const ids = sql`${sql.placeholder('ids')}::uuid[]`;
  const found = sql`
    with mine as materialized (
      select a.id, a.kind, a.order_number, a.date_of_birth, lower(a.email) as email, a.starts_on,
        coalesce(v.passport_hash, i.passport_hash) as hash
      from ${application} a ${withAnswers} where a.id = any(${ids})),
    passports as materialized (
      select id, hash from mine where hash is not null
      union all select e.application_id, e.passport_hash from ${applicationEarlierPassport} e
        where e.application_id = any(${ids})),
    alike as materialized (
      select m.id, o.id as other from mine m cross join lateral (
        select o.id from ${application} o
        where lower(o.email) = m.email and o.starts_on = m.starts_on and o.kind = m.kind and o.id <> m.id
          and o.paid_at is not null
        limit ${MAX_MATCHES}) o
      where m.hash is not null
      union select m.id, o.id as other from mine m join ${application} o on o.order_number = m.order_number
        where m.hash is not null and o.date_of_birth = m.date_of_birth and o.kind = m.kind and o.id <> m.id
          and o.paid_at is not null
      union ${sharing(visaApplication)}
      union ${sharing(insuranceApplication)}
      union ${sharing(applicationEarlierPassport)})
    select ${tripColumns}, array(select other from alike where alike.id = a.id) as others,
      array(select encode(d.facts, 'hex') from ${deskDismissal} d
        where d.one_id = a.id or d.other_id = a.id) as dismissed
    from (select id from alike union select other from alike) found
    join ${application} a on a.id = found.id ${withAnswers}`;
  return db
    .select({
      id: sql<string>`id`,
      kind: sql<TripRow['kind']>`kind`,
      number: sql<string>`number`,
      status: sql<TripRow['status']>`status`,
      paid: sql<boolean>`paid`,
      orderNumber: sql<string>`"orderNumber"`,
      email: sql<string>`email`,
      from: sql<string>`"from"`,
      person: sql<string>`person`,
      firstName: sql<string>`"firstName"`,
      lastName: sql<string>`"lastName"`,
      stayDays: sql<number | null>`"stayDays"`,
      returnDate: sql<string | null>`"returnDate"`,
      passport: sql<string | null>`passport`,
      earlier: sql<string[]>`earlier`,
      others: sql<string[]>`others`,
      dismissed: sql<string[]>`dismissed`,
    })
    .from(sql`(${found}) alike`)
    .prepare(UNNAMED);
});

type Dismissal = { facts: Buffer; why: string; staffId: string; dismissedAt: Date };
type DismissedPair = { oneId: string; otherId: string; facts: Buffer };

const whyOf = ({ oneId, otherId, facts }: DismissedPair) =>
  `desk_dismissal.why:${oneId}:${otherId}:${facts.toString('hex')}`;

/** Returns false where the pair was dismissed before. */
async function insertDismissal(
  tx: Transaction,
  sealer: Sealer,
  { why, ...row }: DismissedPair & { why: string; staffId: string; dismissedAt: Date },
): Promise<boolean> {
  const rows = await tx
    .insert(deskDismissal)
    .values({ ...row, why: sealer.seal(why, whyOf(row)) })
    .onConflictDoNothing()
    .returning({ id: deskDismissal.oneId });
  return rows.length > 0;
}

const ofAny = (ids: string[]) =>
  or(inArray(deskDismissal.oneId, ids), inArray(deskDismissal.otherId, ids));

/** The dismissals of an application, with person and reason, by the hash of the facts. */
async function dismissalsOf(
  db: Queryable,
  sealer: Sealer,
  applicationId: string,
): Promise<Map<string, Dismissal & { oneId: string; otherId: string }>> {
  const rows = await db
    .select()
    .from(deskDismissal)
    .where(ofAny([applicationId]));
  return new Map(
    rows.map((row) => [
      row.facts.toString('hex'),
      { ...row, why: sealer.unsealText(row.why, whyOf(row)) },
    ]),
  );
}

/** Locks two applications until the transaction ends, the smaller id first to avoid deadlocks. */
async function lockBoth(tx: Transaction, ids: string[]): Promise<void> {
  await tx
    .select({ id: application.id })
    .from(application)
    .where(inArray(application.id, ids))
    .orderBy(application.id)
    .for('share');
}

export async function deleteDismissals(tx: Transaction, ids: string[]): Promise<void> {
  await tx.delete(deskDismissal).where(ofAny(ids));
}
