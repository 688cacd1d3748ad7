import { chmodSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isBuilt } from '../built-service.ts';
import { isThorough } from '../thorough.ts';
import { runDrill } from './drill.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-restore-'));
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// In `npm test`, `test/backup.test.ts` does the same within one process.
test.runIf(isBuilt && isThorough)(
  'the drill of npm run drill -- restore, small: the commands bring back all of it',
  async () => {
    const options = { folder, applications: 120, documents: 12, now: new Date() };
    const { backup, restore, faults } = await runDrill(options);
    expect(faults).toEqual([]);
    expect(backup.output).toContain('12 files are written.');
    expect(restore.output).toContain('All documents open and are those of their 12 rows.');
    expect(restore.output).toContain('Everything is as it was when the backup was made.');
    expect(existsSync(join(folder, 'apart', 'key.txt'))).toBe(true);
    expect(statSync(join(folder, 'apart', 'key.txt')).mode & 0o777).toBe(0o600);
  },
  120_000,
);
