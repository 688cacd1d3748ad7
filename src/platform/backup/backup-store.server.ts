import { desc } from 'drizzle-orm';
import type { Queryable } from '../postgres/database.server.ts';
import { backup } from './tables.server.ts';

/** A night and a while: who makes a backup each night has a younger one. */
export const MAX_BACKUP_AGE_MS = 26 * 3_600_000;

export type BackupRecord = Omit<typeof backup.$inferSelect, 'id'>;

/** Notes that a backup was written whole. */
export async function recordBackup(db: Queryable, record: BackupRecord): Promise<void> {
  await db.insert(backup).values(record);
}

/** The backup that was written whole last; null before the first. */
export async function lastBackup(db: Queryable): Promise<BackupRecord | null> {
  const { begunAt, endedAt, rows, files, bytes, missingFiles } = backup;
  const [row] = await db
    .select({ begunAt, endedAt, rows, files, bytes, missingFiles })
    .from(backup)
    .orderBy(desc(backup.id))
    .limit(1);
  return row ?? null;
}
