import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { sealDays } from '~/features/staff/audit/audit-seal.server.ts';
import { readConfig } from '~/platform/config/config.server.ts';
import { makeSealer } from '~/platform/crypto/crypto.server.ts';
import { sealedFiles } from '~/platform/files/files.server.ts';
import { openFileStore } from '~/platform/files/open-store.server.ts';
import { makeLog } from '~/platform/log/log.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { openEmbedded, visitDatabase } from '~/platform/postgres/embedded/open-embedded.server.ts';
import { seedDesk } from '../../bench/seed-desk.ts';

const root = join(import.meta.dirname, '..', '..');
const log = makeLog({ level: 'error' });
const BATCH = 2000;
const AT_ONCE = 16;
/** Bytes of a document: between these. */
const SIZES = { least: 40_000, most: 200_000 };

type Drill = {
  /** Holds everything that the drill makes; removed by the caller. */
  folder: string;
  applications: number;
  /** How many of the approved visas have a document. */
  documents: number;
  now: Date;
};

export type CommandResult = {
  code: number;
  output: string;
  seconds: number;
  peakMegabytes: number;
};
type DrillResult = { backup: CommandResult; restore: CommandResult; faults: string[] };

/** A service with many applications, backed up and restored into another data folder by the commands themselves. */
export async function runDrill(options: Drill): Promise<DrillResult> {
  const { folder } = options;
  const [ours, restored, apart] = ['service', 'restored', 'apart'].map((name) => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o755 });
    return path;
  });
  if (!ours || !restored || !apart) throw new Error('No folders');
  await fill(ours, options);
  // What is kept apart from backups, and comes back first.
  copyFileSync(join(ours, 'secrets.json'), join(restored, 'secrets.json'));
  const key = join(apart, 'key.txt');
  const pair = await run(['backup-keys', key], {});
  const [, recipient = ''] = /^BACKUP_RECIPIENT=(.+)$/m.exec(pair.output) ?? [];

  const backups = join(folder, 'backups');
  const backup = await run(['backup', backups], { DATA_DIR: ours, BACKUP_RECIPIENT: recipient });
  const [, written = ''] = /^(\/\S+Z): \d+ bytes/m.exec(backup.output) ?? [];
  const restore = await run(['restore', written], {
    DATA_DIR: restored,
    BACKUP_IDENTITY_FILE: key,
  });
  const faults: string[] = [];
  if (backup.code !== 0) faults.push(`the backup ended with ${backup.code}: ${backup.output}`);
  if (restore.code !== 0) faults.push(`the restore ended with ${restore.code}: ${restore.output}`);
  if (faults.length === 0) faults.push(...(await compare(ours, restored)));
  return { backup, restore, faults };
}

/** Runs a command of the production build. */
async function run(
  words: readonly string[],
  variables: Record<string, string>,
): Promise<CommandResult> {
  const began = performance.now();
  const child = spawn(process.execPath, ['scripts/start.mjs', 'cli', ...words], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', MODE: 'test', DATABASE_URL: '', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let peakMegabytes = 0;
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child.pid));
  }, 50);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]).finally(() => clearInterval(watch));
  const seconds = (performance.now() - began) / 1000;
  return { code: Number(code), output: out + err, seconds, peakMegabytes };
}

/** The most memory that a process had, as Linux counts it; 0 elsewhere. */
function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function fill(dataDir: string, { applications, documents, now }: Drill): Promise<void> {
  const config = readConfig({ MODE: 'test', DATA_DIR: dataDir });
  const sealer = makeSealer({ data: config.encryptionKeys, lookup: config.lookupKeys });
  const store = openFileStore(config);
  const files = sealedFiles(store, sealer);
  await using stack = new AsyncDisposableStack();
  const { ownerUrl } = await openEmbedded(config, { log, stack, settings: { fsync: 'off' } });
  const { db, pool, close } = openDatabase(ownerUrl, { poolSize: 4 });
  stack.defer(close);
  await seedDesk(pool, applications, now, () => undefined);
  for (const table of ['visa_application', 'insurance_application']) {
    await sealPassports(pool, table, (id) =>
      sealer.seal(`A${id.slice(0, 8)}`, `${table}.passport_number:${id}`),
    );
  }
  const { rows: approved } = await pool.query<{ id: string }>(
    `select id from application where kind = 'visa' and status = 'approved' order by number limit $1`,
    [documents],
  );
  for (let from = 0; from < approved.length; from += AT_ONCE) {
    await Promise.all(
      approved.slice(from, from + AT_ONCE).map(async ({ id }) => {
        const length = SIZES.least + Math.floor(Math.random() * (SIZES.most - SIZES.least));
        const bytes = randomBytes(length);
        const file = await files.put(bytes, { mediaType: 'application/pdf' });
        await pool.query(
          `insert into application_document (id, application_id, file_id, media_type, size, created_at, content_hash)
           values ($1, $2, $3, 'application/pdf', $4, $5, $6)`,
          [
            randomUUID(),
            id,
            file.id,
            file.size,
            now,
            sealer.keyedHash(bytes, 'application_document.content'),
          ],
        );
      }),
    );
  }
  await sealDays({ db, sealer, log, now: () => now });
  files.close();
}

async function sealPassports(
  pool: Pool,
  table: string,
  seal: (id: string) => Buffer,
): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(`select application_id as id from ${table}`);
  for (let from = 0; from < rows.length; from += BATCH) {
    const ids = rows.slice(from, from + BATCH).map(({ id }) => id);
    await pool.query(
      `update ${table} v set passport_number = given.sealed
       from unnest($1::uuid[], $2::bytea[]) as given (id, sealed) where v.application_id = given.id`,
      [ids, ids.map(seal)],
    );
  }
}

/** Asks both databases the same, independently of what the commands checked. */
async function compare(ours: string, restored: string): Promise<string[]> {
  const [before, after] = [await summary(ours), await summary(restored)];
  return before.flatMap((line, at) =>
    line === after[at] ? [] : [`before: ${line}; after: ${String(after[at])}`],
  );
}

/** Without the records that a backup and a restore leave of themselves. */
async function summary(dataDir: string): Promise<string[]> {
  const config = readConfig({ MODE: 'test', DATA_DIR: dataDir });
  const visited = await visitDatabase(config);
  const { pool, close } = openDatabase(visited.url, { poolSize: 1 });
  try {
    const { rows: tables } = await pool.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = 'public' and tablename not in ('backup', 'deletion_record') order by 1`,
    );
    const lines: string[] = [];
    for (const { name } of tables) {
      const { rows } = await pool.query<{ count: string }>(`select count(*) from "${name}"`);
      lines.push(`${name}: ${rows[0]?.count}`);
    }
    const { rows: money } = await pool.query<{ line: string }>(
      `select concat_ws(' ', state, currency, count(*), sum(amount_minor), sum(refunded_minor)) as line
       from payment_attempt group by state, currency order by 1`,
    );
    return [...lines, ...money.map(({ line }) => line)];
  } finally {
    await close();
    await visited.leave();
  }
}
