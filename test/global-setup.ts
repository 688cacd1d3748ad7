import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import {
  startPostgres,
  isPostgresAlive,
  readPidFile,
} from '../src/platform/postgres/embedded/open-embedded.server.ts';
import { makeLog } from '../src/platform/log/log.server.ts';
import { migrate } from '../src/platform/postgres/migrate.server.ts';
import { testSecrets } from '../src/platform/crypto/secrets.server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A PostgreSQL on which databases can be created. */
    serverUrl: string;
    /** A migrated database to clone. */
    template: string;
    /** Folder with `secrets.json`, because generating RSA keys takes longer than most tests. */
    secretsFolder: string;
  }
}

const PREFIX = 'test-run-';
/** Linux's folder in memory: a clone of the template takes a fifth of the processor time there. */
const IN_MEMORY = '/dev/shm';
/** What a run may fill, in bytes; a container often has less in memory. */
const NEEDED = 4e9;

/** One PostgreSQL for the whole run (or the one in TEST_DATABASE_URL) with one migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers();
  const parent = parentFolder();
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  if (parent === IN_MEMORY) keepTemporaryFilesIn(folder);
  const server = await openServer(folder);
  const template = `template_${randomBytes(6).toString('hex')}`;
  await onServer(server.url, (client) => client.query(`create database ${template}`));
  await migrate(withDatabase(server.url, template), 'test');
  testSecrets(folder);
  project.provide('serverUrl', server.url);
  project.provide('template', template);
  project.provide('secretsFolder', folder);
  return async () => {
    await onServer(server.url, (client) => client.query(`drop database ${template} with (force)`));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

function parentFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize >= NEEDED) return IN_MEMORY;
  } catch {
    // There is none on other systems.
  }
  return tmpdir();
}

/** Of the tests, whose processes start later. Other users enter it, as they enter /tmp: PostgreSQL's, where root tests. */
function keepTemporaryFilesIn(folder: string): void {
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
}

async function openServer(folder: string): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, stop: async () => undefined };
  const { ownerUrl, url, stop } = await startPostgres({
    dataDir: join(folder, 'postgres'),
    log: makeLog({ level: 'error' }),
    // Data need not survive a crash; many tests at once have a pool each.
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      // Databases live for seconds: looking after the statistics of each cost more than it brought.
      autovacuum: 'off',
      jit: 'off',
      max_connections: '300',
    },
  });
  // With the owner's rights, not a superuser's, so that tests see what is forbidden even to the owner.
  await onServer(ownerUrl, (client) => client.query('alter role service createdb createrole'));
  return { url, stop };
}

async function onServer(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** A killed run leaves its database running. */
function removeLeftovers(): void {
  const found = [IN_MEMORY, tmpdir()]
    .filter((parent) => existsSync(parent))
    .flatMap((parent) => readdirSync(parent).map((name) => ({ parent, name })));
  for (const { parent, name } of found) {
    const [, owner] = name.startsWith(PREFIX)
      ? (/^(\d+)-/.exec(name.slice(PREFIX.length)) ?? [])
      : [];
    if (!owner || isRunning(Number(owner))) continue;
    const folder = join(parent, name);
    try {
      const pid = readPidFile(join(folder, 'postgres'))?.pid;
      if (pid && isPostgresAlive(pid)) process.kill(pid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    } catch {
      // Of another user.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
