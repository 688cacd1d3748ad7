import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isEmailAddress, tidyEmail } from '~/base/email-address.ts';
import type { Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';

/** Sets off the e-mail with the numbers. */
export const NUMBERS_JOB = 'application.numbers_asked';

type Limits = { email: Limiter; address: Limiter; all: Limiter };
const limitsOf = oncePerPool((pool): Limits => ({
  email: makeLimiter(pool, { name: 'numbers_email', points: 3, seconds: 3600 }),
  address: makeLimiter(pool, { name: 'numbers_address', points: 10, seconds: 3600 }),
  all: makeLimiter(pool, { name: 'numbers_all', points: 600, seconds: 3600 }),
}));

export type AskNumbersError = 'required' | 'invalid' | 'limit';

/**
 * Has the numbers of an address's applications sent to it. Whether there are any is found out in the job, so that
 * neither words nor time of the answer tell: at most 3 an hour and address of e-mail, 10 an hour and visitor, 600 an hour.
 */
export async function askNumbers(
  platform: Platform,
  asked: { email: string; address: string; language: Language },
): Promise<Outcome<null, AskNumbersError>> {
  const email = tidyEmail(asked.email);
  if (email === '') return refused('required');
  if (!isEmailAddress(email)) return refused('invalid');
  const limits = limitsOf(platform);
  // The visitor's own first: who is over it uses up nobody else's.
  for (const [limiter, key] of [
    [limits.address, asked.address],
    [limits.email, email.toLowerCase()],
    [limits.all, 'all'],
  ] as const) {
    if (!(await limiter.consume(key)).allowed) return refused('limit');
  }
  const id = randomUUID();
  const sealed = platform.sealer.sealJson({ email }, contextOf(id)).toString('base64');
  await enqueue(platform.db, NUMBERS_JOB, { id, sealed, language: asked.language });
  return ok(null);
}

const contextOf = (id: string) => `${NUMBERS_JOB}:${id}`;
/** `sealed`: base64 of a sealed { email }, as the job queue is kept in the clear. */
const jobPayload = z.object({ id: z.uuid(), sealed: z.string(), language: z.string() });
const jobSecret = z.object({ email: z.string() });

/** What the job asks for: for the feature that writes e-mails. `id` names this one wish. */
export function numbersAskedBy(
  { sealer }: Pick<Platform, 'sealer'>,
  payload: unknown,
): { id: string; email: string; language: string } {
  const { id, sealed, language } = jobPayload.parse(payload);
  const { email } = jobSecret.parse(
    sealer.unsealJson(Buffer.from(sealed, 'base64'), contextOf(id)),
  );
  return { id, email, language };
}
