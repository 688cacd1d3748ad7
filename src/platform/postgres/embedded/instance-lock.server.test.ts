import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { ConfigError } from '../../config/config-error.server.ts';
import { lockInstance } from './instance-lock.server.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-lock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lockElsewhere() {
  const module = JSON.stringify(join(import.meta.dirname, 'instance-lock.server.ts'));
  const program = `
    const { lockInstance } = await import(${module});
    await lockInstance(${JSON.stringify(folder)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

afterEach(() => void vi.restoreAllMocks());

/** The clock goes on by so many minutes at each reading; the returned function says how often it was read. */
function advanceClock(minutes: number): () => number {
  const began = Date.now();
  const looks = vi.spyOn(Date, 'now');
  looks.mockImplementation(() => began + (looks.mock.calls.length - 1) * minutes * 60_000);
  return () => looks.mock.calls.length;
}

test('a second process is refused and told which one holds the folder', async () => {
  const holder = lockElsewhere();
  await once(holder.stdout, 'data');
  advanceClock(1);
  const refusal = await lockInstance(folder).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ConfigError);
  expect(String(refusal)).toContain(`(process ${holder.pid})`);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
});

test('a killed holder leaves nothing behind', async () => {
  const holder = lockElsewhere();
  await once(holder.stdout, 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const lock = await lockInstance(folder);
  await lock.release();
});

test('who waits for a stopping holder gets the folder after it', async () => {
  const first = await lockInstance(folder);
  first.announceStop();
  // Ten seconds at each reading: longer than the wait for a holder that does not stop.
  const looks = advanceClock(1 / 6);
  const second = lockInstance(folder);
  await expect.poll(looks).toBeGreaterThan(2);
  await first.release();
  await (await second).release();
});
