import { retentionStart } from '~/base/retention-periods.ts';
import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { decisionRefusal, toRejection, decideApplication } from './decide.server.ts';
import type { Decision, DecisionError, MessageError } from './decision-types.ts';
import { deleteDecisions } from './undo-record.server.ts';
import { messageRefusal, sendMessage } from './send-message.server.ts';
import { isUploadFree } from './store.server.ts';
import { and, eq, lt } from 'drizzle-orm';
import { deskDraft } from './tables.server.ts';
import { editedTemplate } from '~/features/application/templates.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { RouterContextProvider } from 'react-router';
import { requireDesk } from '~/features/staff/require.server.ts';
import { findApplication } from './detail.server.ts';

type Drafted = Exclude<Decision, { kind: 'start_processing' }>;

/**
 * Stores a decision as a draft for its author to check. Nothing is decided, but what would be refused later is refused
 * now, so that nobody checks an email that cannot be sent.
 */
export async function draftDecision(
  platform: Pick<Platform, 'db' | 'now' | 'sealer'>,
  staff: Staff,
  found: Application,
  decision: Drafted,
): Promise<Outcome<string, DecisionError>> {
  const { db } = platform;
  const taken = { applicationId: found.id, staffId: staff.id };
  const fileId = decision.kind === 'reject' ? undefined : decision.fileId;
  const refusal = await decisionRefusal(db, staff, found, decision);
  if (refusal) return refused(refusal);
  if (fileId !== undefined && !(await isUploadFree(db, { ...taken, fileId }))) {
    return refused({ code: 'unknown_document' });
  }
  const rejection = decision.kind === 'reject' ? toRejection(decision) : null;
  const drafted = {
    ...taken,
    kind: decision.kind,
    seen: (decision.kind !== 'attach' && decision.seen) || found.status,
    fileId: fileId ?? null,
    rejectionCode: rejection?.code ?? null,
    words: rejection?.words ?? null,
    createdAt: platform.now(),
  };
  return ok(await insertDraft(db, platform.sealer, drafted));
}

/** Stores a message as a draft for its author to check, unless it could not be sent: see `messageRefusal`. */
export async function draftMessage(
  platform: Platform,
  staff: Staff,
  found: Application,
  message: { text: string; seenUntil: Date },
): Promise<Outcome<string, MessageError>> {
  const { db, sealer, now } = platform;
  const refusal = await messageRefusal(db, platform, staff, found, message);
  if (refusal) return refused(refusal);
  const drafted = {
    applicationId: found.id,
    staffId: staff.id,
    kind: 'message',
    seen: found.status,
    fileId: null,
    rejectionCode: null,
    words: message.text,
    createdAt: now(),
  } as const;
  return ok(await insertDraft(db, sealer, drafted));
}

/** Stores a draft and returns its id. */
export async function insertDraft(
  db: Queryable,
  sealer: Sealer,
  { words, ...drafted }: Omit<DecisionDraft, 'id'>,
): Promise<string> {
  const id = randomUUID();
  const sealed = words === null ? null : sealer.seal(words, wordsOf(id));
  await db.insert(deskDraft).values({ ...drafted, id, words: sealed });
  return id;
}

/** What the words of a draft are sealed for. */
const wordsOf = (id: string) => `desk_draft.words:${id}`;

/** The decision in a draft that is no message. */
function draftedDecision(
  kind: Drafted['kind'],
  { seen, fileId, rejectionCode, words }: DecisionDraft,
): Drafted {
  if (kind === 'attach') return { kind, fileId: fileId ?? undefined };
  return kind === 'approve'
    ? { kind, seen, fileId: fileId ?? undefined }
    : { kind, seen, code: rejectionCode ?? undefined, reason: words ?? undefined };
}

/** A draft by the id in an address; null unless it is this person's, at this application. */
export async function openDraft(
  { db, sealer }: Pick<Platform, 'db' | 'sealer'>,
  staff: Staff,
  { application, id }: { application: Application; id: string },
): Promise<DecisionDraft | null> {
  if (!isUuid(id)) return null;
  const [row] = await db
    .select()
    .from(deskDraft)
    .where(
      and(
        eq(deskDraft.id, id),
        eq(deskDraft.staffId, staff.id),
        eq(deskDraft.applicationId, application.id),
      ),
    );
  return row ? { ...row, words: row.words && sealer.unsealText(row.words, wordsOf(id)) } : null;
}

/**
 * Deletes drafts that were never sent, whose files are deleted as unused uploads, and how earlier decisions could be
 * undone.
 */
export async function deleteUnsentDrafts({
  db,
  now,
}: {
  db: Queryable;
  now: () => Date;
}): Promise<void> {
  const before = retentionStart('deskDraft', now());
  await db.delete(deskDraft).where(lt(deskDraft.createdAt, before));
  await deleteDecisions(db, before);
}

type DecisionDraft = Omit<typeof deskDraft.$inferSelect, 'words'> & { words: string | null };

/**
 * Decides what a draft says, or sends its message, to be undone for its author's `undoSeconds`, and deletes the draft.
 * Where that is refused, the draft stays. `text_changed`: a manager has changed the reason's text since its author saw the email, who has to see it
 * again. Before a rejection the caller asks the providers, by `askBeforeRejection`. `hasCompared` and
 * `hasCheckedDuplicates`: as in `Decision`.
 */
export async function sendDraft(
  platform: Platform,
  staff: Staff,
  {
    draft,
    ...checked
  }: { draft: DecisionDraft; hasCompared: boolean; hasCheckedDuplicates: boolean },
): Promise<Outcome<Application, DecisionError | MessageError | { code: 'text_changed' }>> {
  const { applicationId, kind } = draft;
  const isIt = eq(deskDraft.id, draft.id);
  // Its author is shown it again: it counts as made now.
  const showAgain = () =>
    platform.db.update(deskDraft).set({ createdAt: platform.now() }).where(isIt);
  if (kind === 'message') {
    const { id, words, createdAt: seenUntil } = draft;
    const message = { id, applicationId, text: words ?? '', seenUntil };
    const sent = await sendMessage(platform, staff, message);
    if (!sent.ok && sent.error.code === 'answered') await showAgain();
    if (sent.ok) await platform.db.delete(deskDraft).where(isIt);
    return sent;
  }
  if (await hasOtherText(platform, draft)) {
    await showAgain();
    return refused({ code: 'text_changed' });
  }
  const decision = { ...draftedDecision(kind, draft), applicationId, ...checked };
  const decided = await decideApplication(platform, staff, decision, { undoable: true });
  if (decided.ok) await platform.db.delete(deskDraft).where(isIt);
  return decided;
}

/** Whether the reason that a draft names has another text now than when the draft was made or last seen. */
async function hasOtherText(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  { rejectionCode: name, createdAt }: DecisionDraft,
): Promise<boolean> {
  if (name === null) return false;
  const settings = await currentSettings(db);
  const textsAt = (at: Date) =>
    JSON.stringify(editedTemplate(settings, { kind: 'rejection', name }, at));
  return textsAt(createdAt) !== textsAt(now());
}

/** The draft at an address, for its author alone; null for others. The view is recorded. */
export async function openDecisionDraft(
  args: { request: Request; context: Readonly<RouterContextProvider> },
  { number, id }: { number: string; id: string },
): Promise<{ staff: Staff; application: Application; draft: DecisionDraft } | null> {
  const { staff, platform, record } = await requireDesk(args);
  const application = await findApplication(platform.db, number);
  const draft = application && (await openDraft(platform, staff, { application, id }));
  if (!application || !draft) return null;
  if (args.request.method === 'GET') {
    await record('application_viewed', ['application', application.id], { draft: draft.kind });
  }
  return { staff, application, draft };
}
