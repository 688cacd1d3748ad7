import { z } from 'zod';
import { ok, type Outcome } from '~/base/outcome.ts';
import type { Queryable, Transaction } from '../postgres/database.server.ts';
import { hashRequest, KEY_REUSED, runOncePerKey } from '../postgres/idempotency.server.ts';
import { rollBackIfRefused } from '../postgres/transactions.server.ts';
import type { Platform } from '../platform.server.ts';
import { countedNetworks } from './address.server.ts';
import { giveCookie, type SetCookie } from './cookies.server.ts';
import { problem, type HttpProblem } from './problem.server.ts';

/** An answer's JSON with its head, which tells the length, so that `compress` lets a small one pass without touching it. */
export function jsonText(body: unknown): { text: string; headers: Record<string, string> } {
  const text = JSON.stringify(body);
  return {
    text,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
    },
  };
}

export const MAX_KEY_LENGTH = 200;

/** Who calls: keys belong to one caller, so that nobody else uses them up or is answered by them. */
export type KeyedCaller = {
  /** The IP address. */
  address: string;
  /** The id of the session, and whether the call brought it or gets it with its answer. */
  session: { id: string; isNew: boolean };
  /** The cookie of a session, by its id. */
  cookieOf: (sessionId: string) => SetCookie;
};

type CallOnce<Made> = {
  /** Method and path. */
  route: string;
  caller: KeyedCaller;
  /** The `Idempotency-Key`, where the caller sends one. */
  key: string | undefined;
  body: unknown;
  /** What is answered with status 201. */
  made: z.ZodType<Made>;
};

/**
 * Answers a call that makes something: in one transaction, and once per `Idempotency-Key` of a caller where one is sent.
 * A refusal undoes everything and becomes a problem. A repeated answer says so by `Idempotent-Replayed`. The answer brings the cookie of the session that made it: a caller
 * whose answer was lost repeats the call, and has the session of the first one again. Callers are told apart by their
 * session, or else by their address (of IPv6, its /64).
 */
export async function answerOnce<Made>(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  { route, caller, key, body, made }: CallOnce<Made>,
  work: (tx: Transaction) => Promise<Outcome<Made, HttpProblem>>,
): Promise<Response> {
  const { session, cookieOf } = caller;
  if (key === undefined) return respond(await rollBackIfRefused(db, work), cookieOf(session.id));
  if (key === '' || key.length > MAX_KEY_LENGTH) return problem({ code: 'bad_key' });
  const requestHash = hashRequest(sealer, body);
  const bySession = `${route}\0session\0${session.id}`;
  const network = countedNetworks(caller.address)[0]?.key ?? caller.address;
  const byAddress = `${route}\0address\0${network}`;
  const kept = z.object({ made, session: z.string() });
  const done = await runOncePerKey(
    db,
    {
      // A new session comes back with its cookie, or without it where the answer was lost.
      scope: session.isNew ? byAddress : bySession,
      alsoScopes: session.isNew ? [bySession] : [],
      key,
      requestHash,
      made: kept,
      sealer,
      now: now(),
    },
    async (tx) => {
      const worked = await work(tx);
      return worked.ok ? ok({ made: worked.value, session: session.id }) : worked;
    },
  );
  if (done.ok) {
    const { made: first, replayed } = done.value;
    const response = created(first.made, cookieOf(first.session));
    if (replayed) response.headers.set('Idempotent-Replayed', 'true');
    return response;
  }
  return problem(done.error === KEY_REUSED ? { code: KEY_REUSED } : done.error);
}

/**
 * As `answerOnce`, for work that stores all it stores by one statement, and nothing where it refuses: without a key it
 * needs no transaction.
 */
export async function answerOnceWhole<Made>(
  platform: Pick<Platform, 'db' | 'sealer' | 'now'>,
  call: CallOnce<Made>,
  work: (db: Queryable) => Promise<Outcome<Made, HttpProblem>>,
): Promise<Response> {
  return call.key === undefined
    ? respond(await work(platform.db), call.caller.cookieOf(call.caller.session.id))
    : answerOnce(platform, call, work);
}

const respond = (done: Outcome<unknown, HttpProblem>, setCookie: SetCookie): Response =>
  done.ok ? created(done.value, setCookie) : problem(done.error);

function created(body: unknown, setCookie: SetCookie): Response {
  const { text, headers: written } = jsonText(body);
  const headers = new Headers({ ...written, 'Cache-Control': 'no-store' });
  giveCookie(headers, setCookie);
  return new Response(text, { status: 201, headers });
}
