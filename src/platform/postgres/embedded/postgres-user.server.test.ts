import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startPostgres } from './embedded-postgres.server.ts';
import { makeLog } from '../../log/log.server.ts';
import { databaseUser, runAs } from './postgres-user.server.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-user-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const isRoot = process.getuid?.() === 0;

test.skipIf(isRoot)('an ordinary user runs the database itself', () => {
  expect(databaseUser(folder)).toBeUndefined();
  expect(runAs(undefined, [folder])).toEqual({ prefix: [] });
});

test.runIf(isRoot)(
  'root runs it as somebody else, without any right of its own where folders are open',
  () => {
    const user = databaseUser(join(folder, 'none'));
    expect(user?.uid).toBeGreaterThan(0);
    chmodSync(folder, 0o755);
    expect(runAs(user, [folder])).toEqual({ prefix: [], ...user });
  },
);

test.runIf(isRoot)('below a folder that only root may enter it still runs', async () => {
  const closed = join(folder, 'closed');
  mkdirSync(closed, { mode: 0o700 });
  const { prefix } = runAs(databaseUser(closed), [closed]);
  expect(prefix[0]).toMatch(/setpriv$/);
  const { stop } = await startPostgres({
    dataDir: join(closed, 'postgres'),
    log: makeLog({ level: 'silent' }),
    settings: { fsync: 'off' },
  });
  await stop();
});

test.runIf(isRoot)('without setpriv the message names the closed folder and the ways out', () => {
  const closed = join(folder, 'closed-too');
  mkdirSync(closed, { mode: 0o700 });
  const find = () => undefined;
  expect(() => runAs({ uid: 65_534, gid: 65_534 }, [closed], find)).toThrow(
    `${closed} is closed to other users`,
  );
});
