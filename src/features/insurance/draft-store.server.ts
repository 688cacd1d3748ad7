import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import type { Sealer } from '~/platform/seal.server.ts';
import { insuranceDraft, insurancePhoto } from './tables.server.ts';

const KEPT_MS = 30 * 24 * 3600_000;

/** What stands in the controls of the form, by control name, valid or not. */
const typed = z.record(z.string(), z.string());
export type Typed = Readonly<Record<string, string>>;

export type Draft = { id: string; typed: Typed; applicationNumber: string | null };

const contextOf = (id: string) => `insurance_draft.answers:${id}`;

export async function draftOf(
  db: Queryable,
  sealer: Sealer,
  tokenHash: Buffer,
  now: Date,
): Promise<Draft | null> {
  const [row] = await db
    .select()
    .from(insuranceDraft)
    .where(and(eq(insuranceDraft.tokenHash, tokenHash), gt(insuranceDraft.expiresAt, now)));
  if (!row) return null;
  const { id, answers, applicationNumber } = row;
  return { id, applicationNumber, typed: typed.parse(sealer.unsealJson(answers, contextOf(id))) };
}

/** Keeps what was typed for 30 more days; a draft whose application is made becomes the next one's. */
export async function saveDraft(
  tx: Transaction,
  sealer: Sealer,
  { tokenHash, typed, now }: { tokenHash: Buffer; typed: Typed; now: Date },
): Promise<string> {
  const expiresAt = new Date(now.getTime() + KEPT_MS);
  const made = randomUUID();
  await tx
    .insert(insuranceDraft)
    .values({
      id: made,
      tokenHash,
      answers: sealer.sealJson({}, contextOf(made)),
      createdAt: now,
      expiresAt,
    })
    .onConflictDoNothing();
  const [row] = await tx
    .select({ id: insuranceDraft.id })
    .from(insuranceDraft)
    .where(eq(insuranceDraft.tokenHash, tokenHash))
    .for('update');
  if (!row) throw new Error('The draft was not stored');
  await tx
    .update(insuranceDraft)
    .set({
      answers: sealer.sealJson(typed, contextOf(row.id)),
      expiresAt,
      applicationNumber: null,
    })
    .where(eq(insuranceDraft.id, row.id));
  return row.id;
}

/** The application is made: what was typed is emptied, only the number stays. */
export async function closeDraft(
  tx: Queryable,
  sealer: Sealer,
  { id, applicationNumber }: { id: string; applicationNumber: string },
): Promise<void> {
  await tx
    .update(insuranceDraft)
    .set({ answers: sealer.sealJson({}, contextOf(id)), applicationNumber })
    .where(eq(insuranceDraft.id, id));
}

/** Deletes drafts whose time is over, at most so many; answers the files of their photos. */
export async function forgetDrafts(
  tx: Transaction,
  now: Date,
  atMost: number,
): Promise<{ drafts: number; fileIds: string[] }> {
  const old = await tx
    .select({ id: insuranceDraft.id })
    .from(insuranceDraft)
    .where(lte(insuranceDraft.expiresAt, now))
    .limit(atMost)
    .for('update', { skipLocked: true });
  const ids = old.map(({ id }) => id);
  if (ids.length === 0) return { drafts: 0, fileIds: [] };
  const photos = await tx
    .delete(insurancePhoto)
    .where(inArray(insurancePhoto.draftId, ids))
    .returning({ fileId: insurancePhoto.fileId });
  await tx.delete(insuranceDraft).where(inArray(insuranceDraft.id, ids));
  return { drafts: ids.length, fileIds: photos.map(({ fileId }) => fileId) };
}
