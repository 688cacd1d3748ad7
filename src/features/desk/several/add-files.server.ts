import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { contentHashOf, upload } from '../application/uploads.server.ts';
import { MAX_PDF_BYTES } from '../application/pdf-rules.ts';
import { LONGEST_NAME, MOST_FILES, type BatchFault } from './batch.ts';
import {
  countFiles,
  hasContent,
  insertFile,
  leaveOut,
  lockBatch,
  openBatch,
  type Batch,
} from './batch-store.server.ts';

/**
 * What a form adds. `tooLarge`: names of files that the browser did not send; `leftOut`: how many it left out. A batch has
 * no place for more than `MOST_FILES` of them together: the rest counts as left out, without a look at it.
 */
export type Added = {
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
  { batchId, files, tooLarge, leftOut }: Added,
): Promise<Batch | null> {
  const id = batchId !== null && isUuid(batchId) ? batchId : randomUUID();
  const made = { id, staffId: staff.id, createdAt: platform.now(), leftOut: 0 };
  const batch = await openBatch(platform.db, made);
  if (!batch) return null;
  const taken = files.slice(0, MOST_FILES);
  const named = tooLarge.slice(0, MOST_FILES - taken.length);
  for (const file of taken) await addFile(platform, staff, batch, file);
  for (const name of named) await addFault(platform, batch, name, 'too_large');
  const cut = files.length - taken.length + tooLarge.length - named.length + leftOut;
  if (cut > 0) await leaveOut(platform.db, batch.id, Math.min(cut, MOST_LEFT_OUT));
  return batch;
}

/** What a browser says of files that it did not send is a number to be shown, nothing more. */
const MOST_LEFT_OUT = 10_000;

async function addFile(
  platform: Platform,
  staff: Pick<Staff, 'id'>,
  batch: Batch,
  file: File,
): Promise<void> {
  if (file.size > MAX_PDF_BYTES) return addFault(platform, batch, file.name, 'too_large');
  // Checking a PDF costs the most: not for one that has no place.
  if ((await countFiles(platform.db, batch.id)) >= MOST_FILES) {
    return leaveOut(platform.db, batch.id, 1);
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const contentHash = contentHashOf(platform.sealer, bytes);
  if (await hasContent(platform.db, batch.id, contentHash)) {
    return addFault(platform, batch, file.name, 'same_file');
  }
  const uploaded = await upload(platform, staff, bytes, null, (tx, { id }) =>
    place(platform, tx, batch, { name: file.name, fileId: id }),
  );
  if (!uploaded.ok) await addFault(platform, batch, file.name, uploaded.error);
}

const addFault = (platform: Platform, batch: Batch, name: string, fault: BatchFault) =>
  platform.db.transaction((tx) => place(platform, tx, batch, { name, fault }));

/** Gives a file the next place in its batch. */
async function place(
  { sealer }: Pick<Platform, 'sealer'>,
  tx: Transaction,
  batch: Batch,
  { name, ...what }: { name: string } & ({ fileId: string } | { fault: BatchFault }),
): Promise<void> {
  await lockBatch(tx, batch.id);
  const count = await countFiles(tx, batch.id);
  if (count >= MOST_FILES) return leaveOut(tx, batch.id, 1);
  const id = randomUUID();
  await insertFile(tx, {
    id,
    batchId: batch.id,
    position: count + 1,
    name: sealer.seal(name.slice(0, LONGEST_NAME), `desk_pdf_batch_file.name:${id}`),
    ...what,
  });
}
