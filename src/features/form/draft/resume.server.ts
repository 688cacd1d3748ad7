import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import { z } from 'zod';
import { DAY_MS, formatDate, parseDate } from '~/base/dates/dates.ts';
import { isLanguage, type Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { type SetCookie, cookieHeader } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { TypedAnswers, FormName } from '../answers/controls.ts';
import { LINK_DAYS } from '../answers/limits.ts';
import { draft, draftDevice, draftLink } from '../tables.server.ts';
import { formStarts, forms, type DraftForm } from './draft-content.ts';
import {
  addDevice,
  assertNotEnded,
  lockDraft,
  placedRow,
  prolongDrafts,
  unsealDraft,
  type Draft,
  isEnded,
  noDraftCookie,
  openDraft,
  draftOpener,
  isOfFormSql,
} from './draft.server.ts';
import { data, redirect, type RouterContextProvider } from 'react-router';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';

type Limits = { email: Limiter; address: Limiter; tries: Limiter };
/** Shared by both forms. */
const limitsOf = oncePerPool((pool): Limits => ({
  email: makeLimiter(pool, { name: 'resume_email', points: 3, seconds: 3600 }),
  address: makeLimiter(pool, { name: 'resume_address', points: 10, seconds: 3600 }),
  tries: makeLimiter(pool, { name: 'resume_tries', points: 20, seconds: 60 }),
}));

/** The job that sends a link. */
export const RESUME_JOB = 'form.resume_link';

const jobPayload = z.object({
  form: z.enum(forms),
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

const contextOf = (draftId: string) => `${RESUME_JOB}:${draftId}`;

const secretIn = (sealer: Sealer, { draftId, sealed }: z.infer<typeof jobPayload>) =>
  jobSecret.parse(sealer.unsealJson(Buffer.from(sealed, 'base64'), contextOf(draftId)));

/** The address that is sealed in a job. */
export const readResumeAddress = (sealer: Sealer, payload: unknown): string =>
  secretIn(sealer, jobPayload.parse(payload)).email;

/** `answered`: the names of what was answered, in the email's language; never an answer. */
export type ResumeMail = {
  email: string;
  url: string;
  language: string;
  days: number;
  answered: string[];
};

/** What the job is asked to send; read by the feature that writes emails. */
export function readResumeMail(
  { sealer, config }: Pick<Platform, 'sealer' | 'config'>,
  payload: unknown,
): ResumeMail {
  const read = jobPayload.parse(payload);
  const { language, form } = read;
  const { email, token, answered } = secretIn(sealer, read);
  const url = `${config.publicUrl}/${language}${formStarts[form]}/resume/${token}`;
  const named = isLanguage(language) ? language : 'en';
  const names = answered.map((field) => nameOf(form, field, named));
  return { email, url, language, days: LINK_DAYS, answered: names };
}

/** What an emailed link would open: some answers with their names, and the names of all others. */
export type BegunAnswers = { facts: { term: string; value: string }[]; others: string[] };

/** Answers that show its reader whose application it is; further ones are named and not shown. */
const SHOWN: readonly string[] = ['firstName', 'lastName', 'email', 'phone'];

const answersIn = (form: DraftForm, typed: TypedAnswers): [string, string][] =>
  Object.entries(form.answersIn(typed)).flatMap(([field, value = '']) =>
    value === '' ? [] : [[field, value]],
  );

const nameOf = (form: FormName, field: string, language: Language) =>
  makeTranslate(language)(`${form}:labels.${field}`, field);

function shownValue(
  { nationality, firstDay }: DraftForm,
  field: string,
  value: string,
  language: Language,
): string | null {
  if (field === nationality) return placeName(value, language);
  const day = field === firstDay ? parseDate(value) : null;
  if (day) return formatDate(day, language);
  return SHOWN.includes(field) ? value : null;
}

/**
 * Makes a link that opens a draft on another device, once, within 28 days, and has it sent. Who was sent it alone goes
 * on with the draft: using it ends the access of every other browser, and all other links. `opener`: the hash of the
 * asking browser's token; null where this request began the draft.
 * @throws A redirect where a link has opened the draft elsewhere meanwhile: the browser gets no further link.
 */
export async function sendResumeLink(
  form: DraftForm,
  platform: Platform,
  {
    draftId,
    email,
    language,
    address,
    opener,
  }: Record<'draftId' | 'email' | 'language' | 'address', string> & { opener: Buffer | null },
): Promise<Outcome<null, 'too_many'>> {
  const limits = limitsOf(platform);
  const byEmail = await limits.email.consume(email.toLowerCase());
  const byAddress = await limits.address.consume(address);
  if (!byEmail.allowed || !byAddress.allowed) return refused('too_many');
  const now = platform.now();
  const token = randomToken(128);
  await platform.db.transaction(async (tx) => {
    const held = await lockDraft(tx, platform, draftId);
    if (!held) throw new Error('The draft is gone');
    await assertNotEnded(form, tx, opener);
    await tx.insert(draftLink).values({
      tokenHash: hashToken(token),
      draftId,
      createdAt: now,
      expiresAt: new Date(now.getTime() + LINK_DAYS * DAY_MS),
    });
    await prolongDrafts(tx, platform, held);
    const answered = answersIn(form, held.content.typed).map(([field]) => field);
    const secret: z.infer<typeof jobSecret> = { email, token, answered };
    const sealed = platform.sealer.sealJson(secret, contextOf(draftId)).toString('base64');
    await enqueue(tx, RESUME_JOB, { form: form.name, draftId, sealed, language });
  });
  return ok(null);
}

const isUsable = (tokenHash: Buffer, now: Date) =>
  and(eq(draftLink.tokenHash, tokenHash), isNull(draftLink.usedAt), gt(draftLink.expiresAt, now));

/** The draft that an unused link would open. */
async function draftOfLink(
  { name }: DraftForm,
  db: Queryable,
  { sealer, now }: Pick<Platform, 'sealer' | 'now'>,
  token: string,
): Promise<Draft | null> {
  const alive = and(isOfFormSql(name), gt(draft.expiresAt, now()));
  const [found] = await db
    .select(placedRow)
    .from(draftLink)
    .innerJoin(draft, eq(draft.id, draftLink.draftId))
    .where(and(isUsable(hashToken(token), now()), alive));
  return found ? unsealDraft({ sealer }, found) : null;
}

/** What the link would open, without consuming it: email scanners follow links. Null for one that is over. */
export async function peekResumedAnswers(
  form: DraftForm,
  platform: Platform,
  token: string,
  language: Language,
): Promise<BegunAnswers | null> {
  const found = await draftOfLink(form, platform.db, platform, token);
  if (!found) return null;
  const begun: BegunAnswers = { facts: [], others: [] };
  for (const [field, answer] of answersIn(form, found.content.typed)) {
    const term = nameOf(form.name, field, language);
    const value = shownValue(form, field, answer, language);
    if (value === null) begun.others.push(term);
    else begun.facts.push({ term, value });
  }
  return begun;
}

/** Consumes the link; returns the draft and the cookie for this device, which alone opens it from now on. */
export async function resumeFormDraft(
  form: DraftForm,
  platform: Platform,
  token: string,
  address: string,
): Promise<Outcome<{ draft: Draft; setCookie: SetCookie }, 'over' | 'too_many'>> {
  if (!(await limitsOf(platform).tries.consume(address)).allowed) return refused('too_many');
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    // The draft is locked before its links, so that two links of one draft are used one after the other.
    const known = await draftOfLink(form, tx, platform, token);
    const held = known && (await lockDraft(tx, platform, known.id));
    if (!held) return refused('over');
    const used = await tx
      .update(draftLink)
      .set({ usedAt: now })
      .where(and(isUsable(hashToken(token), now), eq(draftLink.draftId, held.id)));
    if (used.rowCount !== 1) return refused('over');
    await endOpeners(tx, held, now);
    return ok({ draft: held, setCookie: await addDevice(tx, form, platform, held.id) });
  });
}

/** Ends the access of every browser of a draft, or of all drafts of its party, and all their unused links. */
async function endOpeners(tx: Transaction, { id, party }: Draft, now: Date): Promise<void> {
  const opened = tx
    .select({ id: draft.id })
    .from(draft)
    .where(party ? eq(draft.partyId, party.id) : eq(draft.id, id));
  await tx
    .update(draftDevice)
    .set({ endedAt: now })
    .where(and(inArray(draftDevice.draftId, opened), isNull(draftDevice.endedAt)));
  await tx
    .delete(draftLink)
    .where(and(inArray(draftLink.draftId, opened), isNull(draftLink.usedAt)));
}

type Args = { params: { token: string }; context: Readonly<RouterContextProvider> };

/** Where a draft goes on. */
type PlaceOf = (platform: Platform, draft: Draft, language: Language) => Promise<string>;

/** The address contains the token, so the page is not cached. */
const headers = { 'Cache-Control': 'no-store' };

/** Loader and action of the page that an emailed link leads to. */
export function resumePage(form: DraftForm, placeOf: PlaceOf) {
  return {
    /** Email scanners follow links, so opening the page does not consume the link; its button does. */
    async load({ params, context }: Args) {
      const language = context.get(languageContext);
      const begun = await peekResumedAnswers(
        form,
        context.get(platformContext),
        params.token,
        language,
      );
      return data({ begun }, { status: begun ? 200 : 410, headers });
    },

    async act({ params, context }: Args) {
      const platform = context.get(platformContext);
      const resumed = await resumeFormDraft(
        form,
        platform,
        params.token,
        context.get(addressContext),
      );
      if (!resumed.ok) {
        const tooMany = resumed.error === 'too_many';
        return data({ tooMany }, { status: tooMany ? 429 : 410, headers });
      }
      const { draft, setCookie } = resumed.value;
      const place = await placeOf(platform, draft, context.get(languageContext));
      return redirect(place, { status: 303, headers: cookieHeader(setCookie) });
    },
  };
}

type SavedArgs = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Loader and action of the page after "save for later", which also tells a browser that its draft continues where an
 * emailed link opened it.
 */
export function savedPage(form: DraftForm, placeOf: PlaceOf) {
  const start = formStarts[form.name];
  const isEndedHere = (platform: Platform, request: Request) =>
    isEnded(platform.db, draftOpener(form, platform, request));
  return {
    async load({ request, context }: SavedArgs) {
      const platform = context.get(platformContext);
      if (await isEndedHere(platform, request)) return data({ goOn: null }, { headers });
      const draft = await openDraft(form, platform, request);
      if (!draft) throw redirect(start);
      const goOn = await placeOf(platform, draft, context.get(languageContext));
      return data({ goOn }, { headers });
    },

    /** Begins another application in a browser whose draft continues elsewhere. */
    async act({ request, context }: SavedArgs) {
      const platform = context.get(platformContext);
      const cleared = (await isEndedHere(platform, request))
        ? cookieHeader(noDraftCookie(form, platform))
        : {};
      return redirect(start, { status: 303, headers: cleared });
    },
  };
}
