import { describe, expect, inject, test } from 'vitest';
import { isPostgresAlive } from '../src/platform/postgres/embedded/open-embedded.server.ts';
import {
  builtServices,
  childProcesses,
  isBuilt,
  isReady,
  untilReady,
  type StartedService,
} from './built-service.ts';
import { isThorough } from './thorough.ts';

// The production build as several processes under one parent, from start to stop, in this order. A start for each test
// would take three seconds of both processors. What kills and restarts them runs at night.
const nightly = test.runIf(isThorough);
const TOKEN = 'a-token-of-this-test-alone';
const { databasePid, port, start } = await builtServices({
  PROCESSES: '2',
  METRICS_TOKEN: TOKEN,
  LOG_LEVEL: 'info',
});

/** For the test of SIGTERM: long, so that its visits fit it on a busy machine. */
const GRACE = { DRAIN_GRACE_MS: '15000' };

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

async function figure(name: string): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
  const lines = (await answer.text()).split('\n').filter((line) => line.startsWith(name));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** The status of a page, or why there was none; every second time on a connection that is not kept. */
async function visit(count: number): Promise<string> {
  const headers: Record<string, string> = count % 2 ? { connection: 'close' } : {};
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/en/faq`, { headers });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch (error) {
    return String(error instanceof Error ? (error.cause ?? error) : error);
  }
}

/** Visits a page repeatedly until told to stop. */
function visitor() {
  const statuses: Record<string, number> = {};
  const over = new AbortController();
  const asking = (async () => {
    for (let count = 0; !over.signal.aborted; count++) {
      const status = await visit(count);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  })();
  return {
    async stop() {
      over.abort();
      await asking;
      return statuses;
    },
  };
}

describe.skipIf(!isBuilt || process.platform !== 'linux')(
  'several processes under one parent',
  { timeout: 120_000, shuffle: false },
  () => {
    let service: StartedService;
    const children = () => childProcesses(service.child.pid);

    test('start over one embedded database, and name the administrator once', async () => {
      service = await untilReady(start(isThorough ? {} : GRACE), port);
      await expect.poll(() => service.output(), { timeout: 60_000 }).toContain('2 processes)');
      expect(children()).toHaveLength(2);
      expect(service.output().match(/Staff sign in at/g)).toHaveLength(1);
    });

    test('/metrics adds up what each counts, and shows once what all count alike', async () => {
      await expect.poll(() => figure('lale_processes')).toBe(2);
      const before = await figure('lale_request_seconds_count{method="GET",kind="page"');
      for (let request = 0; request < 10; request++) {
        await fetch(`http://127.0.0.1:${port}/en/faq`, { headers: { connection: 'close' } });
      }
      const after = await figure('lale_request_seconds_count{method="GET",kind="page"');
      // Including the request for the metrics themselves.
      expect(after - before).toBe(11);
      const memory = await figure('process_resident_memory_bytes');
      expect(memory).toBeGreaterThan(150_000_000);
    });

    nightly('one that is killed is started again, and the other answers meanwhile', async () => {
      const [victim = 0, other] = children();
      process.kill(victim, 'SIGKILL');
      await expect.poll(() => isAlive(victim)).toBe(false);
      expect(await isReady(port)).toBe(true);
      await expect.poll(children, { timeout: 60_000 }).toHaveLength(2);
      expect(children()).toContain(other);
      expect(children()).not.toContain(victim);
      expect(service.output()).toContain('a process ended, starting another one');
      await expect.poll(() => figure('lale_processes'), { timeout: 60_000 }).toBe(2);
    });

    nightly('SIGUSR2 restarts them one after the other without a request that fails', async () => {
      const before = children();
      const visits = visitor();
      service.child.kill('SIGUSR2');
      await expect
        .poll(() => service.output(), { timeout: 90_000 })
        .toContain('all processes were restarted');
      const statuses = await visits.stop();
      expect(Object.keys(statuses)).toEqual(['200']);
      expect(statuses['200']).toBeGreaterThan(50);
      expect(children()).toHaveLength(2);
      for (const pid of before) expect(children()).not.toContain(pid);
    });

    nightly('end with the parent that is killed, and their database is taken over', async () => {
      const [before, database] = [children(), databasePid()];
      service.child.kill('SIGKILL');
      await service.exit;
      await expect.poll(() => before.filter(isAlive), { timeout: 20_000 }).toEqual([]);
      service = await untilReady(start(GRACE), port);
      expect(databasePid()).toBe(database);
    });

    test('SIGTERM lets a proxy see the end coming, not ready at once, yet answering; then ends all, then the database', async () => {
      await expect.poll(() => service.output(), { timeout: 60_000 }).toContain('2 processes)');
      const [before, database] = [children(), databasePid()];
      service.child.kill('SIGTERM');
      await expect.poll(() => isReady(port), { interval: 20 }).toBe(false);
      for (let count = 0; count < 3; count++) expect(await visit(count)).toBe('200');
      expect(await service.exit).toBe(0);
      expect(before.filter(isAlive)).toEqual([]);
      expect(isPostgresAlive(database)).toBe(false);
    });

    test('a mistake is named once, by the first process, and ends the parent with 78', async () => {
      const url = new URL(inject('serverUrl'));
      url.pathname = '/there_is_none';
      const { exit, output } = start({ DATABASE_URL: url.href });
      expect(await exit).toBe(78);
      expect(output().match(/there is no such database/g)).toHaveLength(1);
    });
  },
);
