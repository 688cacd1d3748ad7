import type { z } from 'zod';
import type { Outcome } from '~/base/outcome.ts';
import type { Queryable, Transaction } from '../postgres/database.server.ts';
import { hashRequest, KEY_REUSED, once } from '../postgres/idempotency.server.ts';
import { rollBackIfRefused } from '../postgres/roll-back-if-refused.server.ts';
import type { Platform } from '../platform.server.ts';
import { jsonText } from './json-text.server.ts';
import { problem, type Problem } from './problem.server.ts';

const LONGEST_KEY = 200;

export type CallOnce<Made> = {
  /** Whose keys these are: method and path. */
  scope: string;
  /** The `Idempotency-Key`, where the caller sends one. */
  key: string | undefined;
  body: unknown;
  /** What is answered with status 201. */
  made: z.ZodType<Made>;
};

/**
 * Answers a call that makes something: in one transaction, and once per `Idempotency-Key` where the caller sends one.
 * A refusal undoes everything and becomes a problem.
 */
export async function answerOnce<Made>(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  { scope, key, body, made }: CallOnce<Made>,
  work: (tx: Transaction) => Promise<Outcome<Made, Problem>>,
): Promise<Response> {
  if (key === undefined) return respond(await rollBackIfRefused(db, work));
  if (key === '' || key.length > LONGEST_KEY) return problem({ status: 400, code: 'bad_key' });
  const requestHash = hashRequest(sealer, body);
  const done = await once(db, { scope, key, requestHash, made, sealer, now: now() }, work);
  if (done.ok) return created(done.value.made);
  return problem(done.error === KEY_REUSED ? { status: 422, code: KEY_REUSED } : done.error);
}

/**
 * As `answerOnce`, for work that stores all it stores by one statement, and nothing where it refuses: without a key it
 * needs no transaction.
 */
export async function answerOnceWhole<Made>(
  platform: Pick<Platform, 'db' | 'sealer' | 'now'>,
  call: CallOnce<Made>,
  work: (db: Queryable) => Promise<Outcome<Made, Problem>>,
): Promise<Response> {
  return call.key === undefined
    ? respond(await work(platform.db))
    : answerOnce(platform, call, work);
}

const respond = (done: Outcome<unknown, Problem>): Response =>
  done.ok ? created(done.value) : problem(done.error);

function created(body: unknown): Response {
  const { text, headers } = jsonText(body);
  return new Response(text, { status: 201, headers: { ...headers, 'Cache-Control': 'no-store' } });
}
