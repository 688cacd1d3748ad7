import { eq, inArray, or, sql } from 'drizzle-orm';
import { addDays, parseDate } from '~/base/dates.ts';
import { application, applicationEarlierPassport } from '~/features/application/tables.server.ts';
import { insuranceApplication } from '~/features/insurance/tables.server.ts';
import { visaApplication } from '~/features/visa/tables.server.ts';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import type { Sealer } from '~/platform/seal.server.ts';
import { deskDismissal } from '../tables.server.ts';
import type { TripFacts } from './duplicates.ts';

/** Somebody with more on one passport or address is looked at by other means than a list. */
const MOST = 50;

/** What is compared of some applications; those without answers are left out. */
export async function tripsOf(db: Queryable, ids: string[]): Promise<TripFacts[]> {
  if (ids.length === 0) return [];
  const [rows, earlier] = await Promise.all([
    db
      .select({
        id: application.id,
        kind: application.kind,
        number: application.number,
        firstName: application.firstName,
        lastName: application.lastName,
        status: application.status,
        paidAt: application.paidAt,
        orderNumber: application.orderNumber,
        email: sql<string>`lower(${application.email})`,
        from: application.startsOn,
        stayDays: visaApplication.stayDays,
        visaPassport: visaApplication.passportHash,
        returnDate: insuranceApplication.returnDate,
        insurancePassport: insuranceApplication.passportHash,
      })
      .from(application)
      .leftJoin(visaApplication, eq(visaApplication.applicationId, application.id))
      .leftJoin(insuranceApplication, eq(insuranceApplication.applicationId, application.id))
      .where(inArray(application.id, ids)),
    db
      .select()
      .from(applicationEarlierPassport)
      .where(inArray(applicationEarlierPassport.applicationId, ids)),
  ]);
  return rows.flatMap((row) => {
    const { id, kind, number, status, orderNumber, email, from, firstName, lastName } = row;
    const start = parseDate(from);
    const passport = row.visaPassport ?? row.insurancePassport;
    if (!passport || !start) return [];
    const until = row.returnDate ?? addDays(start, Math.max(0, (row.stayDays ?? 1) - 1));
    const known = earlier.filter(({ applicationId }) => applicationId === id);
    return {
      id,
      kind,
      number,
      name: `${lastName}, ${firstName}`,
      status,
      paid: row.paidAt !== null,
      orderNumber,
      email,
      from,
      until,
      passport: passport.toString('hex'),
      earlier: known.map(({ passportHash }) => passportHash.toString('hex')),
    };
  });
}

/**
 * Paid applications that share a passport, now or before, or e-mail and first day with one of these: more than the rule
 * finds, found by indexes. Pairs of ids, the given one first.
 */
export async function alikeOf(
  db: Queryable,
  trips: readonly TripFacts[],
): Promise<{ id: string; otherId: string }[]> {
  if (trips.length === 0) return [];
  const mine = JSON.stringify(
    trips.map(({ id, kind, email, from }) => ({ id, kind, email, from })),
  );
  const passports = JSON.stringify(
    trips.flatMap(({ id, passport, earlier }) =>
      [passport, ...earlier].map((hash) => ({ id, hash })),
    ),
  );
  const sharing = (
    table: typeof visaApplication | typeof insuranceApplication | typeof applicationEarlierPassport,
  ) =>
    sql`select p.id, o.id as other from passports p cross join lateral (
      select a.id from ${table} t join application a on a.id = t.application_id
      where t.passport_hash = decode(p.hash, 'hex') and t.application_id <> p.id and a.paid_at is not null
      limit ${MOST}) o`;
  const { rows } = await db.execute<{ id: string; other: string }>(sql`
    with mine as materialized (
      select * from jsonb_to_recordset(${mine}::jsonb) as m(id uuid, kind text, email text, "from" date)),
    passports as materialized (
      select * from jsonb_to_recordset(${passports}::jsonb) as p(id uuid, hash text))
    select m.id, o.id as other from mine m cross join lateral (
      select a.id from application a
      where lower(a.email) = m.email and a.starts_on = m."from" and a.kind = m.kind and a.id <> m.id
        and a.paid_at is not null
      limit ${MOST}) o
    union ${sharing(visaApplication)}
    union ${sharing(insuranceApplication)}
    union ${sharing(applicationEarlierPassport)}`);
  return rows.map(({ id, other }) => ({ id, otherId: other }));
}

export type Dismissal = { facts: Buffer; why: string; staffId: string; dismissedAt: Date };
type Pair = { oneId: string; otherId: string; facts: Buffer };

const whyOf = ({ oneId, otherId, facts }: Pair) =>
  `desk_dismissal.why:${oneId}:${otherId}:${facts.toString('hex')}`;

/** False where somebody said so before. */
export async function insertDismissal(
  tx: Transaction,
  sealer: Sealer,
  { why, ...row }: Pair & { why: string; staffId: string; dismissedAt: Date },
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

/** What was dismissed of these applications, as hashes of the facts. */
export async function dismissedFacts(db: Queryable, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ facts: deskDismissal.facts })
    .from(deskDismissal)
    .where(ofAny(ids));
  return new Set(rows.map(({ facts }) => facts.toString('hex')));
}

/** The same of one application, with who and why, by the hash of the facts. */
export async function dismissalsOf(
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

/** Holds two applications until the transaction ends; smaller id first, so that nobody waits for one another. */
export async function holdBoth(tx: Transaction, ids: string[]): Promise<void> {
  await tx
    .select({ id: application.id })
    .from(application)
    .where(inArray(application.id, ids))
    .orderBy(application.id)
    .for('share');
}

export async function forgetDismissals(tx: Transaction, ids: string[]): Promise<void> {
  await tx.delete(deskDismissal).where(ofAny(ids));
}
