import { z } from 'zod';
import type { Queryable, Transaction } from '../postgres/database.server.ts';
import { hashRequest, once, type Answer } from './idempotency.server.ts';
import { jsonText } from './json-text.server.ts';
import type { Platform } from '../platform.server.ts';
import { problem } from './problem.server.ts';

const LONGEST_KEY = 200;

/**
 * Answers a call that changes something: in one transaction, and once per `Idempotency-Key` where the caller sends one.
 * A refusal (status 400 or more, body with `code` and `detail`) undoes everything and becomes a problem.
 */
export async function answerOnce(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  { scope, key, body }: { scope: string; key: string | undefined; body: unknown },
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Response> {
  if (key === undefined) return respond(await undoneIfRefused(db, work));
  if (key === '' || key.length > LONGEST_KEY) return problem({ status: 400, code: 'bad_key' });
  const requestHash = hashRequest(sealer, body);
  const done = await once(db, { scope, key, requestHash, sealer, now: now() }, work);
  if (done.kind === 'key_reused') return problem({ status: 422, code: 'key_reused' });
  return respond(done.answer);
}

/**
 * As `answerOnce`, for work that stores all it stores by one statement, and nothing where it refuses: without a key it
 * needs no transaction.
 */
export async function answerOnceWhole(
  platform: Pick<Platform, 'db' | 'sealer' | 'now'>,
  call: { scope: string; key: string | undefined; body: unknown },
  work: (db: Queryable) => Promise<Answer>,
): Promise<Response> {
  return call.key === undefined
    ? respond(await work(platform.db))
    : answerOnce(platform, call, work);
}

class Refused extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}

async function undoneIfRefused(
  db: Platform['db'],
  work: (tx: Transaction) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await db.transaction(async (tx) => {
      const answer = await work(tx);
      if (answer.status >= 400) throw new Refused(answer);
      return answer;
    });
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

const refusal = z.looseObject({
  code: z.string(),
  detail: z.string().optional(),
  errors: z.record(z.string(), z.string()).optional(),
});

function respond({ status, body }: Answer): Response {
  if (status < 400) {
    const { text, headers } = jsonText(body);
    return new Response(text, { status, headers: { ...headers, 'Cache-Control': 'no-store' } });
  }
  const { code, detail, errors, ...extra } = refusal.parse(body);
  return problem({ status, code, detail, errors, extra });
}
