import { createHash, randomUUID } from 'node:crypto';
import type { Sealer } from '../crypto/seal.server.ts';
import { assertOutsideTransaction } from '../postgres/transaction-scope.server.ts';
import { type FileStore, FilesUnavailable } from './file-store.server.ts';
import { z } from 'zod';
import type { Queryable } from '../postgres/database.server.ts';
import { enqueue, type JobHandlers } from '../jobs/jobs.server.ts';

type StoredFile = { id: string; size: number; sha256: string };

/**
 * Stored files, sealed: the storage alone does not reveal their content. A file never changes: a new content is a new
 * file. A storage may take seconds, so that nothing here may be called inside a transaction (`AskedInsideTransaction`).
 */
export type Files = {
  /**
   * Stores the bytes durably before it answers. `sha256` is of the plain bytes, in hexadecimal.
   * @throws FilesUnavailable
   */
  put(bytes: Uint8Array, about: { mediaType: string }): Promise<StoredFile>;
  /**
   * The plain bytes and their media type, or nothing for an unknown id.
   * @throws FilesUnavailable
   * @throws UnsealError where the stored bytes are cut short, changed or those of another file.
   */
  read(id: string): Promise<{ bytes: Buffer; mediaType: string } | undefined>;
  /**
   * Removing what is not there is no error.
   * @throws FilesUnavailable
   */
  remove(id: string): Promise<void>;
  /**
   * Tries what the service needs of the storage.
   * @throws ConfigError that says what is wrong with it.
   */
  check(): Promise<void>;
  close(): void;
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether it is an id that `put` gave: only those ever reach the storage. */
export const isFileId = (id: string): boolean => ID.test(id);

/** Seals every file before it reaches the storage. */
export function sealedFiles(store: FileStore, sealer: Sealer): Files {
  return {
    async put(bytes, { mediaType }) {
      assertOutsideTransaction();
      const id = randomUUID();
      const type = Buffer.from(mediaType, 'utf8');
      // Media type and content are sealed as one, so that neither can be exchanged.
      const sealed = sealer.seal(
        Buffer.concat([Buffer.from([type.length]), type, bytes]),
        `file:${id}`,
      );
      await store.write(id, sealed);
      return {
        id,
        size: bytes.byteLength,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      };
    },
    async read(id) {
      assertOutsideTransaction();
      const sealed = isFileId(id) ? await store.read(id) : undefined;
      if (!sealed) return undefined;
      const plain = sealer.unseal(sealed, `file:${id}`);
      const start = 1 + (plain[0] ?? 0);
      return { bytes: plain.subarray(start), mediaType: plain.toString('utf8', 1, start) };
    },
    async remove(id) {
      assertOutsideTransaction();
      if (isFileId(id)) await store.remove(id);
    },
    check: () => store.check(),
    close: () => store.close(),
  };
}

const REMOVE_FILES_JOB = 'platform.remove_files';

/** Files of one job: what was removed is removed again where a later one fails. */
const BATCH = 100;
/** After the first ten, a try every six hours: about three months, longer than any storage is away. */
const ATTEMPTS = 360;

/**
 * Has files removed that no row leads to any more, as part of the transaction that took the rows: after a rollback they
 * stay, and a storage that is away is asked until it has done it.
 */
export async function removeFilesLater(tx: Queryable, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH);
    await enqueue(tx, REMOVE_FILES_JOB, { ids: batch }, { maxAttempts: ATTEMPTS });
  }
}

/**
 * Removes files that no row leads to: now, or by a job where the storage is away.
 * @throws AskedInsideTransaction
 */
export async function removeFiles(
  { db, files }: { db: Queryable; files: Pick<FileStore, 'remove'> },
  ids: readonly string[],
): Promise<void> {
  const left: string[] = [];
  for (const id of ids) {
    try {
      await files.remove(id);
    } catch (error) {
      if (!(error instanceof FilesUnavailable)) throw error;
      left.push(id);
    }
  }
  await removeFilesLater(db, left);
}

const payload = z.object({ ids: z.array(z.string()) });

/** Carries removals out; running one again does nothing. */
export const fileJobs = ({ files }: { files: Pick<FileStore, 'remove'> }): JobHandlers => ({
  [REMOVE_FILES_JOB]: async (job) => {
    for (const id of payload.parse(job).ids) await files.remove(id);
  },
});
