import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isEmailAddress, tidyEmail } from '~/base/email-address.ts';
import type { Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';
import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import { order } from '~/features/order/tables.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';

/** The job that sends the email with the numbers. */
export const NUMBERS_JOB = 'application.numbers_asked';

type Limits = { email: Limiter; address: Limiter; all: Limiter };
const limitsOf = oncePerPool((pool): Limits => ({
  email: makeLimiter(pool, { name: 'numbers_email', points: 3, seconds: 3600 }),
  address: makeLimiter(pool, { name: 'numbers_address', points: 10, seconds: 3600 }),
  all: makeLimiter(pool, { name: 'numbers_all', points: 600, seconds: 3600 }),
}));

type AskNumbersError = 'required' | 'invalid' | 'limit';

/**
 * Has the numbers of an address's applications sent to it. The job finds out whether there are any, so that neither the
 * text nor the time of the answer tells. Limits per hour: 3 for an email address, 10 for a visitor, 600 in all.
 */
export async function askNumbers(
  platform: Platform,
  asked: { email: string; address: string; language: Language },
): Promise<Outcome<null, AskNumbersError>> {
  const email = tidyEmail(asked.email);
  if (email === '') return refused('required');
  if (!isEmailAddress(email)) return refused('invalid');
  const limits = limitsOf(platform);
  // The visitor's own limit first, so that one who exceeds it does not use up the others.
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

/** What the job is asked to send; read by the feature that writes emails. `id` names this one request. */
export function readAskedNumbers(
  { sealer }: Pick<Platform, 'sealer'>,
  payload: unknown,
): { id: string; email: string; language: string } {
  const { id, sealed, language } = jobPayload.parse(payload);
  const { email } = jobSecret.parse(
    sealer.unsealJson(Buffer.from(sealed, 'base64'), contextOf(id)),
  );
  return { id, email, language };
}

export type OwnedApplication = {
  application: Application;
  order: typeof order.$inferSelect;
  /** Whether the address is the payer's, who sees the whole order; otherwise it is a fellow traveller's. */
  isPayer: boolean;
};

/** Applications in one e-mail, at most: two large families, each with insurance; agencies write to support. */
const MAX_EMAIL_APPLICATIONS = 4 * MAX_TRAVELLERS;

/** The applications whose traveller or payer has an email address, newest first; case is ignored. */
export async function applicationsByEmail(
  db: Queryable,
  email: string,
): Promise<OwnedApplication[]> {
  const address = email.toLowerCase();
  const paid = db
    .select({ number: order.number })
    .from(order)
    .where(and(eq(sql`lower(${order.customerEmail})`, address), eq(order.lab, false)));
  // Two queries, so that each can use an index.
  const own = db
    .select({ id: application.id })
    .from(application)
    .where(eq(sql`lower(${application.email})`, address));
  const rows = await db
    .select({ application, order })
    .from(application)
    .innerJoin(order, eq(order.number, application.orderNumber))
    .where(or(inArray(application.id, own), inArray(application.orderNumber, paid)))
    .orderBy(desc(application.createdAt), desc(application.id))
    .limit(MAX_EMAIL_APPLICATIONS);
  return rows.map((row) => ({
    ...row,
    isPayer: row.order.customerEmail.toLowerCase() === address,
  }));
}
