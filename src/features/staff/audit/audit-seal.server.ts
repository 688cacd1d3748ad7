import { createHash } from 'node:crypto';
import { addDays, dateOf, parseDate, UTC, type PlainDate } from '~/base/dates/dates.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { checkChain, NO_SEAL, sealText, type Finding } from './audit-chain.ts';
import { compareDay, type Fingerprint } from './audit-day.ts';
import {
  fingerprintOf,
  packFingerprints,
  unpackFingerprints,
} from './audit-fingerprints.server.ts';
import {
  allSeals,
  countEntriesFrom,
  entriesOfDay,
  fingerprintsOf,
  insertSeal,
  lockSeals,
  oldestEntry,
} from '../audit-store.server.ts';

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

/** One day's entries as a seal covers them. */
async function readDay(db: Queryable, day: PlainDate): Promise<Day> {
  const prints: Fingerprint[] = [];
  for (let after = 0, isMore = true; isMore;) {
    const found = await entriesOfDay(db, day, { after, limit: AT_ONCE });
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
  addDays(dateOf(new Date(now.getTime() - pause), UTC), -1);

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
    const first = last ? parseDate(nextDay(last.day)) : oldest && dateOf(oldest.at, UTC);
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
  findings: Finding[];
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
  const begin = oldest && dateOf(oldest.at, UTC);
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
    open: openFrom ? await countEntriesFrom(db, openFrom) : 0,
  };
}

type StoredSeal = Awaited<ReturnType<typeof allSeals>>[number];

/** The findings of one sealed day. Its list of fingerprints only counts where the seal matches. */
async function compare(
  db: Queryable,
  day: PlainDate,
  { entries, rows, prints }: StoredSeal,
  found: Day,
): Promise<Finding[]> {
  if (found.entries === entries && found.rows === rows && prints === rows) return [];
  const sealed = prints === rows ? await fingerprintsOf(db, day) : null;
  const named =
    sealed && compareDay(day, unpackFingerprints(sealed), unpackFingerprints(found.fingerprints));
  // The count or the list itself was changed.
  return named && named.length > 0 ? named : [{ day, kind: 'changed', entry: null }];
}
