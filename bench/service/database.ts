import { createHash } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '~/platform/postgres/embedded/open-embedded.server.ts';
import { grantService, migrate } from '~/platform/postgres/migrate.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { RUNTIME, SERVICE } from '~/platform/postgres/embedded/postgres-cluster.server.ts';
import { seedDesk } from '../seed-desk.ts';
import { moveTo, placing } from './processor.ts';

const root = join(import.meta.dirname, '..', '..');
/** Kept between runs because of its seeded database. */
const FOLDER = join(root, 'var', 'bench-service');
const SEEDED = 'seeded_';
const RELOAD_MS = 300;

export type BenchDatabase = {
  /** The main process; the others are its children. */
  pid: number;
  /** A migrated, empty database; returns the address for the service. Jobs do not run in it if asked to. */
  empty(name: string, options: { lockJobs: boolean }): Promise<string>;
  /** The same with so many applications over five years. */
  seeded(name: string, applications: number): Promise<string>;
  /** One without tables, whose owner the account is. */
  bare(): Promise<string>;
  /** Runs a statement of the bench itself. */
  ask<T extends pg.QueryResultRow>(name: string, statement: string): Promise<T[]>;
  /**
   * The statements that requests sent while each of these ran, one after the other, as the server logs them; BEGIN and
   * COMMIT are counted.
   */
  statementsOf(runs: readonly (() => Promise<unknown>)[]): Promise<string[][]>;
  stop(): Promise<void>;
};

/** The embedded PostgreSQL as the service runs it, with a log that names the sender of each statement. */
export async function startDatabase(): Promise<BenchDatabase> {
  mkdirSync(FOLDER, { recursive: true });
  const cluster = join(FOLDER, 'postgres');
  const server = await startPostgres({
    dataDir: cluster,
    log: makeLog({ level: 'error' }),
    settings: { log_line_prefix: '%a|' },
  });
  const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  moveTo(placing.rest, pid);
  const owner = new pg.Client({ connectionString: server.ownerUrl });
  await owner.connect();
  await logStatements(owner, 'none');
  const made: string[] = [];

  const addressOf = (url: string, name: string) => {
    const address = new URL(url);
    address.pathname = name;
    return address.href;
  };
  const create = async (name: string, template?: string) => {
    await owner.query(`drop database if exists ${name} with (force)`);
    const copied = template ? `template ${template} strategy file_copy` : '';
    await owner.query(`create database ${name} owner ${SERVICE} ${copied}`);
  };
  const prepare = async (name: string) => {
    await create(name);
    await migrate(addressOf(server.url, name), 'test');
    const pool = new pg.Pool({ connectionString: addressOf(server.url, name), max: 2 });
    await grantService(pool, RUNTIME).finally(() => pool.end());
  };
  const ask = async <T extends pg.QueryResultRow>(name: string, statement: string) => {
    const client = new pg.Client({ connectionString: addressOf(server.ownerUrl, name) });
    await client.connect();
    return (await client.query<T>(statement).finally(() => client.end())).rows;
  };
  const use = async (name: string, { lockJobs }: { lockJobs: boolean }) => {
    made.push(name);
    if (lockJobs) await ask(name, HOLD_JOBS);
    // Writing what the preparation left is not the service's cost.
    await owner.query('checkpoint');
    return addressOf(server.serviceUrl, name);
  };

  return {
    pid,
    ask,
    async empty(name, options) {
      await prepare(name);
      return use(name, options);
    },
    async seeded(name, applications) {
      const template = `${SEEDED}${applications}_${seedVersion()}`;
      const { rows } = await owner.query<{ datname: string }>('select datname from pg_database');
      const kept = rows.map(({ datname }) => datname).filter((one) => one.startsWith(SEEDED));
      // Templates of other releases are no longer needed.
      for (const old of kept.filter((one) => one !== template)) {
        await owner.query(`drop database ${old} with (force)`);
      }
      if (!kept.includes(template)) {
        const draft = 'seeding';
        await prepare(draft);
        const pool = new pg.Pool({ connectionString: addressOf(server.url, draft), max: 2 });
        console.log(`storing ${applications} applications, kept for the next run`);
        await seedDesk(pool, applications, new Date()).finally(() => pool.end());
        await owner.query(`alter database ${draft} rename to ${template}`);
      }
      await create(name, template);
      return use(name, { lockJobs: true });
    },
    async bare() {
      await create('bare');
      made.push('bare');
      return addressOf(server.url, 'bare');
    },
    async statementsOf(runs) {
      const path = `${cluster}.log`;
      await logStatements(owner, 'all');
      const all: string[][] = [];
      try {
        for (const run of runs) {
          const start = statSync(path).size;
          await run();
          all.push(statementsIn(readFrom(path, start)));
        }
      } finally {
        await logStatements(owner, 'none');
      }
      return all;
    },
    async stop() {
      for (const name of made) await owner.query(`drop database if exists ${name} with (force)`);
      await owner.end();
      await server.stop();
    },
  };
}

async function logStatements(owner: pg.Client, which: 'all' | 'none'): Promise<void> {
  await owner.query(`alter system set log_statement = '${which}'`);
  await owner.query('select pg_reload_conf()');
  await wait(RELOAD_MS);
}

/** The part of the log written for requests' connections; those of jobs have another name (`platform.server.ts`). */
function statementsIn(log: string): string[] {
  const entries = log.split(/\n(?!\t)/);
  return entries.flatMap((entry) => {
    const [, text] = /^lale\|LOG: {2}(?:statement|execute [^:]+): ([\s\S]*)$/.exec(entry) ?? [];
    return text === undefined ? [] : text.replaceAll(/\s+/g, ' ').trim();
  });
}

function readFrom(path: string, start: number): string {
  const file = openSync(path, 'r');
  const bytes = Buffer.alloc(statSync(path).size - start);
  readSync(file, bytes, 0, bytes.length, start);
  closeSync(file);
  return bytes.toString('utf8');
}

/** Changes with the tables and the seed, and once a day, because the newest seeded applications are dated by it. */
function seedVersion(): string {
  const folder = join(root, 'db', 'migrations');
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const hash = createHash('sha256').update(new Date().toISOString().slice(0, 10));
  for (const path of [
    ...files.map((name) => join(folder, name)),
    join(root, 'bench', 'seed-desk.ts'),
    join(root, 'bench', 'seed-names.ts'),
  ]) {
    hash.update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 12);
}

/** Jobs queued by requests are measured separately; otherwise they would run during another measurement. */
const HOLD_JOBS = `
  create function bench_hold() returns trigger language plpgsql as
    $$ begin new.run_at := now() + interval '1 year'; return new; end $$;
  create trigger bench_hold before insert on graphile_worker._private_jobs
    for each row execute function bench_hold();`;

/** All held jobs are due now. */
export const RELEASE_JOBS = `
  drop trigger bench_hold on graphile_worker._private_jobs;
  update graphile_worker._private_jobs set run_at = now();
  select pg_notify('jobs:insert', '{"count":1}');`;

/** Bytes of a database’s files after vacuuming, and of all write-ahead log so far. */
export async function relationSize(
  database: BenchDatabase,
  name: string,
): Promise<{ stored: number; wal: number }> {
  await database.ask(name, 'vacuum');
  const [row] = await database.ask<{ stored: number; wal: number }>(
    name,
    `select pg_database_size(current_database())::float as stored,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float as wal`,
  );
  if (!row) throw new Error('The database has no size');
  return row;
}
