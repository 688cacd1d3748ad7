import { asc, count, eq, inArray } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { insurancePhoto } from './tables.server.ts';

type Row = typeof insurancePhoto.$inferSelect;

export type Photo = Pick<Row, 'id' | 'fileId' | 'size' | 'createdAt'> & { name: string };

export type NewPhoto = {
  id: string;
  name: string;
  fileId: string;
  contentHash: Buffer;
  size: number;
};

/** A draft first, an application once it is submitted. */
export type PhotoOwner = { draftId: string } | { applicationId: string };

const contextOf = (id: string) => `insurance_photo.name:${id}`;

const ofOwner = (owner: PhotoOwner) =>
  'draftId' in owner
    ? eq(insurancePhoto.draftId, owner.draftId)
    : eq(insurancePhoto.applicationId, owner.applicationId);

/** Stores one photo; returns false where the draft has it already. */
export async function insertPhoto(
  tx: Queryable,
  sealer: Sealer,
  owner: PhotoOwner,
  { id, name, ...photo }: NewPhoto,
  now: Date,
): Promise<boolean> {
  const [before] = await tx.select({ photos: count() }).from(insurancePhoto).where(ofOwner(owner));
  const rows = await tx
    .insert(insurancePhoto)
    .values({
      ...photo,
      ...owner,
      id,
      name: sealer.seal(name, contextOf(id)),
      position: before?.photos ?? 0,
      createdAt: now,
    })
    .onConflictDoNothing({ target: [insurancePhoto.draftId, insurancePhoto.contentHash] })
    .returning({ id: insurancePhoto.id });
  return rows.length > 0;
}

/** In order of upload. Staff who open one must be recorded in the audit trail. */
export async function photosByOwner(
  db: Queryable,
  sealer: Sealer,
  owner: PhotoOwner,
): Promise<Photo[]> {
  const rows = await db
    .select()
    .from(insurancePhoto)
    .where(ofOwner(owner))
    .orderBy(asc(insurancePhoto.createdAt), asc(insurancePhoto.position));
  return rows.map((row) => openPhoto(sealer, row));
}

/** The same for several applications, by id; those without photos are absent. */
export async function photosByApplication(
  db: Queryable,
  sealer: Sealer,
  applicationIds: string[],
): Promise<Map<string | null, Photo[]>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(insurancePhoto)
    .where(inArray(insurancePhoto.applicationId, applicationIds))
    .orderBy(asc(insurancePhoto.createdAt), asc(insurancePhoto.position));
  const owned = Map.groupBy(rows, ({ applicationId }) => applicationId);
  return new Map([...owned].map(([id, its]) => [id, its.map((row) => openPhoto(sealer, row))]));
}

const openPhoto = (
  sealer: Sealer,
  { id, fileId, size, createdAt, name }: typeof insurancePhoto.$inferSelect,
): Photo => ({ id, fileId, size, createdAt, name: sealer.unsealText(name, contextOf(id)) });

/** A submitted application's photo; null for an unknown id and for a draft's photo. */
export async function submittedPhoto(
  db: Queryable,
  id: string,
): Promise<{ fileId: string; applicationId: string } | null> {
  const [row] = await db
    .select({ fileId: insurancePhoto.fileId, applicationId: insurancePhoto.applicationId })
    .from(insurancePhoto)
    .where(eq(insurancePhoto.id, id));
  return row?.applicationId ? { fileId: row.fileId, applicationId: row.applicationId } : null;
}

/** Moves a draft's photos to an application. */
export async function handOverPhotos(
  tx: Transaction,
  draftId: string,
  applicationId: string,
): Promise<void> {
  await tx
    .update(insurancePhoto)
    .set({ draftId: null, applicationId })
    .where(eq(insurancePhoto.draftId, draftId));
}

/** Deletes the photos of several drafts; returns the files that are no longer needed. */
export async function deleteDraftPhotos(tx: Transaction, draftIds: string[]): Promise<string[]> {
  const rows = await tx
    .delete(insurancePhoto)
    .where(inArray(insurancePhoto.draftId, draftIds))
    .returning({ fileId: insurancePhoto.fileId });
  return rows.map(({ fileId }) => fileId);
}

/** Deletes the photos of an application that needs none; returns the files that are no longer needed. */
export async function deleteSubmittedPhotos(
  tx: Transaction,
  applicationId: string,
): Promise<string[]> {
  const rows = await tx
    .delete(insurancePhoto)
    .where(eq(insurancePhoto.applicationId, applicationId))
    .returning({ fileId: insurancePhoto.fileId });
  return rows.map(({ fileId }) => fileId);
}
