import {
  type AuditFinding,
  checkChain,
  NO_SEAL,
  sealText,
  contentText,
  type SealedEntry,
} from './audit-chain.ts';
import { createHash } from 'node:crypto';
import { addDays, toPlainDate, parseDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { and, asc, eq, gt, gte, lt, sql } from 'drizzle-orm';
import { auditEntry, auditSeal } from '../tables.server.ts';

/** Lets one process at a time seal. */
async function lockSeals(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('audit_seal', 0))`);
}

/** All seals, oldest first; with the digest of their fingerprints, which may be many. */
export const allSeals = (db: Queryable) =>
  db
    .select({
      day: auditSeal.day,
      entries: auditSeal.entries,
      rows: auditSeal.rows,
      seal: auditSeal.seal,
      prints: sql<string>`encode(sha256(${auditSeal.fingerprints}), 'hex')`,
    })
    .from(auditSeal)
    .orderBy(asc(auditSeal.day));

/** The fingerprints in the seal of a day; null where there is no seal. */
async function fingerprintsOf(db: Queryable, day: PlainDate): Promise<Buffer | null> {
  const [row] = await db
    .select({ fingerprints: auditSeal.fingerprints })
    .from(auditSeal)
    .where(eq(auditSeal.day, day));
  return row?.fingerprints ?? null;
}

async function insertSeal(tx: Transaction, row: typeof auditSeal.$inferInsert) {
  await tx.insert(auditSeal).values(row);
}

/** The oldest entry; null where there is none. */
async function oldestEntry(db: Queryable): Promise<{ id: number; at: Date } | null> {
  const [row] = await db
    .select({ id: auditEntry.id, at: auditEntry.at })
    .from(auditEntry)
    .orderBy(asc(auditEntry.at), asc(auditEntry.id))
    .limit(1);
  return row ?? null;
}

/** An entry in its day's seal: its number, and a digest of its content without the number. */
export type Fingerprint = { id: number; print: string };

/** Most entries of a day that are named. */
const MAX_NAMED_ENTRIES = 20;

/**
 * Compares a sealed day's entries with its fingerprints, in order of their numbers. An entry whose content is found
 * under another number was moved; otherwise it was changed, removed or inserted.
 */
export function compareDay(
  day: string,
  sealed: readonly Fingerprint[],
  found: readonly Fingerprint[],
): AuditFinding[] {
  const was = new Map(sealed.map(({ id, print }) => [id, print]));
  const is = new Map(found.map(({ id, print }) => [id, print]));
  const known = new Set(was.values());
  // An entry found under a number that the seal does not know is reported there, not as removed.
  const elsewhere = new Set(found.filter(({ id }) => !was.has(id)).map(({ print }) => print));
  const findings: AuditFinding[] = [];
  for (const { id, print } of found) {
    const before = was.get(id);
    if (before === print) continue;
    const kind = known.has(print) ? 'reordered' : before === undefined ? 'inserted' : 'changed';
    findings.push({ day, kind, entry: id });
  }
  for (const { id, print } of sealed) {
    if (is.has(id) || elsewhere.has(print)) continue;
    findings.push({ day, kind: 'removed', entry: id });
  }
  return findings.toSorted((a, b) => (a.entry ?? 0) - (b.entry ?? 0)).slice(0, MAX_NAMED_ENTRIES);
}

const ID_BYTES = 8;
/** Half a SHA-256, enough to tell entries of one day apart; the whole list is sealed. */
const PRINT_BYTES = 16;
const EACH = ID_BYTES + PRINT_BYTES;

const fingerprintOf = (entry: SealedEntry): Fingerprint => ({
  id: entry.id,
  print: createHash('sha256')
    .update(contentText(entry))
    .digest('hex')
    .slice(0, 2 * PRINT_BYTES),
});

/** Fingerprints as stored with the seal: 8 bytes of number and 16 of digest each. */
function packFingerprints(prints: readonly Fingerprint[]): Buffer {
  const packed = Buffer.alloc(prints.length * EACH);
  prints.forEach(({ id, print }, index) => {
    packed.writeBigUInt64BE(BigInt(id), index * EACH);
    packed.write(print, index * EACH + ID_BYTES, 'hex');
  });
  return packed;
}

function unpackFingerprints(packed: Buffer): Fingerprint[] {
  return Array.from({ length: Math.floor(packed.length / EACH) }, (_, index) => {
    const entry = packed.subarray(index * EACH, (index + 1) * EACH);
    return {
      id: Number(entry.readBigUInt64BE()),
      print: entry.subarray(ID_BYTES).toString('hex'),
    };
  });
}

/** Milliseconds after the end of a day when no open transaction can still write into it. */
const SETTLED_MS = 30 * 60_000;
/** Milliseconds after the end of a day when a missing seal is a finding. */
const LATE_MS = 36 * 3600_000;
const AT_ONCE = 2000;

type Needed = Pick<Platform, 'now' | 'sealer' | 'log'> & { db: Queryable };

/** Seals of before a newer look-up key was added hold as well. */
const sealHolds =
  ({ sealer }: Pick<Needed, 'sealer'>) =>
  (text: string, seal: string): boolean =>
    sealer.keyedHashes(text, 'audit seal').some((hash) => hash.toString('hex') === seal);

/** A keyed hash, so that access to the database is not enough to make a seal. */
const sealWith =
  ({ sealer }: Pick<Needed, 'sealer'>) =>
  (text: string): string =>
    sealer.keyedHash(text, 'audit seal').toString('hex');

const nextDay = (day: string): string => {
  const date = parseDate(day);
  if (!date) throw new Error('A seal without a day');
  return addDays(date, 1);
};

type Day = { entries: number; rows: string; fingerprints: Buffer };

const isFrom = (day: PlainDate) => gte(auditEntry.at, new Date(`${day}T00:00:00Z`));

/** One UTC day's entries as a seal covers them, in order of their numbers. */
async function readDay(db: Queryable, day: PlainDate): Promise<Day> {
  const isBefore = lt(auditEntry.at, new Date(`${addDays(day, 1)}T00:00:00Z`));
  const prints: Fingerprint[] = [];
  for (let after = 0, isMore = true; isMore;) {
    const found = await db
      .select()
      .from(auditEntry)
      .where(and(isFrom(day), isBefore, gt(auditEntry.id, after)))
      .orderBy(asc(auditEntry.id))
      .limit(AT_ONCE);
    for (const entry of found) {
      prints.push(fingerprintOf(entry));
      after = entry.id;
    }
    isMore = found.length === AT_ONCE;
  }
  const fingerprints = packFingerprints(prints);
  const rows = createHash('sha256').update(fingerprints).digest('hex');
  return { entries: prints.length, rows, fingerprints };
}

const lastDayBefore = (now: Date, pause: number): PlainDate =>
  addDays(toPlainDate(new Date(now.getTime() - pause), UTC), -1);

/** Seals every day that has ended and is not sealed, also those without entries. Returns these days. */
export async function sealDays(platform: Needed): Promise<PlainDate[]> {
  const { db, now, log } = platform;
  const seal = sealWith(platform);
  const until = lastDayBefore(now(), SETTLED_MS);
  return db.transaction(async (tx) => {
    await lockSeals(tx);
    const seals = await allSeals(tx);
    const oldest = await oldestEntry(tx);
    const last = seals.at(-1);
    if (!last && !oldest) return [];
    const first = last ? parseDate(nextDay(last.day)) : oldest && toPlainDate(oldest.at, UTC);
    const sealed: PlainDate[] = [];
    let before = last?.seal ?? NO_SEAL;
    for (let day = first; day && day <= until; day = addDays(day, 1)) {
      const { entries, rows, fingerprints } = await readDay(tx, day);
      before = seal(sealText(before, { day, entries, rows }));
      await insertSeal(tx, { day, entries, rows, fingerprints, seal: before, sealedAt: now() });
      // Logged, so that a chain that was rewritten completely differs from the log.
      log.info({ day, entries, seal: before }, 'audit day sealed');
      sealed.push(day);
    }
    return sealed;
  });
}

/** What was checked, what is wrong (oldest first), and what is not sealed yet. */
export type Verification = {
  days: number;
  entries: number;
  findings: AuditFinding[];
  /** Entries of days that have not ended, or too recently to be sealed. */
  open: number;
};

/**
 * Checks that no sealed entry was changed, added, removed or moved and that the chain of seals is complete. Entries are
 * deleted in whole days after their retention; the seals of those days stay and remain part of the chain.
 */
export async function verifyTrail(
  { db, now, sealer }: Pick<Needed, 'db' | 'now' | 'sealer'>,
  forgottenBefore: PlainDate,
): Promise<Verification> {
  const seals = await allSeals(db);
  const oldest = await oldestEntry(db);
  const due = lastDayBefore(now(), LATE_MS);
  const findings = checkChain(seals, sealHolds({ sealer }), { next: nextDay, until: due });
  const [first] = seals;
  const begin = oldest && toPlainDate(oldest.at, UTC);
  if (oldest && begin && begin <= due && (!first || begin < first.day)) {
    findings.push(
      first
        ? { day: begin, kind: 'inserted', entry: oldest.id }
        : { day: begin, kind: 'unsealed', entry: null },
    );
  }
  let entries = 0;
  for (const seal of seals) {
    const day = parseDate(seal.day);
    if (!day) continue;
    const found = await readDay(db, day);
    entries += found.entries;
    const isForgotten = found.entries === 0 && day < forgottenBefore;
    if (!isForgotten) findings.push(...(await compare(db, day, seal, found)));
  }
  const last = seals.at(-1);
  const openFrom = last ? parseDate(nextDay(last.day)) : begin;
  return {
    days: seals.length,
    entries,
    findings: findings.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0)),
    open: openFrom ? await db.$count(auditEntry, isFrom(openFrom)) : 0,
  };
}

type StoredSeal = Awaited<ReturnType<typeof allSeals>>[number];

/** The findings of one sealed day. Its list of fingerprints only counts where the seal matches. */
async function compare(
  db: Queryable,
  day: PlainDate,
  { entries, rows, prints }: StoredSeal,
  found: Day,
): Promise<AuditFinding[]> {
  if (found.entries === entries && found.rows === rows && prints === rows) return [];
  const sealed = prints === rows ? await fingerprintsOf(db, day) : null;
  const named =
    sealed && compareDay(day, unpackFingerprints(sealed), unpackFingerprints(found.fingerprints));
  // The count or the list itself was changed.
  return named && named.length > 0 ? named : [{ day, kind: 'changed', entry: null }];
}

/** Most findings that are listed. */
const MAX_FINDING_LINES = 20;

const words: Record<AuditFinding['kind'], (entry: string) => string> = {
  changed: (entry) => `${entry} was changed after the day was sealed`,
  removed: (entry) => `${entry} was removed`,
  inserted: (entry) => `${entry} was put in after the day was sealed`,
  reordered: (entry) => `${entry} stands in another place`,
  broken: () => 'the seal is not ours, or does not follow from the day before it',
  unsealed: () => 'the day has no seal',
};

const lineOf = ({ day, kind, entry }: AuditFinding): string =>
  `${day}: ${words[kind](entry === null ? 'an entry' : `entry ${entry}`)}`;

/** The output of the command that verifies the trail, oldest finding first. */
export function reportLines({ days, entries, findings, open }: Verification): string[] {
  const checked = `${days} sealed days with ${entries} entries checked; ${open} entries of days not sealed yet.`;
  const [first] = findings;
  if (!first) {
    return [checked, days === 0 ? 'No day is sealed yet.' : 'Nothing was changed.'];
  }
  const seals = findings.filter(({ kind }) => kind === 'broken').length;
  return [
    checked,
    `The trail does not hold, first at ${lineOf(first)}.`,
    ...findings.slice(1, MAX_FINDING_LINES).map((finding) => `  ${lineOf(finding)}`),
    ...(findings.length > MAX_FINDING_LINES
      ? [`  and ${findings.length - MAX_FINDING_LINES} more`]
      : []),
    // A wrong key looks like a trail that was rewritten completely.
    ...(days > 1 && seals === days
      ? ['No seal holds: was the trail sealed with another LOOKUP_KEY?']
      : []),
  ];
}
