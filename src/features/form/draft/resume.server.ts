import { z } from 'zod';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Draft, Drafts } from './drafts.server.ts';
import { LINK_DAYS } from './draft-content.ts';

const DAY_MS = 24 * 3600 * 1000;

type Limits = { email: Limiter; address: Limiter; tries: Limiter };
/** Shared by all forms. */
const limitsOf = oncePerPool((pool): Limits => ({
  email: makeLimiter(pool, { name: 'resume_email', points: 3, seconds: 3600 }),
  address: makeLimiter(pool, { name: 'resume_address', points: 10, seconds: 3600 }),
  tries: makeLimiter(pool, { name: 'resume_tries', points: 20, seconds: 60 }),
}));

const jobPayload = z.object({
  draftId: z.uuid(),
  /** Base64 of a sealed { email, token }, as the job queue is not encrypted. */
  sealed: z.string(),
  language: z.string(),
});
const jobSecret = z.object({ email: z.string(), token: z.string() });

export type ResumeMail = { email: string; url: string; language: string; days: number };

export type ResumeRequest = Record<'draftId' | 'email' | 'language' | 'address', string>;

/** Links by e-mail that open a draft of one kind of form on another device; `path` is the page that they lead to. */
export function resumeLinks<Step extends string>(
  drafts: Pick<Drafts<Step, never>, 'store' | 'prolong' | 'lock' | 'addDevice'>,
  { job, path }: { job: string; path: string },
) {
  const contextOf = (draftId: string) => `${job}:${draftId}`;

  const seal = (sealer: Sealer, draftId: string, secret: z.infer<typeof jobSecret>): string =>
    sealer.sealJson(secret, contextOf(draftId)).toString('base64');

  const secretIn = (sealer: Sealer, { draftId, sealed }: z.infer<typeof jobPayload>) =>
    jobSecret.parse(sealer.unsealJson(Buffer.from(sealed, 'base64'), contextOf(draftId)));

  return {
    job,

    /** The address that is sealed in a job. */
    addressIn: (sealer: Sealer, payload: unknown): string =>
      secretIn(sealer, jobPayload.parse(payload)).email,

    /** What the job is asked to send; read by the feature that writes emails. */
    mailOf({ sealer, config }: Pick<Platform, 'sealer' | 'config'>, payload: unknown): ResumeMail {
      const read = jobPayload.parse(payload);
      const { language } = read;
      const secret = secretIn(sealer, read);
      const url = `${config.publicUrl}/${language}${path}/${secret.token}`;
      return { email: secret.email, url, language, days: LINK_DAYS };
    },

    /** Makes a link that opens a draft on another device, once, within 28 days, and has it sent. */
    async send(
      platform: Platform,
      { draftId, email, language, address }: ResumeRequest,
    ): Promise<Outcome<null, 'too_many'>> {
      const limits = limitsOf(platform);
      const byEmail = await limits.email.consume(email.toLowerCase());
      const byAddress = await limits.address.consume(address);
      if (!byEmail.allowed || !byAddress.allowed) return refused('too_many');
      const now = platform.now();
      const token = randomToken(128);
      await platform.db.transaction(async (tx) => {
        await drafts.store.insertLink(tx, {
          tokenHash: hashToken(token),
          draftId,
          createdAt: now,
          expiresAt: new Date(now.getTime() + LINK_DAYS * DAY_MS),
        });
        await drafts.prolong(tx, platform, draftId);
        const sealed = seal(platform.sealer, draftId, { email, token });
        await enqueue(tx, job, { draftId, sealed, language });
      });
      return ok(null);
    },

    /** Whether the link would work, without consuming it: email scanners follow links. */
    canResume: (platform: Platform, token: string): Promise<boolean> =>
      drafts.store.isLinkOpen(platform.db, hashToken(token), platform.now()),

    /** Consumes the link; returns the draft and the cookie for this device. */
    async resume(
      platform: Platform,
      token: string,
      address: string,
    ): Promise<Outcome<{ draft: Draft<Step>; setCookie: SetCookie }, 'over' | 'too_many'>> {
      if (!(await limitsOf(platform).tries.consume(address)).allowed) return refused('too_many');
      return platform.db.transaction(async (tx) => {
        const draftId = await drafts.store.spendLink(tx, hashToken(token), platform.now());
        const draft = draftId && (await drafts.lock(tx, platform, draftId));
        if (!draft) return refused('over');
        return ok({ draft, setCookie: await drafts.addDevice(tx, platform, draft.id) });
      });
    },
  };
}
