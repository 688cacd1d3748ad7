import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { reencrypt } from '../src/app/backup/reencrypt.server.ts';
import { sealedColumns } from '../src/features/desk/privacy/personal-tables.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { knownFileIds } from '../src/app/known-files-store.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { upload } from '../src/features/desk/application/uploads.server.ts';
import { decide } from '../src/features/desk/application/decide.server.ts';
import { storeStaff, textPdf } from '../src/features/desk/application/testing/case-store.server.ts';
import { makeSealer, type Sealer } from '../src/platform/crypto/crypto.server.ts';
import { sealedFiles } from '../src/platform/files/files.server.ts';
import { folderStore, filesFolder } from '../src/platform/files/open-store.server.ts';
import { enqueue } from '../src/platform/jobs/jobs.server.ts';
import { someValues, contextOf } from '../src/platform/reencrypt/reencrypt.server.ts';
import { isBuilt } from './built-service.ts';
import { makeTestPlatform, type TestPlatform } from './platform.ts';
import { makeApplication } from './make.ts';

const root = join(import.meta.dirname, '..');
const next = { id: 'next', key: new Uint8Array(randomBytes(32)) };
const FILES = 5;

/** A service in use, with files on disk. */
async function service() {
  const platform = await makeTestPlatform();
  await seedAll(platform.db, seeders, platform.now());
  const staff = await storeStaff(platform, { role: 'reviewer' });
  for (let n = 0; n < FILES; n++) {
    const { id: applicationId } = await makeApplication(platform, {
      passportNumber: `A0123454${n}`,
      supportingDocumentNumber: 'V1234567',
      machineReadableZone: '{}',
    });
    const uploaded = await upload(platform, staff, textPdf([`Visa number ${randomUUID()}`]));
    if (!uploaded.ok) throw new Error(uploaded.error);
    await decide(platform, staff, { kind: 'approve', applicationId, fileId: uploaded.value.id });
  }
  const { encryptionKeys: old, lookupKeys: lookup } = platform.config;
  return {
    platform,
    store: folderStore(filesFolder(platform.config.dataDir)),
    both: { data: [next, ...old], lookup },
    alone: makeSealer({ data: [next], lookup }),
  };
}
type Service = Awaited<ReturnType<typeof service>>;

const run = ({ platform, store, both }: Service, isCheck = false) =>
  reencrypt(
    { ...platform, store, sealer: makeSealer(both), dataKeys: both.data },
    { isCheck, onProgress: () => undefined },
  );

/** How many sealed values and files a sealer opens, and how many there are. */
async function openedBy(sealer: Sealer, { platform, store }: Service) {
  const counts = { all: 0, opened: 0 };
  const tried = (open: () => unknown) => {
    counts.all += 1;
    try {
      open();
      counts.opened += 1;
    } catch {
      // Sealed with another key.
    }
  };
  for (const column of sealedColumns) {
    for (const { key, sealed } of await someValues(platform.pool, column, 1e6)) {
      tried(() => sealer.unseal(sealed, contextOf(column, key)));
    }
  }
  for await (const id of knownFileIds(platform.db)) {
    const sealed = (await store.read(id)) ?? Buffer.of();
    tried(() => sealer.unseal(sealed, `file:${id}`));
  }
  return counts;
}

test('every column of bytes is sealed again, or known not to be sealed', async () => {
  const { db } = await makeTestPlatform();
  const { rows } = await db.execute<{ name: string }>(
    sql`select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and data_type = 'bytea'`,
  );
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  const unsealed = rows.map(({ name }) => name).filter((name) => !known.includes(name));
  expect(rows.length - unsealed.length).toBe(known.length);
  // Hashes, what an audit seal covers, and keys that are public.
  expect(unsealed.filter((name) => !name.endsWith('_hash')).toSorted()).toEqual([
    'audit_seal.fingerprints',
    'desk_dismissal.facts',
    'idempotency_key.id',
    'staff_passkey.public_key',
  ]);
});

describe('sealing again', () => {
  test('first counts, then does it, and then nothing is left that needs the old key', async () => {
    const one = await service();
    const before = await openedBy(makeSealer(one.both), one);
    expect(before.opened).toBe(before.all);
    expect((await openedBy(one.alone, one)).opened).toBe(0);
    const counted = await run(one, true);
    expect(counted).toMatchObject({ done: { values: 0, files: 0 }, unopened: [] });
    expect(counted.left).toMatchObject({
      files: FILES,
      'visa_application.passport_number': FILES,
      'visa_application.machine_readable_zone': FILES,
    });
    const { done, left, unopened } = await run(one);
    expect([done.values + done.files, left, unopened]).toEqual([before.all, {}, []]);
    expect(await openedBy(one.alone, one)).toEqual(before);
    expect((await run(one)).done).toEqual({ values: 0, files: 0 });
  });

  test('leaves what somebody changed meanwhile, and names what no key opens', async () => {
    const other = await service();
    const { platform, both } = other;
    const lost = makeSealer({ ...both, data: [{ id: 'lost', key: new Uint8Array(32) }] });
    const { id } = await makeApplication({ ...platform, sealer: lost });
    const [first] = platform.config.encryptionKeys;
    const racing: Service = {
      ...other,
      platform: {
        ...platform,
        // Just before the first batch is stored, the service seals one of its values with the old key again.
        pool: changingBefore(platform, async () => {
          const column = sealedColumns.find(
            (one) => `${one.table}.${one.column}` === 'visa_application.passport_number',
          );
          if (!column || !first) return;
          const values = await someValues(platform.pool, column, 2);
          const value = values.find(({ key }) => key[0] !== id);
          const context = contextOf(column, value?.key ?? []);
          const again = platform.sealer.seal('A99999999', context);
          await platform.db.execute(
            sql`update visa_application set passport_number = ${again} where application_id = ${value?.key[0]}`,
          );
        }),
      },
    };
    const report = await run(racing);
    expect(report.unopened).toEqual([{ where: 'visa_application.passport_number', id }]);
    expect(report.left['visa_application.passport_number']).toBe(2);
    const again = await run(other);
    expect(again.done).toEqual({ values: 1, files: 0 });
    expect(again.left).toEqual({ 'visa_application.passport_number': 1 });
  });

  test('counts jobs that wait with something sealed in them', async () => {
    const one = await service();
    const { platform } = one;
    const sealed = platform.sealer.sealJson({ email: 'a@example.org' }, 'a job').toString('base64');
    await enqueue(platform.db, 'staff.reset', { resetId: randomUUID(), sealed });
    expect((await run(one)).left).toEqual({ 'waiting jobs': 1 });
    await platform.db.execute(sql`delete from graphile_worker._private_jobs`);
    expect((await run(one)).left).toEqual({});
  });

  test('brings no file back that was removed with its row meanwhile', async () => {
    const other = await service();
    const { platform, store } = other;
    const removing = {
      ...store,
      async write(id: string, bytes: Uint8Array) {
        await platform.db.execute(sql`delete from application_document where file_id = ${id}`);
        await platform.db.execute(sql`delete from desk_upload where file_id = ${id}`);
        await store.remove(id);
        await store.write(id, bytes);
      },
    };
    await run({ ...other, store: removing });
    const left: string[] = [];
    for await (const id of store.list()) left.push(id);
    expect(left).toEqual([]);
  });
});

/** A pool that does something once, before the first change that goes through it. */
function changingBefore({ pool }: TestPlatform, change: () => Promise<void>): TestPlatform['pool'] {
  let changed: Promise<void> | undefined;
  const query = async (...asked: Parameters<typeof pool.query>) => {
    if (asked[0].startsWith('update')) await (changed ??= change());
    return pool.query(...asked);
  };
  return new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name)),
  });
}

describe.skipIf(!isBuilt)('npm run lale -- reencrypt', () => {
  const start = ({ platform, both }: Service, words: readonly string[] = []) =>
    spawn(process.execPath, ['scripts/start.mjs', 'cli', 'reencrypt', ...words], {
      cwd: root,
      env: {
        ...process.env,
        NODE_ENV: '',
        DATA_DIR: platform.config.dataDir,
        DATABASE_URL: platform.url,
        ENCRYPTION_KEYS: both.data
          .map(({ id, key }) => `${id}:${Buffer.from(key).toString('base64')}`)
          .join(','),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  async function finish(child: ReturnType<typeof start>) {
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ]);
    return { code: Number(code), output: out + err };
  }

  test('killed in the middle leaves everything readable, and goes on where it was', async () => {
    const one = await service();
    const { platform, both } = one;
    const MANY = 20_000;
    const ids = Array.from({ length: MANY }, () => randomBytes(16));
    await platform.pool.query(
      `insert into idempotency_key (id, request_hash, answer, expires_at)
       select id, id, answer, now() + interval '1 day' from unnest($1::bytea[], $2::bytea[]) as given (id, answer)`,
      [
        ids,
        ids.map((id) => platform.sealer.seal('{}', `idempotency_key.answer:${id.toString('hex')}`)),
      ],
    );
    const before = await openedBy(makeSealer(both), one);
    expect(before).toEqual({ all: before.all, opened: before.all });

    const child = start(one);
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('idempotency_key.answer')) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    expect(child.signalCode).toBe('SIGKILL');
    const between = await openedBy(one.alone, one);
    expect(between.opened).toBeGreaterThan(0);
    expect(between.opened).toBeLessThan(before.all);
    expect(await openedBy(makeSealer(both), one)).toEqual(before);

    const counted = await finish(start(one, ['--check']));
    expect([counted.code, counted.output]).toEqual([
      1,
      expect.stringContaining('Something is left that another key seals'),
    ]);
    const second = await finish(start(one));
    expect([second.code, second.output]).toEqual([
      0,
      expect.stringContaining('Nothing is left that another key seals'),
    ]);
    expect(await openedBy(one.alone, one)).toEqual(before);
    const files = sealedFiles(one.store, one.alone);
    for await (const id of knownFileIds(platform.db)) {
      expect((await files.read(id))?.mediaType).toBe('application/pdf');
    }
  });
});
