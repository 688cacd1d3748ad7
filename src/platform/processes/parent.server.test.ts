import cluster from 'node:cluster';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { makeLog } from '../log/log.server.ts';
import { freePort } from '../config/port.server.ts';
import { startChildren, type Children, type ChildrenOptions } from './parent.server.ts';

// Small programs in place of the service: the parent's part is the same.
const folder = mkdtempSync(join(tmpdir(), 'test-children-'));
const program = join(folder, 'program.mjs');
const good = join(folder, 'good');
const port = await freePort();
writeFileSync(
  program,
  `import { existsSync } from 'node:fs';
   import { createServer } from 'node:http';
   if (!existsSync(process.env.GOOD)) process.exit(3);
   const server = createServer((_, answer) => answer.end(String(process.pid)));
   server.listen(Number(process.env.AT), '127.0.0.1');
   const end = () => process.exit(0);
   process.on('SIGTERM', process.env.DEAF ? () => {} : end).on('SIGINT', end);
   process.on('message', ({ type }) => type === 'retire' && end());`,
);
cluster.setupPrimary({ exec: program, execArgv: [], args: [], silent: true });
const log = makeLog({ level: 'silent' });

let children: Children | undefined;
afterEach(async () => {
  await children?.stop('at once');
  children = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = async (options: Partial<ChildrenOptions> = {}, variables = {}) =>
  (children = await startChildren({
    count: 2,
    variables: { GOOD: good, AT: String(port), ...variables },
    stopDeadlineMs: 20_000,
    firstPauseMs: 1,
    log,
    ...options,
  }));

const allow = () => writeFileSync(good, '');
const forbid = () => rmSync(good, { force: true });
const running = () => Object.values(cluster.workers ?? {}).flatMap((one) => one?.process.pid ?? []);
const ask = async () =>
  (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text();

describe('children', () => {
  it('all answer at one address, in turn', async () => {
    allow();
    await start();
    const answers = new Set(await Promise.all([ask(), ask(), ask(), ask()]));
    expect([...answers].toSorted()).toEqual(running().map(String).toSorted());
  });

  it('end the parent with the code of the first one, where that does not start', async () => {
    forbid();
    await expect(start()).rejects.toMatchObject({ name: 'EndWith', exitCode: 3 });
    expect(running()).toEqual([]);
  });

  it('are started again when they die', async () => {
    allow();
    await start();
    const [victim = 0] = running();
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => running().includes(victim)).toBe(false);
    await expect.poll(() => running().length).toBe(2);
    await ask();
  });

  it('are given up when none listens any more and each ends as soon as it starts', async () => {
    allow();
    const { failed } = await start();
    forbid();
    for (const pid of running()) process.kill(pid, 'SIGKILL');
    await expect(failed).resolves.toContain('as soon as they start');
  });

  it('go on when the next ones do not start, and are all replaced when they do', async () => {
    allow();
    const { restart } = await start();
    const before = running();
    forbid();
    await restart();
    expect(running()).toEqual(before);
    allow();
    await restart();
    expect(running()).toHaveLength(2);
    for (const pid of before) expect(running()).not.toContain(pid);
  });

  it('are killed when they do not end', async () => {
    allow();
    const { stop } = await start({ stopDeadlineMs: 200 }, { DEAF: 'yes' });
    const before = running();
    expect(before).toHaveLength(2);
    await stop('leave');
    expect(running()).toEqual([]);
  });
});
