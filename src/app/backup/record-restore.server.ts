import { randomUUID } from 'node:crypto';
import {
  insertDeletionRecord,
  RESTORE,
} from '~/features/desk/privacy-cases/deletion-record-store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';

/**
 * Notes among the deletions that a backup was restored: what was erased on request since then is back. The desk's page
 * of privacy requests says so.
 */
export const recordRestore = (db: Database, at: Date): Promise<void> =>
  db.transaction((tx) =>
    insertDeletionRecord(tx, {
      id: randomUUID(),
      at,
      cause: RESTORE,
      deleted: {},
      changed: {},
      files: 0,
    }),
  );
