import { z } from 'zod';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { isLanguage, type Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import type { SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Draft, Drafts } from './drafts.server.ts';
import type { Typed } from '../answers/controls.ts';
import { LINK_DAYS } from '../answers/limits.ts';

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
const jobSecret = z.object({
  email: z.string(),
  token: z.string(),
  /** The names of the fields that had an answer. */
  answered: z.array(z.string()),
});

/** `answered`: the names of what was answered, in the email's language; never an answer. */
export type ResumeMail = {
  email: string;
  url: string;
  language: string;
  days: number;
  answered: string[];
};

export type ResumeRequest = Record<'draftId' | 'email' | 'language' | 'address', string> & {
  /** The hash of the asking browser's token; null where this request began the draft. */
  opener: Buffer | null;
};

/** What an emailed link would open: some answers with their names, and the names of all others. */
export type BegunAnswers = { facts: { term: string; value: string }[]; others: string[] };

/** Answers that show its reader whose application it is; further ones are named and not shown. */
const SHOWN: readonly string[] = ['firstName', 'lastName', 'email', 'phone'];

type LinkedForm = {
  job: string;
  /** The page that a link leads to. */
  path: string;
  /** The ids of all drafts that are opened with one. */
  openedWith: (tx: Queryable, draftId: string) => Promise<string[]>;
  /** Whose texts name the fields. */
  form: 'visa' | 'insurance';
  /** The fields with a country's code and with the first day. */
  nationality: string;
  firstDay: string;
  /** What was typed, by field; '' for no answer. */
  answersOf: (typed: Typed) => Readonly<Partial<Record<string, string>>>;
};

/**
 * Links by email that open a draft of one kind of form on another device. Who was sent a link alone goes on with the
 * draft: using it ends the access of every other browser, and all other links.
 */
export function resumeLinks<Step extends string>(
  drafts: Pick<
    Drafts<Step, never>,
    'store' | 'prolong' | 'lock' | 'addDevice' | 'unseal' | 'assertNotEnded'
  >,
  { job, path, openedWith, form, nationality, firstDay, answersOf }: LinkedForm,
) {
  const answersIn = (typed: Typed): [string, string][] =>
    Object.entries(answersOf(typed)).flatMap(([field, value = '']) =>
      value === '' ? [] : [[field, value]],
    );

  const nameOf = (field: string, language: Language) =>
    textsIn(language)(`${form}:labels.${field}`, field);

  function shownValue(field: string, value: string, language: Language): string | null {
    if (field === nationality) return placeName(value, language);
    const day = field === firstDay ? parseDate(value) : null;
    if (day) return formatDate(day, language);
    return SHOWN.includes(field) ? value : null;
  }

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
      const { email, token, answered } = secretIn(sealer, read);
      const url = `${config.publicUrl}/${language}${path}/${token}`;
      const named = isLanguage(language) ? language : 'en';
      const names = answered.map((field) => nameOf(field, named));
      return { email, url, language, days: LINK_DAYS, answered: names };
    },

    /**
     * Makes a link that opens a draft on another device, once, within 28 days, and has it sent.
     * @throws A redirect where a link has opened the draft elsewhere meanwhile: the browser gets no further link.
     */
    async send(
      platform: Platform,
      { draftId, email, language, address, opener }: ResumeRequest,
    ): Promise<Outcome<null, 'too_many'>> {
      const limits = limitsOf(platform);
      const byEmail = await limits.email.consume(email.toLowerCase());
      const byAddress = await limits.address.consume(address);
      if (!byEmail.allowed || !byAddress.allowed) return refused('too_many');
      const now = platform.now();
      const token = randomToken(128);
      await platform.db.transaction(async (tx) => {
        const draft = await drafts.lock(tx, platform, draftId);
        await drafts.assertNotEnded(tx, opener);
        const answered = answersIn(draft?.content.typed ?? {}).map(([field]) => field);
        await drafts.store.insertLink(tx, {
          tokenHash: hashToken(token),
          draftId,
          createdAt: now,
          expiresAt: new Date(now.getTime() + LINK_DAYS * DAY_MS),
        });
        await drafts.prolong(tx, platform, draftId);
        const sealed = seal(platform.sealer, draftId, { email, token, answered });
        await enqueue(tx, job, { draftId, sealed, language });
      });
      return ok(null);
    },

    /** What the link would open, without consuming it: email scanners follow links. Null for one that is over. */
    async begunBy(
      platform: Platform,
      token: string,
      language: Language,
    ): Promise<BegunAnswers | null> {
      const row = await drafts.store.draftOfLink(platform.db, hashToken(token), platform.now());
      if (!row) return null;
      const begun: BegunAnswers = { facts: [], others: [] };
      for (const [field, answer] of answersIn(drafts.unseal(platform, row).content.typed)) {
        const term = nameOf(field, language);
        const value = shownValue(field, answer, language);
        if (value === null) begun.others.push(term);
        else begun.facts.push({ term, value });
      }
      return begun;
    },

    /** Consumes the link; returns the draft and the cookie for this device, which alone opens it from now on. */
    async resume(
      platform: Platform,
      token: string,
      address: string,
    ): Promise<Outcome<{ draft: Draft<Step>; setCookie: SetCookie }, 'over' | 'too_many'>> {
      if (!(await limitsOf(platform).tries.consume(address)).allowed) return refused('too_many');
      const { store } = drafts;
      const now = platform.now();
      return platform.db.transaction(async (tx) => {
        // The draft is locked before its links, so that two links of one draft are used one after the other.
        const row = await store.draftOfLink(tx, hashToken(token), now);
        const draft = row && (await drafts.lock(tx, platform, row.id));
        if (!draft || (await store.spendLink(tx, hashToken(token), now)) !== draft.id) {
          return refused('over');
        }
        await store.endOpeners(tx, await openedWith(tx, draft.id), now);
        return ok({ draft, setCookie: await drafts.addDevice(tx, platform, draft.id) });
      });
    },
  };
}
