import { z } from 'zod';
import { asc, gt, inArray, sql } from 'drizzle-orm';
import { NUMBERS_JOB, numbersAskedBy } from '~/features/status/ask-numbers.server.ts';
import { RESUME_JOB, resumeAddressIn } from '~/features/form/draft/resume.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { idempotencyKey } from '~/platform/postgres/tables.server.ts';

/** Answers that are opened at a time. */
const PAGE = 500;

type Reader = { db: Queryable; sealer: Sealer };

/** By what answers and jobs of a person are found. */
export type Clues = {
  /** Ids of applications, drafts and emails. */
  ids: readonly string[];
  /** Of applications and orders. */
  numbers: readonly string[];
  /** In lower case. */
  addresses: ReadonlySet<string>;
};

export type KeptAnswer = { id: Buffer; expiresAt: Date; answer: unknown };
/** `email`: the address that was sealed in the job, where there is one. */
export type FoundJob = {
  id: string;
  name: string;
  payload: unknown;
  email: string | null;
};
export type ShortLived = { answers: KeptAnswer[]; jobs: FoundJob[] };

/**
 * What is kept for hours only and may name a person: answers that are kept to repeat them (for a day, sealed) and jobs
 * that wait, run or have failed. Nothing says whose they are, so each is opened. An answer is found by the numbers in it;
 * a job by the id of an application, draft or email, by a number, or by the address that is sealed in it.
 */
export async function findShortLived(reader: Reader, clues: Clues): Promise<ShortLived> {
  return { answers: await answersOf(reader, clues), jobs: await jobsOf(reader, clues) };
}

async function answersOf({ db, sealer }: Reader, clues: Clues): Promise<KeptAnswer[]> {
  const found: KeptAnswer[] = [];
  for (let after: Buffer | null = null; ;) {
    const rows: (typeof idempotencyKey.$inferSelect)[] = await db
      .select()
      .from(idempotencyKey)
      .where(after === null ? undefined : gt(idempotencyKey.id, after))
      .orderBy(asc(idempotencyKey.id))
      .limit(PAGE);
    for (const { id, expiresAt, answer: sealed } of rows) {
      if (!sealed) continue;
      const kept = sealer.unsealJson(sealed, `idempotency_key.answer:${id.toString('hex')}`);
      // The session beside an answer opens the order: it is in no copy of anybody's data.
      const withSession = z.object({ made: z.unknown(), session: z.string() }).safeParse(kept);
      const answer = withSession.success ? withSession.data.made : kept;
      if (names(answer, clues)) found.push({ id, expiresAt, answer });
    }
    if (rows.length < PAGE) return found;
    after = rows.at(-1)?.id ?? null;
  }
}

async function jobsOf({ db, sealer }: Reader, clues: Clues): Promise<FoundJob[]> {
  const { rows } = await db.execute<Omit<FoundJob, 'email'>>(sql`
    select job.id::text as id, task.identifier as name, job.payload as payload
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id`);
  return rows.flatMap((row) => {
    // The simulated partners stand for outside services.
    if (row.name.startsWith('lab.')) return [];
    const email = addressIn(sealer, row);
    const isTheirs =
      names(row.payload, clues) || (email !== null && clues.addresses.has(email.toLowerCase()));
    return isTheirs ? [{ ...row, email }] : [];
  });
}

/** The jobs with an address, which is sealed in them. */
const openers: Readonly<Record<string, (sealer: Sealer, payload: unknown) => string>> = {
  [NUMBERS_JOB]: (sealer, payload) => numbersAskedBy({ sealer }, payload).email,
  [RESUME_JOB]: resumeAddressIn,
};

function addressIn(sealer: Sealer, { name, payload }: Pick<FoundJob, 'name' | 'payload'>) {
  try {
    return openers[name]?.(sealer, payload) ?? null;
  } catch {
    // Failed for good and sealed with a key that is gone since: nobody can read it.
    return null;
  }
}

/** Whether a JSON value has one of the clues as a text somewhere in it. */
function names(value: unknown, clues: Clues): boolean {
  if (typeof value === 'string') {
    return (
      clues.ids.includes(value) ||
      clues.numbers.includes(value) ||
      clues.addresses.has(value.toLowerCase())
    );
  }
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => names(inner, clues));
}

/**
 * Deletes answers and jobs. The same request with the same key is carried out anew afterwards; a job that runs at this
 * moment stays and finds nothing to do.
 */
export async function eraseShortLived(
  tx: Transaction,
  { answers, jobs }: ShortLived,
): Promise<void> {
  if (answers.length > 0) {
    const ids = answers.map(({ id }) => id);
    await tx.delete(idempotencyKey).where(inArray(idempotencyKey.id, ids));
  }
  for (const { id } of jobs) {
    await tx.execute(sql`select graphile_worker.complete_jobs(array[${id}::bigint])`);
  }
}
