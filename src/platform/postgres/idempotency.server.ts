import { createHash, timingSafeEqual } from 'node:crypto';
import { eq, lt, lte } from 'drizzle-orm';
import type { z } from 'zod';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { retentionMs } from '~/base/retention-periods.ts';
import type { Sealer } from '../crypto/seal.server.ts';
import type { Queryable, Transaction } from './database.server.ts';
import { idempotencyKey } from './tables.server.ts';
import { rollBackIfRefused } from './transactions.server.ts';

/** The result of work that is done once per key. `replayed`: an earlier request did it. */
type OnceResult<Made> = { made: Made; replayed: boolean };

/** The key was used for another request. */
export const KEY_REUSED = 'key_reused';

type OnceRequest<Made> = {
  /** Whose keys these are: the route, and who calls it. */
  scope: string;
  /** How else the same caller may come back: the answer is kept under these as well. */
  alsoScopes?: readonly string[];
  key: string;
  /** From `hashRequest`. */
  requestHash: Buffer;
  /** What is made, as JSON: it is kept sealed, and answered again to a duplicate. */
  made: z.ZodType<Made>;
  sealer: Sealer;
  now: Date;
};

/**
 * Does the work once per key. What it made commits together with what it stores, so there is never one without the
 * other; a duplicate that arrives meanwhile waits for it. A refusal undoes everything and frees the key, and so does an
 * exception. Do not call the outside network in `work`: it holds a transaction open.
 */
export function runOncePerKey<Made, Refusal>(
  db: Queryable,
  { scope, alsoScopes = [], key, requestHash, made, sealer, now }: OnceRequest<Made>,
  work: (tx: Transaction) => Promise<Outcome<Made, Refusal>>,
): Promise<Outcome<OnceResult<Made>, Refusal | typeof KEY_REUSED>> {
  const idIn = (one: string) => createHash('sha256').update(`${one}\0${key}`).digest();
  const contextOf = (one: Buffer) => `idempotency_key.answer:${one.toString('hex')}`;
  const id = idIn(scope);
  type Done = Outcome<OnceResult<Made>, Refusal | typeof KEY_REUSED>;
  return rollBackIfRefused(db, async (tx): Promise<Done> => {
    const fresh = {
      requestHash,
      answer: null,
      expiresAt: new Date(now.getTime() + retentionMs('idempotencyKey')),
    };
    // Waits here while another transaction holds the same key.
    const claimed = await tx
      .insert(idempotencyKey)
      .values({ id, ...fresh })
      .onConflictDoUpdate({
        target: idempotencyKey.id,
        set: fresh,
        setWhere: lte(idempotencyKey.expiresAt, now),
      })
      .returning({ id: idempotencyKey.id });
    if (claimed.length === 0) {
      const stored = await storedAnswer(tx, id, requestHash);
      if (!stored) return refused(KEY_REUSED);
      return ok({ made: made.parse(sealer.unsealJson(stored, contextOf(id))), replayed: true });
    }
    const done = await work(tx);
    if (!done.ok) return done;
    await tx
      .update(idempotencyKey)
      .set({ answer: sealer.sealJson(done.value, contextOf(id)) })
      .where(eq(idempotencyKey.id, id));
    for (const other of alsoScopes.map(idIn)) {
      const answer = sealer.sealJson(done.value, contextOf(other));
      await tx
        .insert(idempotencyKey)
        .values({ ...fresh, id: other, answer })
        .onConflictDoNothing();
    }
    return ok({ made: done.value, replayed: false });
  });
}

/** What was made for a key, sealed; null where the key belongs to another request. */
async function storedAnswer(
  tx: Transaction,
  id: Buffer,
  requestHash: Buffer,
): Promise<Buffer | null> {
  const [known] = await tx.select().from(idempotencyKey).where(eq(idempotencyKey.id, id));
  if (!known?.answer) throw new Error('The transaction that answers this key is not over');
  const isSame =
    known.requestHash.length === requestHash.length &&
    timingSafeEqual(known.requestHash, requestHash);
  return isSame ? known.answer : null;
}

/** A hash of a request's JSON, the same for any order of its fields. Keyed, because requests hold personal data. */
export function hashRequest(sealer: Sealer, request: unknown): Buffer {
  return sealer.keyedHash(JSON.stringify(sorted(request)) ?? '', 'idempotency_key.request_hash');
}

/** In characters. A longer text, a photo's data, is hashed as it stands instead of being written and copied first. */
const LONG_TEXT = 4096;

function sorted(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONG_TEXT) return `\0${digestOf(value)}`;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** Of ASCII, as photos come, Latin-1 has the same bytes as UTF-8, for a third of the time. */
function digestOf(text: string): string {
  const encoding = Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8';
  return createHash('sha256').update(text, encoding).digest('base64');
}

/** Deletes keys whose time is over; returns how many. For a recurring job. */
export async function deleteOldKeys(db: Queryable, now: Date): Promise<number> {
  const gone = await db
    .delete(idempotencyKey)
    .where(lt(idempotencyKey.expiresAt, now))
    .returning({ id: idempotencyKey.id });
  return gone.length;
}
