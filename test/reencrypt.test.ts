import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { reencrypt, hashedColumns, hashesBesideValues } from '~/app/backup/reencrypt.server.ts';
import { sealedColumns } from '~/features/desk/privacy/personal-tables.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { knownFileIds } from '~/app/known-files-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { upload } from '~/features/desk/application/uploads.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { storeStaff, textPdf } from '~/features/desk/application/testing/case-store.server.ts';
import { makeSealer, type Sealer } from '~/platform/crypto/crypto.server.ts';
import { sealedFiles } from '~/platform/files/files.server.ts';
import { folderStore, filesFolder } from '~/platform/files/open-store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { someValues, sealingContext, rehashAll } from '~/platform/backup/reencrypt.server.ts';
import { storeReplacedPassport } from '~/features/application/correction/correction-store.server.ts';
import {
  applicationDocument,
  applicationEarlierPassport,
} from '~/features/application/tables.server.ts';
import {
  certificateWithCode,
  storedVerifyCode,
  makeVerifyCode,
} from '~/features/insurance/store/store.server.ts';
import { sealDays, verifyTrail } from '~/features/staff/audit/audit-seal.server.ts';
import { firstDayOfAuditTrail } from '~/features/staff/accounts/jobs.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { isBuilt } from './built-service.ts';
import { makeTestPlatform, type TestPlatform } from './platform.ts';
import { makeApplication, makeInsurance } from './make.ts';

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
    await decideApplication(platform, staff, {
      kind: 'approve',
      applicationId,
      fileId: uploaded.value.id,
    });
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
      tried(() => sealer.unseal(sealed, sealingContext(column, key)));
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
          const context = sealingContext(column, value?.key ?? []);
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

describe('rehash', () => {
  const PASSPORT = 'A01234547';
  const OF_VISA = 'visa_application.passport_number';

  /** A service in use, its sealer, and the one once a newer look-up key was added. */
  async function service() {
    const platform = await makeTestPlatform();
    const { db, config } = platform;
    await seedAll(db, seeders, platform.now());
    const staff = await storeStaff(platform, { role: 'reviewer' });
    const visa = await makeApplication(platform, { passportNumber: PASSPORT });
    const pdf = textPdf([`Visa ${randomUUID()}`]);
    const uploaded = await upload(platform, staff, pdf);
    if (!uploaded.ok) throw new Error(uploaded.error);
    await decideApplication(platform, staff, {
      kind: 'approve',
      applicationId: visa.id,
      fileId: uploaded.value.id,
    });
    const before = platform.sealer.keyedHash('an earlier one', OF_VISA);
    await db.transaction((tx) =>
      storeReplacedPassport(tx, { applicationId: visa.id, before, after: Buffer.of() }),
    );
    const insurance = await makeInsurance(platform);
    platform.clock.advance(3 * 86_400_000);
    await sealDays(platform);
    const next = makeSealer({
      data: config.encryptionKeys,
      lookup: [new Uint8Array(randomBytes(32)), ...config.lookupKeys],
    });
    return { platform, visa, pdf, insurance, next };
  }

  const run = ({
    platform,
    next,
  }: Pick<Awaited<ReturnType<typeof service>>, 'platform' | 'next'>) =>
    rehashAll(platform.pool, next, { telling: hashesBesideValues, hashed: hashedColumns });

  describe('a newer look-up key', () => {
    test('finds everything again by what it finds then, and a second run does nothing', async () => {
      const one = await service();
      const { platform, visa, pdf, next } = one;
      const { db } = platform;
      const { newest, before, neither, done } = await run(one);
      expect([newest, before, neither]).toEqual([0, 2, 0]);
      expect(done).toBeGreaterThanOrEqual(5);
      const [stored] = await db
        .select({ hash: visaApplication.passportHash })
        .from(visaApplication)
        .where(eq(visaApplication.applicationId, visa.id));
      expect(stored?.hash).toEqual(next.keyedHash(PASSPORT, OF_VISA));
      const [earlier] = await db.select().from(applicationEarlierPassport);
      expect(earlier?.passportHash).toEqual(next.keyedHash('an earlier one', OF_VISA));
      const [document] = await db
        .select({ hash: applicationDocument.contentHash })
        .from(applicationDocument)
        .where(eq(applicationDocument.applicationId, visa.id));
      expect(document?.hash).toEqual(next.keyedHash(pdf, 'application_document.content'));
      expect(await run(one)).toEqual({ newest: 2, before: 0, neither: 0, done: 0 });
    });

    test('lets certificates that were issued verify, and the seals of the audit trail hold', async () => {
      const { platform, insurance, next } = await service();
      const { db, sealer } = platform;
      const code = makeVerifyCode(sealer, insurance.id);
      expect(await storedVerifyCode(db, next, insurance.id)).toBe(code);
      expect(await certificateWithCode(db, code)).not.toBeNull();
      platform.clock.advance(86_400_000);
      expect(await sealDays({ ...platform, sealer: next })).toHaveLength(1);
      const verify = (by: typeof next) =>
        verifyTrail({ ...platform, sealer: by }, firstDayOfAuditTrail(platform.now()));
      expect((await verify(next)).findings).toEqual([]);
      expect((await verify(sealer)).findings.map(({ kind }) => kind)).toEqual(['broken']);
    });

    test('changes nothing where hashes of both are there, or of neither', async () => {
      const one = await service();
      await makeApplication({ ...one.platform, sealer: one.next }, { passportNumber: 'B7654321' });
      expect(await run(one)).toEqual({ newest: 1, before: 2, neither: 0, done: 0 });
      const lookup = new Uint8Array(randomBytes(32));
      const lost = makeSealer({ data: one.platform.config.encryptionKeys, lookup });
      await makeApplication({ ...one.platform, sealer: lost }, { passportNumber: 'C7654321' });
      expect(await run(one)).toEqual({ newest: 1, before: 2, neither: 1, done: 0 });
    });

    test('interrupted, changes nothing', async () => {
      const one = await service();
      const { platform, next } = one;
      let left = 3;
      const failing = {
        ...next,
        rehash: (hash: Uint8Array) => {
          if ((left -= 1) === 0) throw new Error('killed');
          return next.rehash(hash);
        },
      };
      await expect(run({ platform, next: failing })).rejects.toThrow('killed');
      expect(await run(one)).toMatchObject({ newest: 0, before: 2, neither: 0 });
    });
  });

  test('every column of hashes by a look-up key gets the newer one', async () => {
    const { rows } = await (
      await makeTestPlatform()
    ).pool.query<{ name: string }>(
      `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and data_type = 'bytea' and column_name like '%hash'`,
    );
    const known = hashedColumns.map(({ table, column }) => `${table}.${column}`);
    const others = rows.map(({ name }) => name).filter((name) => !known.includes(name));
    expect(rows.length - others.length).toBe(known.length);
    // Hashes of random tokens, without a key; the code on a certificate keeps the key of its time.
    expect(others.filter((name) => !/(token|session|code)_hash$/.test(name))).toEqual([
      'insurance_application.verify_hash',
    ]);
  });
});
