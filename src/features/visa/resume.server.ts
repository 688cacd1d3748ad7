import { z } from 'zod';
import type { Pool } from 'pg';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { hashToken, randomToken } from '~/platform/crypto.server.ts';
import { enqueue } from '~/platform/jobs.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter, type Limiter } from '~/platform/rate-limit.server.ts';
import type { Sealer } from '~/platform/seal.server.ts';
import { addDevice, holdDraft, prolong, type Draft } from './draft.server.ts';
import { insertLink, isLinkOpen, spendLink } from './draft-store.server.ts';
import { LINK_DAYS } from './link-days.ts';

const DAY_MS = 24 * 3600 * 1000;
const JOB = 'visa.resume_link';

type Limits = { email: Limiter; address: Limiter; tries: Limiter };
/** A limiter blocks from its own memory: one of each per process. */
const perPool = new WeakMap<Pool, Limits>();

function limitsOf({ pool }: Platform): Limits {
  const known = perPool.get(pool);
  if (known) return known;
  const made = {
    email: makeLimiter(pool, { name: 'resume_email', points: 3, seconds: 3600 }),
    address: makeLimiter(pool, { name: 'resume_address', points: 10, seconds: 3600 }),
    tries: makeLimiter(pool, { name: 'resume_tries', points: 20, seconds: 60 }),
  };
  perPool.set(pool, made);
  return made;
}

const jobPayload = z.object({
  draftId: z.uuid(),
  /** Base64 of a sealed { email, token }: the job queue is kept in the clear. */
  sealed: z.string(),
  language: z.string(),
});
const jobSecret = z.object({ email: z.string(), token: z.string() });

export type ResumeMail = { email: string; url: string; language: string; days: number };

/** What the job `visa.resume_link` is to send: for the feature that writes e-mails. */
export function resumeMailOf({ sealer, config }: Platform, payload: unknown): ResumeMail {
  const { draftId, sealed, language } = jobPayload.parse(payload);
  const secret = jobSecret.parse(
    sealer.unsealJson(Buffer.from(sealed, 'base64'), contextOf(draftId)),
  );
  const url = `${config.publicUrl}/${language}/application/resume/${secret.token}`;
  return { email: secret.email, url, language, days: LINK_DAYS };
}

const contextOf = (draftId: string) => `${JOB}:${draftId}`;
const seal = (sealer: Sealer, draftId: string, secret: z.infer<typeof jobSecret>): string =>
  sealer.sealJson(secret, contextOf(draftId)).toString('base64');

/** Makes a link that opens a draft on another device, once, for 28 days, and has it sent. */
export async function sendResumeLink(
  platform: Platform,
  {
    draftId,
    email,
    language,
    address,
  }: Record<'draftId' | 'email' | 'language' | 'address', string>,
): Promise<Outcome<null, 'too_many'>> {
  const limits = limitsOf(platform);
  const byEmail = await limits.email.consume(email.toLowerCase());
  const byAddress = await limits.address.consume(address);
  if (!byEmail.allowed || !byAddress.allowed) return refused('too_many');
  const now = platform.now();
  const token = randomToken(128);
  await platform.db.transaction(async (tx) => {
    await insertLink(tx, {
      tokenHash: hashToken(token),
      draftId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LINK_DAYS * DAY_MS),
    });
    await prolong(tx, platform, draftId);
    const sealed = seal(platform.sealer, draftId, { email, token });
    await enqueue(tx, JOB, { draftId, sealed, language });
  });
  return ok(null);
}

/** Whether opening would work; asks without using the link up, as scanners of e-mails do. */
export const canResume = (platform: Platform, token: string): Promise<boolean> =>
  isLinkOpen(platform.db, hashToken(token), platform.now());

/** Uses the link up and answers the draft with the cookie for this device. */
export async function resume(
  platform: Platform,
  token: string,
  address: string,
): Promise<Outcome<{ draft: Draft; setCookie: string }, 'over' | 'too_many'>> {
  if (!(await limitsOf(platform).tries.consume(address)).allowed) return refused('too_many');
  return platform.db.transaction(async (tx) => {
    const draftId = await spendLink(tx, hashToken(token), platform.now());
    const draft = draftId && (await holdDraft(tx, platform, draftId));
    if (!draft) return refused('over');
    return ok({ draft, setCookie: await addDevice(tx, platform, draft.id) });
  });
}
