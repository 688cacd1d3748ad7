import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { makeLog } from '~/platform/log/log.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { startPostgres } from '~/platform/postgres/embedded/open-embedded.server.ts';
import { backupsCheck } from './database-checks.server.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-archiving-'));
const postgres = await startPostgres({
  dataDir: join(folder, 'postgres'),
  log: makeLog({ level: 'silent' }),
  // Run in the folder of the cluster; a file there says that the archive takes nothing.
  settings: { archive_mode: 'on', archive_command: 'test ! -e archive-is-full' },
});
const owner = openDatabase(postgres.ownerUrl, { poolSize: 1 });
const service = openDatabase(postgres.serviceUrl, { poolSize: 1 });
afterAll(async () => {
  await Promise.all([owner.close(), service.close()]);
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const now = new Date('2026-11-23T10:00:00Z');
const outcome = async () => {
  const { state, found } = await backupsCheck(service.db, { recipient: undefined, now: () => now });
  return [state, ...found.map(({ code }) => code)];
};
/** Ends a file of the log of changes, which the server then archives. */
async function fillOne(): Promise<void> {
  await owner.pool.query('select txid_current()');
  await owner.pool.query('select pg_switch_wal()');
}
const soon = { timeout: 20_000, interval: 100 };

test('archiving that has not begun, works, and fails', async () => {
  expect(await outcome()).toEqual(['unknown', 'backupUnset', 'backupsNone']);
  await fillOne();
  await vi.waitFor(async () => expect(await outcome()).toEqual(['ok', 'backupsGood']), soon);
  writeFileSync(join(folder, 'postgres', 'archive-is-full'), '');
  await fillOne();
  await vi.waitFor(
    async () => expect(await outcome()).toEqual(['missing', 'backupUnset', 'backupsFail']),
    soon,
  );
}, 60_000);
