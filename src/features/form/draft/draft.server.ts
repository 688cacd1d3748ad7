import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { and, eq, gt, inArray, isNotNull, isNull, lt, lte, sql, type SQL } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { redirect } from 'react-router';
import { retentionMs } from '~/base/retention-periods.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import { readSecretCookie, secretCookie, type SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform, WithoutPool } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import { knownChanges, UNNAMED } from '~/platform/postgres/statements.server.ts';
import { newRow, storeRows } from '~/platform/postgres/store-together.server.ts';
import type { TypedAnswers, FormName } from '../answers/controls.ts';
import { draft, draftDevice, draftLink, draftParty } from '../tables.server.ts';
import {
  formStarts,
  type DraftForm,
  type PartyPlace,
  type StepSubmission,
} from './draft-content.ts';

/** The content of a draft, stored sealed. */
const draftContent = z.object({
  /** Every control as it was left, valid or not. */
  typed: z.record(z.string(), z.string()),
  /** Steps on which Next was pressed: their problems are shown as soon as they open. */
  attempted: z.array(z.string()),
  /** For each step, the page that wrote it last and the version of the draft this made. */
  written: z.record(
    z.string(),
    z.object({ version: z.number(), page: z.string(), turn: z.number() }),
  ),
});
type DraftContent = z.infer<typeof draftContent>;

/** Drafts deleted in one transaction. */
const AT_ONCE = 500;
/** Tries to write a change when other tabs write at the same time; in each round one of them succeeds. */
const MAX_TRIES = 100;

const LIFE_MS = retentionMs('draft');

/** The answers of a form: stored sealed, opened by a browser's token. */
export type Draft = {
  id: string;
  form: FormName;
  /** Counts the draft's changes; 0 is a draft that is not stored yet. */
  version: number;
  content: DraftContent;
  /** Set once it was submitted; the answers are deleted then. */
  applicationNumber: string | null;
  /** The unpaid application that these answers will change. */
  changing: string | null;
  /** The place among travellers who apply together; null for a single one. */
  party: PartyPlace | null;
};

type SaveResult =
  | { kind: 'saved'; draft: Draft; replaced: TypedAnswers; setCookie: SetCookie | null }
  /** It was submitted in the meantime, by another tab. */
  | { kind: 'submitted'; applicationNumber: string };

const empty: DraftContent = { typed: {}, attempted: [], written: {} };
const contextOf = (id: string) => `draft.answers:${id}`;
const expiryFrom = (now: Date): Date => new Date(now.getTime() + LIFE_MS);

/** A draft's row, with the positions of its party. */
export const placedRow = {
  row: draft,
  positions: sql<number[] | null>`(select array_agg(other.position order by other.position)
    from ${draft} other where other.party_id = ${draft}.party_id)`,
};

type PlacedRow = { row: typeof draft.$inferSelect; positions: number[] | null };

export function unsealDraft(
  { sealer }: Pick<Platform, 'sealer'>,
  { row, positions }: PlacedRow,
): Draft {
  const { id, form, version, applicationNumber, changing, partyId, position } = row;
  const content = draftContent.parse(sealer.unsealJson(row.answers, contextOf(id)));
  const party = partyId && position && positions ? { id: partyId, position, positions } : null;
  return { id, form, version, applicationNumber, changing, content, party };
}

const cookieWith = (
  { cookie }: DraftForm,
  platform: Pick<Platform, 'config'>,
  token: string,
): SetCookie => secretCookie(platform, cookie, token, { maxAgeSeconds: LIFE_MS / 1000 });

/** Clears the browser's cookie, to begin another application. */
export const noDraftCookie = (
  { cookie }: DraftForm,
  platform: Pick<Platform, 'config'>,
): SetCookie => secretCookie(platform, cookie, '', { maxAgeSeconds: 0 });

/** Whether a browser sent a draft's cookie, valid or not. */
export const hasDraftCookie = (
  { cookie }: DraftForm,
  platform: Pick<Platform, 'config'>,
  request: Request,
): boolean => readSecretCookie(platform, request, cookie) !== undefined;

/** The hash of this browser's token; null without one. */
export function draftOpener(
  { cookie }: DraftForm,
  platform: Pick<Platform, 'config'>,
  request: Request,
): Buffer | null {
  const token = readSecretCookie(platform, request, cookie);
  return token ? hashToken(token) : null;
}

/** Whether a browser's token opened a draft until an emailed link opened that elsewhere, where alone it continues. */
export async function isEnded(db: Queryable, opener: Buffer | null): Promise<boolean> {
  if (opener === null) return false;
  const ended = and(eq(draftDevice.tokenHash, opener), isNotNull(draftDevice.endedAt));
  return (await db.$count(draftDevice, ended)) > 0;
}

/**
 * Makes sure that a browser without a draft did not have one until a link opened it elsewhere.
 * @throws A redirect to the page that says so.
 */
export async function assertNotEnded(
  { name }: DraftForm,
  db: Queryable,
  opener: Buffer | null,
): Promise<void> {
  if (await isEnded(db, opener)) throw redirect(`${formStarts[name]}/saved`, { status: 303 });
}

/** Whether a draft is opened by the pages of a form: those of a party are by the e-visa's, whichever form is theirs. */
export const isOfFormSql = (form: unknown): SQL =>
  sql`(${draft.form} = ${form} or ${draft.partyId} is not null)`;

const own = alias(draft, 'own');

const draftOfBrowser = prepareOnce((db) =>
  db
    .select(placedRow)
    .from(draftDevice)
    .innerJoin(own, eq(own.id, draftDevice.draftId))
    .innerJoin(
      draft,
      sql`${draft.id} = coalesce((select asked.id from ${draft} asked where asked.party_id = ${own.partyId}
        and asked.position = ${sql.placeholder('position')}), ${own.id})`,
    )
    .where(
      and(
        eq(draftDevice.tokenHash, sql.placeholder('opener')),
        isNull(draftDevice.endedAt),
        isOfFormSql(sql.placeholder('form')),
        gt(draft.expiresAt, sql.placeholder('now')),
      ),
    )
    .prepare(UNNAMED),
);

/**
 * The draft of this browser; null where it has none or it has expired. In a party, the draft of the traveller at
 * `position` if there is one, or else the browser's own.
 * @throws A redirect where it continues elsewhere.
 */
export async function openDraft(
  form: DraftForm,
  platform: Platform,
  request: Request,
  position: number | null = null,
): Promise<Draft | null> {
  const opener = draftOpener(form, platform, request);
  if (opener === null) return null;
  const asked = { opener, position, form: form.name, now: platform.now() };
  const [found] = await draftOfBrowser(platform.db).execute(asked);
  if (found) return unsealDraft(platform, found);
  await assertNotEnded(form, platform.db, opener);
  return null;
}

/** A draft as it is now; null once it has expired. */
export async function rereadDraft(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  id: string,
): Promise<Draft | null> {
  const alive = and(eq(draft.id, id), gt(draft.expiresAt, now()));
  const [found] = await db.select(placedRow).from(draft).where(alive);
  return found ? unsealDraft({ sealer }, found) : null;
}

/**
 * Locks a draft until the transaction ends, so that two tabs write one after the other; null once it has expired.
 */
export async function lockDraft(
  tx: Transaction,
  platform: Pick<Platform, 'sealer' | 'now'>,
  id: string,
): Promise<Draft | null> {
  const [found] = await tx
    .select(placedRow)
    .from(draft)
    .where(eq(draft.id, id))
    .for('no key update');
  return found && found.row.expiresAt > platform.now() ? unsealDraft(platform, found) : null;
}

/** Answers of a new draft; `id`: chosen by the caller or random. */
type NewDraft = {
  form: FormName;
  language: string;
  id?: string;
  content?: DraftContent;
  changing?: string;
  party?: { partyId: string; position: number };
};

/** A row for a draft that lives from now on. */
export function newDraft(
  { sealer, now }: Pick<Platform, 'sealer' | 'now'>,
  { id = randomUUID(), content = empty, party, ...values }: NewDraft,
): typeof draft.$inferInsert {
  const createdAt = now();
  const answers = sealer.sealJson(content, contextOf(id));
  const expiresAt = expiryFrom(createdAt);
  return { ...values, ...party, id, answers, version: 1, createdAt, expiresAt };
}

function newDevice(form: DraftForm, platform: WithoutPool, draftId: string) {
  const token = randomToken(128);
  const row = { tokenHash: hashToken(token), draftId, createdAt: platform.now() };
  return { row, setCookie: cookieWith(form, platform, token) };
}

/** Lets a browser open the draft; returns the cookie to set. */
export async function addDevice(
  tx: Transaction,
  form: DraftForm,
  platform: WithoutPool,
  draftId: string,
): Promise<SetCookie> {
  const { row, setCookie } = newDevice(form, platform, draftId);
  await tx.insert(draftDevice).values(row);
  return setCookie;
}

/** Stores a draft with the first browser that may open it, in one statement. */
async function createDraft(
  db: Queryable,
  form: DraftForm,
  platform: WithoutPool,
  { content, language, changing }: { content: DraftContent; language: string; changing?: string },
): Promise<{ draft: Draft; setCookie: SetCookie }> {
  const row = newDraft(platform, { form: form.name, language, content, changing });
  const device = newDevice(form, platform, row.id);
  await storeRows(db, { rows: [newRow(draft, row), newRow(draftDevice, device.row)] });
  return {
    draft: {
      id: row.id,
      form: form.name,
      version: row.version,
      applicationNumber: null,
      changing: changing ?? null,
      content,
      party: null,
    },
    setCookie: device.setCookie,
  };
}

const changeDraft = knownChanges(
  draft,
  sql`${eq(draft.id, sql.placeholder('id'))} and ${eq(draft.version, sql.placeholder('known'))}
    and ${isNull(draft.applicationNumber)}`,
);

/**
 * Stores what a page submitted. Two tabs: answers to different steps are merged; of two answers to one question the
 * last counts, and `replaced` says what it replaced. A change is stored only on the version it was made from, and
 * repeated on what another tab has stored in the meantime.
 */
export async function saveDraft(
  form: DraftForm,
  platform: Platform,
  request: Request,
  known: Draft | null,
  writing: StepSubmission,
  language: string,
): Promise<SaveResult> {
  const { db, sealer } = platform;
  const expiresAt = expiryFrom(platform.now());
  let before = known;
  for (let tries = 1; before !== null; tries += 1) {
    if (before.applicationNumber) {
      return { kind: 'submitted', applicationNumber: before.applicationNumber };
    }
    const { id } = before;
    const version = before.version + 1;
    const { content, replaced } = writeStep(form, before.content, version, writing);
    const answers = sealer.sealJson(content, contextOf(id));
    const values = { answers, version, language, expiresAt };
    const { rowCount } = await db.execute(changeDraft(values, { id, known: before.version }));
    if (rowCount === 1) {
      // Set again with every change, so that the cookie lasts as long as the draft.
      const token = readSecretCookie(platform, request, form.cookie);
      const setCookie = token ? cookieWith(form, platform, token) : null;
      return { kind: 'saved', draft: { ...before, version, content }, replaced, setCookie };
    }
    if (tries === MAX_TRIES) throw new Error('The draft is changed all the time');
    before = await rereadDraft(platform, id);
  }
  const { content, replaced } = writeStep(form, empty, 1, writing);
  const made = await createDraft(db, form, platform, { content, language });
  return { kind: 'saved', replaced, ...made };
}

/** What a submitted draft keeps: the number of its application, which has the answers now. */
const closedBy = (
  { sealer }: Pick<Platform, 'sealer'>,
  { id, version, form, party }: Draft,
  applicationNumber: string,
) => ({
  // It stays open by the pages that opened its party.
  form: party ? ('visa' as const) : form,
  answers: sealer.sealJson(empty, contextOf(id)),
  version: version + 1,
  applicationNumber,
  changing: null,
  partyId: null,
  position: null,
});

/** Deletes the answers of a locked draft, which the application has now, and stores its number. */
export async function closeDraft(
  tx: Transaction,
  platform: Pick<Platform, 'sealer'>,
  closing: Draft,
  applicationNumber: string,
): Promise<void> {
  const values = closedBy(platform, closing, applicationNumber);
  await tx.update(draft).set(values).where(eq(draft.id, closing.id));
}

/**
 * `closeDraft` as part of the statement that stores the application: returns a row where the draft still has this
 * version, is not submitted and in no party, and `and` holds; without one nothing is to be stored.
 */
export function closeDraftSql(
  platform: Pick<Platform, 'sealer'>,
  closing: Draft,
  applicationNumber: string,
  and: SQL,
): SQL {
  const closed = closedBy(platform, closing, applicationNumber);
  const set = (column: PgColumn, value: unknown) =>
    sql`${sql.identifier(column.name)} = ${sql.param(value, column)}`;
  return sql`update ${draft} set ${set(draft.answers, closed.answers)}, ${set(draft.version, closed.version)},
    ${set(draft.applicationNumber, applicationNumber)}, ${set(draft.changing, null)}
    where ${draft.id} = ${closing.id} and ${draft.version} = ${closing.version}
      and ${draft.applicationNumber} is null and ${draft.partyId} is null and ${and}
    returning 1`;
}

/** Begins a locked draft anew, with these answers of a form. */
export async function beginDraft(
  tx: Transaction,
  { sealer }: Pick<Platform, 'sealer'>,
  { id, version }: Draft,
  { form, typed }: { form: FormName; typed: TypedAnswers },
): Promise<void> {
  const answers = sealer.sealJson({ ...empty, typed: { ...typed } }, contextOf(id));
  await tx
    .update(draft)
    .set({ form, answers, version: version + 1 })
    .where(eq(draft.id, id));
}

/** Ends unused links to a draft that were emailed to an address which is no longer the draft's. */
export async function endDraftLinks(tx: Transaction, draftId: string): Promise<void> {
  await tx.delete(draftLink).where(and(eq(draftLink.draftId, draftId), isNull(draftLink.usedAt)));
}

/** Whether opening an application again would replace a draft of another one in this browser. */
export const wouldReplaceDraft = (begun: Draft | null, number: string): boolean =>
  begun !== null &&
  begun.applicationNumber === null &&
  begun.changing !== number &&
  Object.values(begun.content.typed).some((value) => value !== '');

/**
 * Opens an unpaid application again: `typed` are its answers, and the next submit changes it under the same number. The
 * caller has checked, in the same transaction, that it is unpaid. Takes this browser's draft where it is of this
 * application; otherwise returns the cookie of a new one.
 */
export async function reopenDraft(
  tx: Transaction,
  form: DraftForm,
  platform: Platform,
  own: Draft | null,
  {
    applicationNumber,
    typed,
    language,
  }: Record<'applicationNumber' | 'language', string> & {
    typed: TypedAnswers;
  },
): Promise<SetCookie | null> {
  const content = { ...empty, typed: { ...typed } };
  if (own?.applicationNumber !== applicationNumber) {
    const made = { content, language, changing: applicationNumber };
    return (await createDraft(tx, form, platform, made)).setCookie;
  }
  await tx
    .update(draft)
    .set({
      answers: platform.sealer.sealJson(content, contextOf(own.id)),
      version: own.version + 1,
      expiresAt: expiryFrom(platform.now()),
      applicationNumber: null,
      changing: applicationNumber,
    })
    .where(eq(draft.id, own.id));
  return null;
}

/** Lets drafts live on from now: all of a party, or one alone. */
export async function prolongDrafts(
  db: Queryable,
  { now }: Pick<Platform, 'now'>,
  { id, party }: Pick<Draft, 'id' | 'party'>,
): Promise<void> {
  const expiresAt = expiryFrom(now());
  await db
    .update(draft)
    .set({ expiresAt })
    .where(
      and(
        party ? eq(draft.partyId, party.id) : eq(draft.id, id),
        lt(draft.expiresAt, expiresAt),
        isNull(draft.applicationNumber),
      ),
    );
}

/**
 * Makes sure of an empty draft with an id of the caller's, which no browser opens, and locks it until the transaction
 * ends: files are stored with it until it expires, counted from now.
 */
export async function ensureDraft(
  tx: Transaction,
  platform: Pick<Platform, 'sealer' | 'now'>,
  values: { id: string; form: FormName; language: string },
): Promise<void> {
  const row = newDraft(platform, values);
  const { expiresAt } = row;
  await tx.insert(draft).values(row).onConflictDoUpdate({ target: draft.id, set: { expiresAt } });
}

/** With their devices and links. */
export async function deleteDrafts(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.delete(draft).where(inArray(draft.id, [...ids]));
}

/** Deletes parties without drafts. */
export async function deleteEmptyParties(db: Queryable): Promise<void> {
  await db
    .delete(draftParty)
    .where(sql`not exists (select 1 from ${draft} where ${draft.partyId} = ${draftParty.id})`);
}

/**
 * Deletes expired drafts, 500 in a transaction; returns how many. For a recurring job. `before` deletes what refers to
 * them, in the same transaction.
 */
export async function deleteExpiredDrafts(
  { db, now }: { db: Queryable; now: () => Date },
  before: (tx: Transaction, ids: string[]) => Promise<void> = async () => undefined,
): Promise<number> {
  let gone = 0;
  for (;;) {
    const deleted = await db.transaction(async (tx) => {
      const old = await tx
        .select({ id: draft.id })
        .from(draft)
        .where(lte(draft.expiresAt, now()))
        .limit(AT_ONCE)
        .for('no key update', { skipLocked: true });
      const ids = old.map(({ id }) => id);
      if (ids.length > 0) await before(tx, ids);
      await deleteDrafts(tx, ids);
      return ids.length;
    });
    gone += deleted;
    if (deleted < AT_ONCE) break;
  }
  await deleteEmptyParties(db);
  return gone;
}

type StepWriteResult = {
  content: DraftContent;
  /**
   * Answers that another page had changed in the meantime and this one has replaced: the last write wins, and is
   * reported.
   */
  replaced: TypedAnswers;
};

/** Writes one step into a draft; `version`: the draft's next version. */
function writeStep(
  { controlsOf, mergeTyped, begunAnew }: DraftForm,
  old: DraftContent,
  version: number,
  { step, entries, page, seen, turn, by }: StepSubmission,
): StepWriteResult {
  const last = old.written[step];
  const isSamePage = last?.page === page;
  if (last && isSamePage && turn < last.turn) return { content: old, replaced: {} };

  const isFromElsewhere = last !== undefined && !isSamePage && last.version > seen;
  const replaced = isFromElsewhere ? differences(controlsOf(step), old.typed, entries) : {};
  // Saving while typing replaces nothing of another page: that is reported at the next button.
  if (by === 'itself' && Object.keys(replaced).length > 0) return { content: old, replaced };
  const typed = mergeTyped(old.typed, entries);
  const anew = begunAnew(old.typed, typed);
  const attempted = new Set(old.attempted.filter((one) => !anew.includes(one)));
  if (by === 'next') attempted.add(step);
  return {
    content: {
      typed: { ...typed },
      attempted: [...attempted],
      written: { ...old.written, [step]: { version, page, turn } },
    },
    replaced,
  };
}

function differences(
  controls: readonly string[],
  before: TypedAnswers,
  after: TypedAnswers,
): TypedAnswers {
  return Object.fromEntries(
    controls.flatMap((control) => {
      const was = before[control] ?? '';
      return was !== '' && was !== (after[control] ?? '') ? [[control, was]] : [];
    }),
  );
}
