import { keptMs } from '~/base/retention-periods.ts';
import { randomUUID } from 'node:crypto';
import type { SQL } from 'drizzle-orm';
import { redirect } from 'react-router';
import { readSecretCookie, secretCookie, type SetCookie } from '~/platform/http/cookies.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform, WithoutPool } from '~/platform/platform.server.ts';
import type { Typed } from '../answers/controls.ts';
import type { DraftContent, Written } from './draft-content.ts';
import type { DraftRow, DraftStore } from './draft-store.server.ts';

/** Drafts deleted in one transaction. */
const AT_ONCE = 500;
/** Tries to write a change when other tabs write at the same time; in each round one of them succeeds. */
const MOST_TRIES = 100;

/** One kind of form that keeps a draft. */
export type DraftKind<Step extends string, Writing> = {
  form: 'visa' | 'insurance';
  /** The cookie that holds a browser's token. */
  cookie: string;
  /** The page that says that a draft continues elsewhere, to a browser whose access ended. */
  endedPage: string;
  store: DraftStore;
  /**
   * Parses stored content.
   * @throws Error for anything else.
   */
  read: (content: unknown) => DraftContent<Step>;
  /** Merges what a page submitted into a draft's content; `version`: the next one. */
  write: (old: DraftContent<Step>, version: number, writing: Writing) => Written<Step>;
};

export type Draft<Step extends string> = {
  id: string;
  /** Counts the draft's changes; 0 is a draft that is not stored yet. */
  version: number;
  content: DraftContent<Step>;
  /** Set once it was submitted; the answers are deleted then. */
  applicationNumber: string | null;
  /** The unpaid application that these answers will change. */
  changing: string | null;
};

export type Saved<Step extends string> =
  | { kind: 'saved'; draft: Draft<Step>; replaced: Typed; setCookie: SetCookie | null }
  /** It was submitted in the meantime, by another tab. */
  | { kind: 'submitted'; applicationNumber: string };

/** Drafts of one kind of form: stored sealed, opened by a browser's token. */
export function draftsOf<Step extends string, Writing>({
  form,
  cookie,
  endedPage,
  store,
  read,
  write,
}: DraftKind<Step, Writing>) {
  const empty: DraftContent<Step> = { typed: {}, attempted: [], written: {} };
  const contextOf = (id: string) => `${form}_draft.answers:${id}`;
  const draftMs = keptMs(`${form}Draft`);
  const expiryFrom = (now: Date): Date => new Date(now.getTime() + draftMs);

  function unseal({ sealer }: Pick<Platform, 'sealer'>, row: DraftRow): Draft<Step> {
    const { id, version, applicationNumber, changing } = row;
    const content = read(sealer.unsealJson(row.answers, contextOf(id)));
    return { id, version, applicationNumber, changing, content };
  }

  const cookieWith = (platform: Pick<Platform, 'config'>, token: string): SetCookie =>
    secretCookie(platform, cookie, token, { maxAgeSeconds: draftMs / 1000 });

  /** The hash of this browser's token; null without one. */
  function openerOf(platform: Pick<Platform, 'config'>, request: Request): Buffer | null {
    const token = readSecretCookie(platform, request, cookie);
    return token ? hashToken(token) : null;
  }

  /** Whether this browser's draft was opened elsewhere by an emailed link, so that it continues there alone. */
  async function isEnded(platform: Platform, request: Request): Promise<boolean> {
    const opener = openerOf(platform, request);
    return opener !== null && store.isEnded(platform.db, opener);
  }

  /**
   * Makes sure that a browser without a draft did not have one until a link opened it elsewhere.
   * @throws A redirect to the page that says so.
   */
  async function assertNotEnded(db: Queryable, opener: Buffer | null): Promise<void> {
    if (opener !== null && (await store.isEnded(db, opener))) {
      throw redirect(endedPage, { status: 303 });
    }
  }

  /**
   * The draft of this browser; null where it has none or it has expired.
   * @throws A redirect where it continues elsewhere.
   */
  async function open(platform: Platform, request: Request): Promise<Draft<Step> | null> {
    const opener = openerOf(platform, request);
    if (opener === null) return null;
    const row = await store.draftOfDevice(platform.db, opener, platform.now());
    if (row) return unseal(platform, row);
    await assertNotEnded(platform.db, opener);
    return null;
  }

  function newDevice(platform: WithoutPool, draftId: string) {
    const token = randomToken(128);
    const row = { tokenHash: hashToken(token), draftId, createdAt: platform.now() };
    return { row, setCookie: cookieWith(platform, token) };
  }

  /** Lets a browser open the draft; returns the cookie to set. */
  async function addDevice(
    tx: Transaction,
    platform: WithoutPool,
    draftId: string,
  ): Promise<SetCookie> {
    const { row, setCookie } = newDevice(platform, draftId);
    await store.insertDevice(tx, row);
    return setCookie;
  }

  function newRow(
    platform: WithoutPool,
    {
      id,
      language,
      content = empty,
    }: { id: string; language: string; content?: DraftContent<Step> },
  ) {
    const now = platform.now();
    const answers = platform.sealer.sealJson(content, contextOf(id));
    return { id, answers, version: 1, language, createdAt: now, expiresAt: expiryFrom(now) };
  }

  async function create(
    db: Queryable,
    platform: WithoutPool,
    content: DraftContent<Step>,
    language: string,
    changing: string | null = null,
  ): Promise<{ draft: Draft<Step>; setCookie: SetCookie }> {
    const id = randomUUID();
    const row = newRow(platform, { id, language, content });
    const device = newDevice(platform, id);
    await store.insertDraft(db, { ...row, changing }, device.row);
    const draft = { id, version: row.version, applicationNumber: null, changing, content };
    return { draft, setCookie: device.setCookie };
  }

  /**
   * Stores what a page submitted. Two tabs: answers to different steps are merged; of two answers to one question the
   * last counts, and `replaced` says what it replaced. A change is stored only on the version it was made from, and
   * repeated on what another tab has stored in the meantime.
   */
  async function save(
    platform: Platform,
    request: Request,
    known: Draft<Step> | null,
    writing: Writing,
    language: string,
  ): Promise<Saved<Step>> {
    const { db, sealer } = platform;
    const expiresAt = expiryFrom(platform.now());
    let before = known;
    for (let tries = 1; before !== null; tries += 1) {
      if (before.applicationNumber) {
        return { kind: 'submitted', applicationNumber: before.applicationNumber };
      }
      const { id, changing } = before;
      const version = before.version + 1;
      const { content, replaced } = write(before.content, version, writing);
      const answers = sealer.sealJson(content, contextOf(id));
      const values = { answers, version, language, expiresAt };
      if (await store.changeDraft(db, before, values)) {
        // Set again with every change, so that the cookie lasts as long as the draft.
        const token = readSecretCookie(platform, request, cookie);
        const setCookie = token ? cookieWith(platform, token) : null;
        const draft = { id, version, applicationNumber: null, changing, content };
        return { kind: 'saved', draft, replaced, setCookie };
      }
      if (tries === MOST_TRIES) throw new Error('The draft is changed all the time');
      const row = await store.draftById(db, id);
      before = row && unseal(platform, row);
    }
    const { content, replaced } = write(empty, 1, writing);
    return { kind: 'saved', replaced, ...(await create(db, platform, content, language)) };
  }

  /** A draft as it is now; null once it has expired. */
  async function reread(
    platform: Pick<Platform, 'db' | 'sealer' | 'now'>,
    id: string,
  ): Promise<Draft<Step> | null> {
    const row = await store.draftById(platform.db, id);
    return row && row.expiresAt > platform.now() ? unseal(platform, row) : null;
  }

  /** Locks a draft until the transaction ends; null once it has expired. */
  async function lock(
    tx: Transaction,
    platform: Pick<Platform, 'sealer' | 'now'>,
    id: string,
  ): Promise<Draft<Step> | null> {
    const row = await store.lockDraft(tx, id);
    return row && row.expiresAt > platform.now() ? unseal(platform, row) : null;
  }

  return {
    store,
    open,
    openerOf,
    isEnded,
    assertNotEnded,
    unseal,
    expiryFrom,
    save,
    reread,
    lock,
    addDevice,

    /** A draft that no browser opens by itself, but through another one's page (a party). Returns its id. */
    async createWithoutDevice(
      tx: Transaction,
      platform: WithoutPool,
      { typed, language }: { typed: Typed; language: string },
    ): Promise<string> {
      const id = randomUUID();
      const content = { ...empty, typed };
      await store.insertDraftAlone(tx, newRow(platform, { id, language, content }));
      return id;
    },

    /**
     * Makes sure of an empty draft with an id of the caller's, which no browser opens, and locks it until the transaction
     * ends: files are stored with it until it expires, counted from now.
     */
    async ensureWithoutDevice(
      tx: Transaction,
      platform: WithoutPool,
      ofForm: { id: string; language: string },
    ): Promise<void> {
      await store.insertOrExtendDraft(tx, newRow(platform, ofForm));
    },

    /** Extends the draft's life for a link that was just asked for. */
    async prolong(tx: Transaction, platform: WithoutPool, draftId: string): Promise<void> {
      await store.updateDraft(tx, draftId, { expiresAt: expiryFrom(platform.now()) });
    },

    /** Deletes the answers, which the application has now, and stores its number. */
    async close(
      tx: Transaction,
      { sealer }: Pick<Platform, 'sealer'>,
      draft: Draft<Step>,
      applicationNumber: string,
    ): Promise<void> {
      await store.updateDraft(tx, draft.id, {
        answers: sealer.sealJson(empty, contextOf(draft.id)),
        version: draft.version + 1,
        applicationNumber,
        changing: null,
      });
    },

    /**
     * `close` as part of the statement that stores the application: returns a row where the draft still has this
     * version, is not submitted, and `and` holds; without one nothing is to be stored.
     */
    closeSql(
      { sealer }: Pick<Platform, 'sealer'>,
      draft: Draft<Step>,
      applicationNumber: string,
      and: SQL,
    ): SQL {
      const answers = sealer.sealJson(empty, contextOf(draft.id));
      return store.closeDraftSql(draft, { answers, applicationNumber }, and);
    },

    /** Ends unused links to a draft that were emailed to an address which is no longer the draft's. */
    endLinks: (tx: Transaction, draftId: string): Promise<void> => store.deleteLinks(tx, draftId),

    /**
     * Opens an unpaid application again: `typed` are its answers, and the next submit changes it under the same number.
     * The caller has checked, in the same transaction, that it is unpaid.
     */
    async reopen(
      tx: Transaction,
      platform: Pick<Platform, 'sealer' | 'now'>,
      draft: Draft<Step>,
      { applicationNumber, typed }: { applicationNumber: string; typed: Typed },
    ): Promise<Draft<Step>> {
      const content = { ...empty, typed: { ...typed } };
      const row = await store.updateDraft(tx, draft.id, {
        answers: platform.sealer.sealJson(content, contextOf(draft.id)),
        version: draft.version + 1,
        expiresAt: expiryFrom(platform.now()),
        applicationNumber: null,
        changing: applicationNumber,
      });
      return unseal(platform, row);
    },

    /** `reopen` in a browser that has no draft of this application. Returns its cookie. */
    async reopenHere(
      tx: Transaction,
      platform: Platform,
      {
        applicationNumber,
        typed,
        language,
      }: { applicationNumber: string; typed: Typed; language: string },
    ): Promise<SetCookie> {
      const content = { ...empty, typed: { ...typed } };
      return (await create(tx, platform, content, language, applicationNumber)).setCookie;
    },

    /** Clears the browser's cookie, to begin another application. */
    noCookie: (platform: Pick<Platform, 'config'>): SetCookie =>
      secretCookie(platform, cookie, '', { maxAgeSeconds: 0 }),

    /** Whether a browser sent a draft's cookie, valid or not. */
    isNamed: (platform: Pick<Platform, 'config'>, request: Request): boolean =>
      readSecretCookie(platform, request, cookie) !== undefined,

    /**
     * Deletes expired drafts, 500 in a transaction; returns how many. `before` deletes what refers to them, in the same
     * transaction.
     */
    async deleteExpired(
      { db, now }: { db: Queryable; now: () => Date },
      before: (tx: Transaction, ids: string[]) => Promise<void> = async () => undefined,
    ): Promise<number> {
      let gone = 0;
      for (;;) {
        const deleted = await db.transaction(async (tx) => {
          const ids = await store.expiredDrafts(tx, now(), AT_ONCE);
          if (ids.length > 0) await before(tx, ids);
          await store.deleteDrafts(tx, ids);
          return ids.length;
        });
        gone += deleted;
        if (deleted < AT_ONCE) return gone;
      }
    },
  };
}

export type Drafts<Step extends string, Writing> = ReturnType<typeof draftsOf<Step, Writing>>;
