import { createHash } from 'node:crypto';
import { addDays, dateOf, parseDate, UTC, type PlainDate } from '~/base/dates.ts';
import type { Queryable } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { checkChain, entryText, NO_SEAL, sealText, type Finding } from './audit-chain.ts';
import {
  allSeals,
  entriesOfDay,
  insertSeal,
  lockSeals,
  oldestEntryAt,
} from './audit-store.server.ts';

/** So long after its end a day has no transaction left that could still write into it. */
const SETTLED_MS = 30 * 60_000;
/** So long after its end a day without a seal is a finding. */
const LATE_MS = 36 * 3600_000;
const AT_ONCE = 2000;

type Needed = Pick<Platform, 'db' | 'now' | 'sealer' | 'log'>;

/** A keyed hash: who can write to the database alone cannot make a seal. */
const sealWith =
  ({ sealer }: Pick<Needed, 'sealer'>) =>
  (text: string): string =>
    sealer.keyedHash(text, 'audit seal').toString('hex');

const nextDay = (day: string): string => {
  const date = parseDate(day);
  if (!date) throw new Error('A seal without a day');
  return addDays(date, 1);
};

/** Digest and number of one day's entries. */
async function digestOf(db: Queryable, day: PlainDate): Promise<{ entries: number; rows: string }> {
  const hash = createHash('sha256');
  let entries = 0;
  for (let after = 0; ;) {
    const found = await entriesOfDay(db, day, { after, limit: AT_ONCE });
    for (const entry of found) hash.update(entryText(entry));
    entries += found.length;
    const last = found.at(-1);
    if (!last) return { entries, rows: hash.digest('hex') };
    after = last.id;
  }
}

const lastDayBefore = (now: Date, pause: number): PlainDate =>
  addDays(dateOf(new Date(now.getTime() - pause), UTC), -1);

/** Seals every day that is over and not sealed yet, days without entries too. Returns the days it sealed. */
export async function sealDays(platform: Needed): Promise<PlainDate[]> {
  const { db, now, log } = platform;
  const seal = sealWith(platform);
  const until = lastDayBefore(now(), SETTLED_MS);
  return db.transaction(async (tx) => {
    await lockSeals(tx);
    const seals = await allSeals(tx);
    const oldest = await oldestEntryAt(tx);
    const last = seals.at(-1);
    if (!last && !oldest) return [];
    const first = last ? parseDate(nextDay(last.day)) : oldest && dateOf(oldest, UTC);
    const sealed: PlainDate[] = [];
    let before = last?.seal ?? NO_SEAL;
    for (let day = first; day && day <= until; day = addDays(day, 1)) {
      const of = { day, ...(await digestOf(tx, day)) };
      before = seal(sealText(before, of));
      await insertSeal(tx, { ...of, seal: before, sealedAt: now() });
      // Outside the database too: a chain that was rewritten whole does not match the log.
      log.info({ day, entries: of.entries, seal: before }, 'audit day sealed');
      sealed.push(day);
    }
    return sealed;
  });
}

export type Verification = { days: number; findings: Finding[] };

/**
 * Checks that no sealed entry was changed, added or removed and that the chain of seals is whole. Entries past their
 * retention are gone whole days at a time; their days' seals stay and are still part of the chain.
 */
export async function verifyTrail(
  platform: Needed,
  forgottenBefore: PlainDate,
): Promise<Verification> {
  const { db, now } = platform;
  const seals = await allSeals(db);
  const oldest = await oldestEntryAt(db);
  const due = lastDayBefore(now(), LATE_MS);
  const findings = checkChain(seals, sealWith(platform), { next: nextDay, until: due });
  const [first] = seals;
  if (oldest && dateOf(oldest, UTC) <= due && (!first || dateOf(oldest, UTC) < first.day)) {
    findings.push({ day: dateOf(oldest, UTC), kind: first ? 'changed' : 'unsealed' });
  }
  for (const { day: text, entries, rows } of seals) {
    const day = parseDate(text);
    if (!day) continue;
    const found = await digestOf(db, day);
    const isForgotten = found.entries === 0 && day < forgottenBefore;
    if (!isForgotten && (found.entries !== entries || found.rows !== rows)) {
      findings.push({ day, kind: 'changed' });
    }
  }
  return { days: seals.length, findings: findings.toSorted((a, b) => (a.day < b.day ? -1 : 1)) };
}
