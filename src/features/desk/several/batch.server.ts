import { and, asc, desc, eq, gt, inArray, lt, or, sql } from 'drizzle-orm';
import { application } from '~/features/application/tables.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import {
  deskDecision,
  deskUpload,
  deskPdfBatch,
  deskPdfBatchFile,
} from '../application/tables.server.ts';
import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { hashUpload, upload } from '../application/uploads.server.ts';
import {
  MAX_PDF_BYTES,
  MAX_FILE_NAME_LENGTH,
  MAX_BATCH_FILES,
  type BatchFault,
} from '../application/pdf-rules.ts';

export type PdfBatch = typeof deskPdfBatch.$inferSelect;
export type BatchFile = typeof deskPdfBatchFile.$inferSelect;
type Upload = typeof deskUpload.$inferSelect;

/** A batch, for the person who made it; null for others. */
export async function ownBatch(
  db: Queryable,
  { id, staffId }: Pick<PdfBatch, 'id' | 'staffId'>,
): Promise<PdfBatch | null> {
  const [row] = await db
    .select()
    .from(deskPdfBatch)
    .where(and(eq(deskPdfBatch.id, id), eq(deskPdfBatch.staffId, staffId)));
  return row ?? null;
}

const countFiles = (db: Queryable, batchId: string): Promise<number> =>
  db.$count(deskPdfBatchFile, eq(deskPdfBatchFile.batchId, batchId));

async function leaveOut(db: Queryable, batchId: string, count: number): Promise<void> {
  await db
    .update(deskPdfBatch)
    .set({ leftOut: sql`${deskPdfBatch.leftOut} + ${count}` })
    .where(eq(deskPdfBatch.id, batchId));
}

/** Whether a file with these bytes is in the batch. */
async function hasContent(db: Queryable, batchId: string, contentHash: Buffer): Promise<boolean> {
  const rows = await db
    .select({ id: deskPdfBatchFile.id })
    .from(deskPdfBatchFile)
    .innerJoin(deskUpload, eq(deskUpload.fileId, deskPdfBatchFile.fileId))
    .where(and(eq(deskPdfBatchFile.batchId, batchId), eq(deskUpload.contentHash, contentHash)))
    .limit(1);
  return rows.length > 0;
}

/** The files of a batch, in the order in which they were added, with their uploads. */
export async function batchFiles(
  db: Queryable,
  batchId: string,
): Promise<{ file: BatchFile; upload: Upload | null }[]> {
  return db
    .select({ file: deskPdfBatchFile, upload: deskUpload })
    .from(deskPdfBatchFile)
    .leftJoin(deskUpload, eq(deskUpload.fileId, deskPdfBatchFile.fileId))
    .where(eq(deskPdfBatchFile.batchId, batchId))
    .orderBy(asc(deskPdfBatchFile.position));
}

export async function chooseApplication(
  db: Queryable,
  { fileId, batchId, applicationId }: { fileId: string; batchId: string; applicationId: string },
): Promise<void> {
  await db
    .update(deskPdfBatchFile)
    .set({ applicationId })
    .where(and(eq(deskPdfBatchFile.id, fileId), eq(deskPdfBatchFile.batchId, batchId)));
}

/** A person's batches since a moment, newest first, with how many files each has and how many of them wait. */
export async function batchesByStaff(
  db: Queryable,
  staffId: string,
  since: Date,
): Promise<{ id: string; createdAt: Date; files: number; waiting: number }[]> {
  return db
    .select({
      id: deskPdfBatch.id,
      createdAt: deskPdfBatch.createdAt,
      files: sql`count(${deskPdfBatchFile.id})`.mapWith(Number),
      waiting:
        sql`count(${deskUpload.fileId}) filter (where ${deskUpload.applicationId} is null)`.mapWith(
          Number,
        ),
    })
    .from(deskPdfBatch)
    .innerJoin(deskPdfBatchFile, eq(deskPdfBatchFile.batchId, deskPdfBatch.id))
    .leftJoin(deskUpload, eq(deskUpload.fileId, deskPdfBatchFile.fileId))
    .where(and(eq(deskPdfBatch.staffId, staffId), gt(deskPdfBatch.createdAt, since)))
    .groupBy(deskPdfBatch.id)
    .orderBy(desc(deskPdfBatch.createdAt));
}

type VisaFacts = { application: Application; passportNumber: Buffer };

const visaFacts = { application, passportNumber: visaApplication.passportNumber };

/** Applications listed for one batch, so that a text full of numbers does not load the whole queue. */
const MAX_BATCH_MATCHES = 300;

/** Visa applications with one of these numbers, ids or passports, each by an index of its own. */
export async function findVisas(
  db: Queryable,
  { numbers, ids, hashes }: { numbers: string[]; ids: string[]; hashes: Buffer[] },
): Promise<VisaFacts[]> {
  const found = new Map<string, VisaFacts>();
  for (const where of [
    numbers.length > 0 && inArray(application.number, numbers),
    ids.length > 0 && inArray(application.id, ids),
    hashes.length > 0 && inArray(visaApplication.passportHash, hashes),
  ]) {
    if (!where) continue;
    const rows = await db
      .select(visaFacts)
      .from(application)
      .innerJoin(visaApplication, eq(visaApplication.applicationId, application.id))
      .where(where)
      .orderBy(desc(application.createdAt))
      .limit(MAX_BATCH_MATCHES);
    for (const row of rows) found.set(row.application.id, row);
  }
  return [...found.values()];
}

/** Deletes batches made before a moment, and those of which every file was used by a decision that stays. */
export async function deleteBatches(
  db: Queryable,
  { before, now }: { before: Date; now: Date },
): Promise<void> {
  const files = sql`select 1 from ${deskPdfBatchFile} f where f.batch_id = ${deskPdfBatch.id}`;
  const waiting = sql`select 1 from ${deskPdfBatchFile} f
    left join ${deskUpload} u on u.file_id = f.file_id
    left join ${deskDecision} d on d.application_id = u.application_id and d.undo_until > ${now}
    where f.batch_id = ${deskPdfBatch.id} and (u.application_id is null or d.id is not null)`;
  await db
    .delete(deskPdfBatch)
    .where(
      or(
        lt(deskPdfBatch.createdAt, before),
        and(sql`exists (${files})`, sql`not exists (${waiting})`),
      ),
    );
}

/**
 * What a form adds. `tooLarge`: names of files that the browser did not send; `leftOut`: how many it left out. A batch has
 * no place for more than `MAX_BATCH_FILES` of them together: the rest counts as left out, without a look at it.
 */
type BatchAddition = {
  /** The batch that it adds to, by an id that the browser made; otherwise a new one. */
  batchId: string | null;
  files: readonly File[];
  tooLarge: readonly string[];
  leftOut: number;
};

/**
 * Adds files to a batch, one after the other: each is checked as every PDF of the desk, and stored with its place in the
 * batch in one transaction. What cannot be used is listed with the reason. Returns the batch; null where it is somebody
 * else's.
 */
export async function addFiles(
  platform: Platform,
  staff: Pick<Staff, 'id'>,
  { batchId, files, tooLarge, leftOut }: BatchAddition,
): Promise<PdfBatch | null> {
  const id = batchId !== null && isUuid(batchId) ? batchId : randomUUID();
  const made = { id, staffId: staff.id, createdAt: platform.now(), leftOut: 0 };
  await platform.db.insert(deskPdfBatch).values(made).onConflictDoNothing();
  const batch = await ownBatch(platform.db, made);
  if (!batch) return null;
  const taken = files.slice(0, MAX_BATCH_FILES);
  const named = tooLarge.slice(0, MAX_BATCH_FILES - taken.length);
  for (const file of taken) await addFile(platform, staff, batch, file);
  for (const name of named) await addFault(platform, batch, name, 'too_large');
  const cut = files.length - taken.length + tooLarge.length - named.length + leftOut;
  if (cut > 0) await leaveOut(platform.db, batch.id, Math.min(cut, MAX_LEFT_OUT));
  return batch;
}

/** What a browser says of files that it did not send is a number to be shown, nothing more. */
const MAX_LEFT_OUT = 10_000;

async function addFile(
  platform: Platform,
  staff: Pick<Staff, 'id'>,
  batch: PdfBatch,
  file: File,
): Promise<void> {
  if (file.size > MAX_PDF_BYTES) return addFault(platform, batch, file.name, 'too_large');
  // Checking a PDF costs the most: not for one that has no place.
  if ((await countFiles(platform.db, batch.id)) >= MAX_BATCH_FILES) {
    return leaveOut(platform.db, batch.id, 1);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const contentHash = hashUpload(platform.sealer, bytes);
  if (await hasContent(platform.db, batch.id, contentHash)) {
    return addFault(platform, batch, file.name, 'same_file');
  }
  const uploaded = await upload(platform, staff, bytes, null, (tx, { id }) =>
    place(platform, tx, batch, { name: file.name, fileId: id }),
  );
  if (!uploaded.ok) await addFault(platform, batch, file.name, uploaded.error);
}

const addFault = (platform: Platform, batch: PdfBatch, name: string, fault: BatchFault) =>
  platform.db.transaction((tx) => place(platform, tx, batch, { name, fault }));

/** Gives a file the next place in its batch. */
async function place(
  { sealer }: Pick<Platform, 'sealer'>,
  tx: Transaction,
  batch: PdfBatch,
  { name, ...what }: { name: string } & ({ fileId: string } | { fault: BatchFault }),
): Promise<void> {
  // Until the transaction ends: files are added one after the other.
  const isOwn = eq(deskPdfBatch.id, batch.id);
  await tx.select({ id: deskPdfBatch.id }).from(deskPdfBatch).where(isOwn).for('update');
  const count = await countFiles(tx, batch.id);
  if (count >= MAX_BATCH_FILES) return leaveOut(tx, batch.id, 1);
  const id = randomUUID();
  await tx.insert(deskPdfBatchFile).values({
    id,
    batchId: batch.id,
    position: count + 1,
    name: sealer.seal(name.slice(0, MAX_FILE_NAME_LENGTH), `desk_pdf_batch_file.name:${id}`),
    ...what,
  });
}
