import { bigint, integer, pgTable } from 'drizzle-orm/pg-core';
import { moment } from '../postgres/columns.server.ts';

/** Backups that were written whole, newest last: what the doctor and an alert go by. Class: technical; no personal data. */
export const backup = pgTable('backup', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Of the snapshot. */
  begunAt: moment('begun_at').notNull(),
  endedAt: moment('ended_at').notNull(),
  rows: bigint('rows', { mode: 'number' }).notNull(),
  files: integer('files').notNull(),
  /** As written, encrypted. */
  bytes: bigint('bytes', { mode: 'number' }).notNull(),
  /** Files that rows name and the file store did not have. */
  missingFiles: integer('missing_files').notNull(),
});
