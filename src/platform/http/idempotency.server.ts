import { keptMs } from '~/base/retention-periods.ts';
import { createHash, timingSafeEqual } from 'node:crypto';
import { eq, lt, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Database, Queryable, Transaction } from '../postgres/database.server.ts';
import type { Sealer } from '../crypto/seal.server.ts';
import { idempotencyKey } from '../postgres/tables.server.ts';

const answer = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.unknown().optional(),
});

/** What was answered to a request; the body is JSON. */
export type Answer = z.infer<typeof answer>;

export type Once =
  | { kind: 'answered'; answer: Answer; replayed: boolean }
  /** The key was used for another request: 422 with code `key_reused`. */
  | { kind: 'key_reused' };

export type OnceRequest = {
  /** Whose keys these are: the route, and who calls it. */
  scope: string;
  key: string;
  /** From `hashRequest`. */
  requestHash: Buffer;
  sealer: Sealer;
  now: Date;
};

/** Thrown inside to undo everything of a refused request. */
class Refused extends Error {
  readonly answer: Answer;
  constructor(refusal: Answer) {
    super('refused');
    this.answer = refusal;
  }
}

/**
 * Does the work once per key. The answer commits together with what the work stores, so there is never one without
 * the other; a duplicate that arrives meanwhile waits for it. An answer of 400 or more undoes everything and frees the
 * key, and so does an exception. Do not call the outside network in `work`: it holds a transaction open.
 */
export async function once(
  db: Queryable,
  { scope, key, requestHash, sealer, now }: OnceRequest,
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Once> {
  const id = createHash('sha256').update(`${scope}\0${key}`).digest();
  const context = `idempotency_key.answer:${id.toString('hex')}`;
  try {
    return await db.transaction(async (tx) => {
      const fresh = {
        requestHash,
        answer: null,
        expiresAt: new Date(now.getTime() + keptMs('idempotencyKey')),
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
      if (claimed.length === 0) return replay(tx, id, context, requestHash, sealer);
      const made = await work(tx);
      if (made.status >= 400) throw new Refused(made);
      await tx
        .update(idempotencyKey)
        .set({ answer: sealer.sealJson(made, context) })
        .where(eq(idempotencyKey.id, id));
      return { kind: 'answered', answer: made, replayed: false };
    });
  } catch (error) {
    if (error instanceof Refused)
      return { kind: 'answered', answer: error.answer, replayed: false };
    throw error;
  }
}

async function replay(
  tx: Transaction,
  id: Buffer,
  context: string,
  requestHash: Buffer,
  sealer: Sealer,
): Promise<Once> {
  const [known] = await tx.select().from(idempotencyKey).where(eq(idempotencyKey.id, id));
  if (!known?.answer) throw new Error('The transaction that answers this key is not over');
  const isSame =
    known.requestHash.length === requestHash.length &&
    timingSafeEqual(known.requestHash, requestHash);
  if (!isSame) return { kind: 'key_reused' };
  return {
    kind: 'answered',
    answer: answer.parse(sealer.unsealJson(known.answer, context)),
    replayed: true,
  };
}

/** A hash of a request's JSON, the same for any order of its fields. Keyed, because requests hold personal data. */
export function hashRequest(sealer: Sealer, request: unknown): Buffer {
  return sealer.keyedHash(JSON.stringify(sorted(request)) ?? '', 'idempotency_key.request_hash');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

/** Deletes keys whose time is over; returns how many. For a recurring job. */
export async function deleteOldKeys(db: Database, now: Date): Promise<number> {
  const gone = await db
    .delete(idempotencyKey)
    .where(lt(idempotencyKey.expiresAt, now))
    .returning({ id: idempotencyKey.id });
  return gone.length;
}
