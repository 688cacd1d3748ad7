import { randomUUID } from 'node:crypto';
import { readCookie } from '~/platform/cookies.server.ts';
import { hashToken, randomToken } from '~/platform/crypto.server.ts';
import type { Transaction } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  draftContent,
  emptyDraft,
  write,
  type DraftContent,
  type Writing,
} from './draft-content.ts';
import {
  deleteExpiredDrafts,
  draftOfDevice,
  insertDevice,
  insertDraft,
  lockDraft,
  updateDraft,
  type DraftRow,
} from './draft-store.server.ts';
import type { Typed } from './wizard/typed.ts';

const COOKIE = 'lale_draft';
const DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

export type Draft = {
  id: string;
  /** Counts its changes; 0 is a draft that nobody has kept yet. */
  version: number;
  content: DraftContent;
  /** Set once it was submitted; its answers are gone then. */
  applicationNumber: string | null;
};

const expiryFrom = (now: Date): Date => new Date(now.getTime() + DAYS * DAY_MS);
const contextOf = (id: string) => `visa_draft.answers:${id}`;

function open({ sealer }: Platform, row: DraftRow): Draft {
  const { id, version, applicationNumber } = row;
  const content = draftContent.parse(sealer.unsealJson(row.answers, contextOf(id)));
  return { id, version, applicationNumber, content };
}

/** The draft of this browser, or null where it has none or its 30 days are over. */
export async function openDraft(platform: Platform, request: Request): Promise<Draft | null> {
  const token = readCookie(request, COOKIE);
  if (!token) return null;
  const row = await draftOfDevice(platform.db, hashToken(token), platform.now());
  return row && open(platform, row);
}

export type Kept =
  | { kind: 'kept'; draft: Draft; replaced: Typed; setCookie: string | null }
  /** It was submitted meanwhile, in another tab. */
  | { kind: 'submitted'; applicationNumber: string };

/**
 * Keeps what a page sent. Two tabs: answers to different steps are merged; of two answers to the same question the
 * last counts, and `replaced` says what it replaced, so that nothing is overwritten silently.
 */
export async function keep(
  platform: Platform,
  request: Request,
  known: Draft | null,
  writing: Writing,
  language: string,
): Promise<Kept> {
  const now = platform.now();
  const expiresAt = expiryFrom(now);
  return platform.db.transaction(async (tx) => {
    const locked = known && (await lockDraft(tx, known.id));
    if (locked?.applicationNumber) {
      return { kind: 'submitted', applicationNumber: locked.applicationNumber };
    }
    if (!locked) {
      const { content, replaced } = write(emptyDraft, 1, writing);
      const { row, setCookie } = await create(tx, platform, content, language);
      return { kind: 'kept', draft: open(platform, row), replaced, setCookie };
    }
    const before = open(platform, locked);
    const version = before.version + 1;
    const { content, replaced } = write(before.content, version, writing);
    const answers = platform.sealer.sealJson(content, contextOf(before.id));
    await updateDraft(tx, before.id, { answers, version, language, expiresAt });
    // Sent again with every change, so that the browser keeps it as long as we keep the draft.
    const token = readCookie(request, COOKIE);
    const setCookie = token ? cookie(platform, token) : null;
    return { kind: 'kept', draft: { ...before, version, content }, replaced, setCookie };
  });
}

async function create(
  tx: Transaction,
  platform: Platform,
  content: DraftContent,
  language: string,
) {
  const now = platform.now();
  const id = randomUUID();
  const row = await insertDraft(tx, {
    id,
    answers: platform.sealer.sealJson(content, contextOf(id)),
    version: 1,
    language,
    createdAt: now,
    expiresAt: expiryFrom(now),
  });
  return { row, setCookie: await addDevice(tx, platform, id) };
}

/** Lets a browser open the draft; the answer is the cookie it gets. */
export async function addDevice(tx: Transaction, platform: Platform, draftId: string) {
  const token = randomToken(128);
  await insertDevice(tx, { tokenHash: hashToken(token), draftId, createdAt: platform.now() });
  return cookie(platform, token);
}

/** Another 30 days, for a link that was just asked for. */
export async function prolong(tx: Transaction, platform: Platform, draftId: string): Promise<void> {
  await updateDraft(tx, draftId, { expiresAt: expiryFrom(platform.now()) });
}

/** The draft as it is now, held until the transaction ends; null when it is over. */
export async function holdDraft(
  tx: Transaction,
  platform: Platform,
  id: string,
): Promise<Draft | null> {
  const row = await lockDraft(tx, id);
  return row && row.expiresAt > platform.now() ? open(platform, row) : null;
}

/** Answers live on in the application: the draft forgets them and remembers its number. */
export async function closeDraft(
  tx: Transaction,
  { sealer }: Platform,
  draft: Draft,
  applicationNumber: string,
): Promise<void> {
  await updateDraft(tx, draft.id, {
    answers: sealer.sealJson(emptyDraft, contextOf(draft.id)),
    version: draft.version + 1,
    applicationNumber,
  });
}

function cookie({ config }: Platform, token: string): string {
  const secure = config.publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${COOKIE}=${token}; Path=/; Max-Age=${(DAYS * DAY_MS) / 1000}; HttpOnly; SameSite=Lax${secure}`;
}

/** Makes the browser forget its draft, to begin another application. */
export const noDraftCookie = `${COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`;

/** Deletes the drafts whose time is over; returns how many. For a recurring job. */
export const forgetDrafts = ({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<number> =>
  deleteExpiredDrafts(db, now());
