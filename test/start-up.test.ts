import { existsSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import {
  startPostgres,
  isPostgresAlive,
} from '~/platform/postgres/embedded/open-embedded.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { freePort } from '~/platform/config/port.server.ts';
import {
  builtServices,
  isBuilt,
  isReady as isPortReady,
  untilReady,
  type StartedService,
} from './built-service.ts';
import { isThorough } from './thorough.ts';

// The production build as users start it: one service through starts, kills and stops, in this order, because each test
// checks what a start finds after the one before. Kills, and starts that find another service, are tried at night.
const nightly = test.runIf(isThorough);
const { databasePid, dataDir, folder, port, start } = await builtServices();

const isReady = () => isPortReady(port);
const ready = (service: StartedService) => untilReady(service, port);

/** As the tables' owner, while the service is stopped. */
async function onStoppedDatabase(statement: string): Promise<void> {
  const log = makeLog({ level: 'silent' });
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres'), log });
  const { pool, close } = openDatabase(postgres.url);
  await pool.query(statement);
  await close();
  await postgres.stop();
}

describe.skipIf(!isBuilt)('the built service', { timeout: 60_000, shuffle: false }, () => {
  let service: StartedService;

  test('names every mistake in one message and ends with 78', async () => {
    const blocked = join(folder, 'a-file');
    writeFileSync(blocked, '');
    const { exit, output } = start({
      PORT: 'x',
      MODE: 'y',
      DATA_DIR: join(blocked, 'var'),
      MAIL_URL: 'z',
    });
    expect(await exit).toBe(78);
    for (const name of ['PORT', 'MODE', 'DATA_DIR', 'MAIL_URL'])
      expect(output()).toContain(`- ${name}: `);
  });

  test('starts in an empty folder', async () => {
    service = await ready(start());
    expect(existsSync(join(dataDir, 'secrets.json'))).toBe(true);
  });

  test('allows its pages nothing that only development needs', async () => {
    for (const path of ['/application', '/admin', '/en']) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`);
      const policy = answer.headers.get('content-security-policy')?.split('; ');
      expect(policy, path).toContain("style-src 'self'");
      expect(policy, path).toContain("connect-src 'self'");
      expect(policy?.join(), path).not.toMatch(/unsafe|ws:/);
    }
  });

  nightly('a second one on the same folder is told so, and the first goes on', async () => {
    const { exit, output } = start({ PORT: String(await freePort()) });
    expect(await exit).toBe(78);
    expect(output()).toContain(`process ${service.child.pid}`);
    expect(await isReady()).toBe(true);
  });

  nightly('a second one on the same port is told so', async () => {
    const { exit, output } = start({ DATA_DIR: join(folder, 'other') });
    expect(await exit).toBe(78);
    expect(output()).toContain(`PORT: ${port}`);
    expect(await isReady()).toBe(true);
  });

  nightly('the audit trail is checked beside it', async () => {
    const { exit, output } = start({}, [
      process.execPath,
      'scripts/start.mjs',
      'cli',
      'verify-audit',
    ]);
    expect(await exit, output()).toBe(0);
    expect(output()).toContain('0 sealed days with 0 entries checked');
    expect(await isReady()).toBe(true);
  });

  test('a link to a new password for staff is printed beside it', async () => {
    const reset = (email: string) =>
      start({}, [process.execPath, 'scripts/start.mjs', 'cli', 'staff-reset', email]);
    const made = reset('admin@lale.example');
    expect(await made.exit, made.output()).toBe(0);
    expect(made.output()).toMatch(/\/admin\/reset\/[\w-]{32}/);
    const unknown = reset('nobody@lale.example');
    expect(await unknown.exit, unknown.output()).toBe(1);
    expect(await isReady()).toBe(true);
  });

  nightly('after kill -9 the next start takes over its running database', async () => {
    const before = databasePid();
    service.child.kill('SIGKILL');
    await service.exit;
    service = await ready(start());
    expect(databasePid()).toBe(before);
  });

  nightly('after kill -9 of the database it gets well by itself', async () => {
    const before = databasePid();
    process.kill(before, 'SIGKILL');
    await expect.poll(() => databasePid() !== before && isReady(), { timeout: 20_000 }).toBe(true);
  });

  async function expectEndBy(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
    const database = databasePid();
    service.child.kill(signal);
    expect(await service.exit).toBe(0);
    expect(isPostgresAlive(database)).toBe(false);
  }

  test('SIGTERM ends it with its database', () => expectEndBy('SIGTERM'));

  test('without it the audit trail is checked all the same, and tampering ends with 1', async () => {
    const verify = () => start({}, [process.execPath, 'scripts/start.mjs', 'cli', 'verify-audit']);
    await onStoppedDatabase(
      `insert into audit_entry (at, action, subject_kind, subject_id, detail)
         values (now() - interval '3 days', 'signed_in', 'account', 'x', '{}')`,
    );
    const { exit, output } = verify();
    expect(await exit, output()).toBe(1);
    expect(output()).toMatch(/first at \d{4}-\d\d-\d\d: the day has no seal/);
    expect(isPostgresAlive(databasePid())).toBe(false);
  });

  test('where there is no database to check, none is made', async () => {
    const empty = join(folder, 'empty');
    const variables = { DATA_DIR: empty };
    const command = [process.execPath, 'scripts/start.mjs', 'cli', 'verify-audit'];
    const { exit, output } = start(variables, command);
    expect(await exit).toBe(78);
    expect(output()).toContain('there is no database');
    expect(existsSync(join(empty, 'postgres'))).toBe(false);
  });

  nightly(
    'when the npm above it is killed it stops, and the next start waits for that',
    async () => {
      const shell = start({ npm_lifecycle_event: 'start' }, [
        '/bin/sh',
        '-c',
        `'${process.execPath}' scripts/start.mjs; true`,
      ]);
      await ready(shell);
      shell.child.kill('SIGKILL');
      service = start();
      // The port may still be answered by the one that is stopping.
      await expect.poll(() => service.output(), { timeout: 60_000 }).toContain('Staff sign in at');
      expect(service.output()).not.toContain('in use');
    },
  );

  nightly('SIGINT ends it with its database', () => expectEndBy('SIGINT'));
});

describe('restart', async () => {
  // A restart as docs/going-live.md has it: by the unit for systemd, which starts the next one as soon as the process that
  // it started has ended.
  const unit = readFileSync(join(import.meta.dirname, '../deploy/lale.service'), 'utf8');
  const [, words = ''] = /^ExecStart=\/usr\/bin\/env node (.+)$/m.exec(unit) ?? [];
  const command = [process.execPath, ...words.split(' ')];

  const { start, port } = await builtServices({ DRAIN_GRACE_MS: '300' });

  const isTaken = async (): Promise<boolean> => {
    const socket = connect(port, '127.0.0.1');
    const taken = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    return taken;
  };

  test.skipIf(!isBuilt)(
    'the process of the unit is the service: when it has ended, the next one finds the port free',
    { timeout: 180_000 },
    async () => {
      const first = await untilReady(start({}, command), port);
      expect(await isTaken()).toBe(true);
      first.child.kill('SIGTERM');
      expect(await first.exit).toBe(0);
      expect(await isTaken()).toBe(false);
      const second = await untilReady(start({}, command), port);
      expect(second.output()).not.toContain('in use');
    },
  );

  test('the unit starts it after the machine and whenever it ends, and gives it the time it needs', () => {
    for (const line of [
      'Restart=always',
      'RestartPreventExitStatus=78',
      'WantedBy=multi-user.target',
      'User=lale',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
    ])
      expect(unit.split('\n')).toContain(line);
    expect(unit).not.toMatch(/^ExecStart=.*npm/m);
    expect(unit).not.toMatch(/^EnvironmentFile=.*owner/m);
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(80);
  });
});
