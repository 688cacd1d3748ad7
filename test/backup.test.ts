import { randomBytes, randomUUID } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp } from '../src/app/backup/back-up.server.ts';
import { checkRestored, recordRestore, endAccess } from '../src/app/backup/restore.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { knownFileIds } from '../src/app/known-files-store.server.ts';
import { parseDate } from '../src/base/dates/dates.ts';
import { applicationById } from '../src/features/application/store.server.ts';
import { applicationDocument } from '../src/features/application/tables.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { upload } from '../src/features/desk/application/uploads.server.ts';
import { decideApplication } from '../src/features/desk/application/decide.server.ts';
import {
  eraseForCase,
  openCase,
  recordIdentity,
} from '../src/features/desk/privacy/cases.server.ts';
import {
  listErasures,
  repeatErasures,
  readErasures,
} from '../src/features/desk/privacy/repeat-erasures.server.ts';
import {
  latestDeletions,
  lastRestoreMoment,
} from '../src/features/desk/privacy/deletions.server.ts';
import { orderByNumber } from '../src/features/order/store.server.ts';
import { makeLog } from '../src/platform/log/log.server.ts';
import { storeStaff, textPdf } from '../src/features/desk/application/testing/case-store.server.ts';
import { sealDays } from '../src/features/staff/audit/audit-seal.server.ts';
import { requestStaff } from '../src/features/staff/session.server.ts';
import { staffInvitation, staffReset } from '../src/features/staff/tables.server.ts';
import { BackupError } from '../src/platform/backup/manifest.server.ts';
import { makeIdentity, readIdentity } from '../src/platform/backup/backup-keys.server.ts';
import { lastBackup } from '../src/platform/backup/backup-store.server.ts';
import { fillFromBackup, openBackup } from '../src/platform/backup/restore-backup.server.ts';
import { quoted, readSequences, readTables } from '../src/platform/backup/write-backup.server.ts';
import { readConfig } from '../src/platform/config/config.server.ts';
import { makeSealer } from '../src/platform/crypto/crypto.server.ts';
import type { FileStore } from '../src/platform/files/file-store.server.ts';
import {
  folderStore,
  filesFolder,
  openFileStore,
} from '../src/platform/files/open-store.server.ts';
import { enqueue } from '../src/platform/jobs/jobs.server.ts';
import type { Database } from '../src/platform/postgres/database.server.ts';
import { useDatabase, type TestDatabase } from './database.ts';
import { makeTestPlatform, type TestPlatform } from './platform.ts';
import { startS3 } from './s3.ts';
import { makeApplication } from './make.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const s3 = await startS3();
afterAll(() => s3.close());
const platform = await makeTestPlatform();
const store = folderStore(filesFolder(platform.config.dataDir));
const recipient = await makeIdentity(join(folder, 'key.txt'));
const identity = await readIdentity(join(folder, 'key.txt'));
const keys = { data: platform.config.encryptionKeys, lookup: platform.config.lookupKeys };
const dataKeys = keys.data.map(({ id }) => id);
const APPROVED = 3;

beforeAll(async () => {
  await seedAll(platform.db, seeders, platform.now());
  const staff = await storeStaff(platform, { role: 'reviewer' });
  for (let n = 0; n < APPROVED; n++) await approve(platform, staff, n);
  await makeApplication(platform, {
    firstName: 'Çağrı\t\\',
    lastName: 'O’Brien\nSmith',
    paid: false,
  });
  await enqueue(platform.db, 'email.send', { id: randomUUID() });
  platform.clock.advance(3 * 86_400_000);
  await sealDays(platform);
});

async function approve(on: TestPlatform, staff: Awaited<ReturnType<typeof storeStaff>>, n: number) {
  const { id: applicationId } = await makeApplication(on, { passportNumber: `A0123454${n}` });
  const uploaded = await upload(on, staff, textPdf([`Visa number ${randomUUID()}`]));
  if (!uploaded.ok) throw new Error(uploaded.error);
  const fileId = uploaded.value.id;
  await decideApplication(on, staff, { kind: 'approve', applicationId, fileId });
}

const whole = { ...platform, store };
let made = 0;
/** A backup in a folder of its own. */
async function back(changes: Partial<typeof whole> = {}) {
  const parent = join(folder, `backups-${(made += 1)}`);
  mkdirSync(parent);
  return backUp({ ...whole, ...changes }, { parent, recipient });
}
const open = (place: string, sealer = platform.sealer) =>
  openBackup({ folder: place, identity }, { sealer, dataKeys });

async function restore(place: string, target: { db: TestDatabase; store: FileStore }) {
  const manifest = await open(place);
  const { pool, db } = target.db;
  await fillFromBackup({ folder: place, identity }, manifest, { pool, store: target.store });
  return checkRestored(manifest, { db, pool, store: target.store, sealer: platform.sealer });
}

let stores = 0;
const emptyFolder = () => folderStore(join(folder, `files-${(stores += 1)}`));

/** All rows of all tables, in an order of their own. */
async function allRows({ pool }: Pick<TestDatabase, 'pool'>) {
  const client = await pool.connect();
  const found: Record<string, string[]> = {};
  for (const table of await readTables(client)) {
    const { rows } = await client.query<{ row: string }>(
      `select t::text as row from ${quoted(table)} t order by 1`,
    );
    found[table.name] = rows.map(({ row }) => row);
  }
  const sequences = await readSequences(client);
  client.release();
  return { found, sequences };
}

/** What a database is made of besides rows: triggers and how they fire, constraints, indexes. */
async function parts(db: Database) {
  const { rows } = await db.execute(sql`
    select tgrelid::regclass::text as "of", tgname::text as name, tgenabled::text as detail from pg_trigger where not tgisinternal
    union all select conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) || convalidated from pg_constraint
    union all select tablename::text, indexname::text, indexdef from pg_indexes where schemaname in ('public', 'graphile_worker')
    order by 1, 2, 3`);
  return rows;
}

const idsIn = async (place: Pick<FileStore, 'list'>) => {
  const ids: string[] = [];
  for await (const id of place.list()) ids.push(id);
  return ids.toSorted();
};

test('what is restored into another database and a bucket is what was backed up', async () => {
  const before = await allRows(platform);
  const { folder: place, manifest } = await back();
  const target = await useDatabase();
  const bucket = openFileStore(
    readConfig({ DATA_DIR: platform.config.dataDir, ...s3.variables('restored') }),
  );
  const untouched = await parts(target.db);
  const report = await restore(place, { db: target, store: bucket });
  expect(report.differing).toEqual([]);
  expect(report.held).toEqual([
    expect.stringMatching(/^The books are equal in all \d+ totals\.$/),
    expect.stringMatching(/sealed days with \d+ entries checked/),
    'Nothing was changed.',
    expect.stringMatching(/^\d+ values of \d+ sealed columns open\.$/),
    `All documents open and are those of their ${APPROVED * 2} rows.`,
  ]);
  expect(await allRows(target)).toEqual(before);
  expect(await parts(target.db)).toEqual(untouched);
  expect(await idsIn(bucket)).toEqual(await idsIn(store));
  expect(manifest.files.count).toBe(APPROVED);
  // Counters go on after what was restored.
  const staff = await storeStaff({ ...platform, ...target }, { role: 'reviewer' });
  expect(staff.id).toBeDefined();
  bucket.close();
});

test('brings no session, invitation or password link of staff back to life', async () => {
  const now = platform.now();
  const staff = await storeStaff(platform, { role: 'administrator' });
  const later = new Date(now.getTime() + 3_600_000);
  const row = () => ({ id: randomUUID(), tokenHash: randomBytes(32), createdAt: now });
  await platform.db.insert(staffInvitation).values({
    ...row(),
    email: 'invited@lale.example',
    name: 'D. Kaya',
    role: 'reviewer',
    invitedBy: staff.id,
    expiresAt: later,
  });
  const reset = { ...row(), accountId: staff.id, askedBy: 'email' as const, expiresAt: later };
  await platform.db.insert(staffReset).values(reset);
  const { folder: place } = await back();
  const target = await useDatabase();
  await restore(place, { db: target, store: emptyFolder() });
  const restored = { ...platform, ...target };
  const browser = new Request('http://127.0.0.1/admin', { headers: { cookie: staff.cookie } });
  expect(await requestStaff(restored, browser)).toMatchObject({ id: staff.id });
  const ended = await endAccess(target.db, now);
  expect(ended).toMatchObject({ invitations: 1, resets: 1 });
  expect(ended.sessions).toBeGreaterThan(0);
  expect(await requestStaff(restored, browser)).toBeNull();
  expect(await endAccess(target.db, now)).toEqual({ sessions: 0, invitations: 0, resets: 0 });
});

test('brings back what was erased since, until the erasures of the log are repeated', async () => {
  const lines: unknown[] = [];
  const made = await makeTestPlatform();
  const erasing = {
    ...made,
    log: Object.assign(makeLog({ level: 'silent' }), { warn: (line: unknown) => lines.push(line) }),
  };
  const { db } = erasing;
  const staff = await storeStaff(erasing, { role: 'administrator' });
  const application = await makeApplication(erasing, { email: 'gone@example.org' });
  const uploaded = await upload(erasing, staff, textPdf([`Visa number ${randomUUID()}`]));
  if (!uploaded.ok) throw new Error(uploaded.error);
  await decideApplication(erasing, staff, {
    kind: 'approve',
    applicationId: application.id,
    fileId: uploaded.value.id,
  });
  const { sealer } = erasing;
  const files = folderStore(filesFolder(erasing.config.dataDir));
  const { folder: place } = await back({ ...erasing, store: files });

  // The request came, and was carried out, after the backup.
  const opened = await openCase(erasing, staff, {
    kind: 'erasure',
    arrivedOn: parseDate('2026-11-20'),
    language: 'en',
    given: { number: application.number, email: '', passport: '' },
  });
  if (!opened.ok) throw new Error(opened.error.join());
  const order = await orderByNumber(db, application.orderNumber);
  const own = {
    applicationIds: [application.id],
    orderIds: [order?.id ?? ''],
    draftIds: [],
    caseIds: [],
    staffIds: [],
  };
  await recordIdentity(erasing, staff, opened.value, { check: 'email_reply', own });
  const erased = await eraseForCase(erasing, staff, opened.value, {
    isConfirmed: true,
    areTripsConfirmed: true,
  });
  expect(erased).toMatchObject({ ok: true });

  const target = await useDatabase();
  const manifest = await openBackup({ folder: place, identity }, { sealer, dataKeys });
  await fillFromBackup({ folder: place, identity }, manifest, {
    pool: target.pool,
    store: emptyFolder(),
  });
  expect(await applicationById(target.db, application.id)).not.toBeNull();
  await recordRestore(target.db, erasing.now());
  expect(await lastRestoreMoment(target.db, erasing.now())).toEqual(erasing.now());

  const log = lines.map((line) => `2026-11-23T10:00:00Z lale: ${JSON.stringify(line)}`).join('\n');
  const erasures = readErasures(`${log}\nnot JSON\n{"level":30}`);
  expect(erasures).toEqual(await listErasures(erasing));
  expect(log).not.toMatch(/gone@example\.org|Naidoo/);
  const repeating = { db: target.db, sealer, now: erasing.now };
  expect(await repeatErasures(repeating, erasures)).toEqual({ repeated: 1, gone: 0, waiting: [] });
  expect(await applicationById(target.db, application.id)).toBeNull();
  expect((await orderByNumber(target.db, application.orderNumber))?.customerEmail).toBe(
    'erased@erased.invalid',
  );
  expect(await latestDeletions(target.db, 9)).toContainEqual(
    expect.objectContaining({
      cause: 'erasure',
      deleted: expect.objectContaining({ application: 1 }),
      files: 1,
    }),
  );
  expect(await repeatErasures(repeating, erasures)).toEqual({ repeated: 0, gone: 1, waiting: [] });
});

test('is written down in the database, and readable by whoever has the key alone', async () => {
  const { folder: place, bytes, manifest } = await back();
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  expect(await lastBackup(platform.db)).toMatchObject({ rows, bytes, files: APPROVED });
  for (const name of readdirSync(place)) {
    const written = readFileSync(join(place, name));
    expect(written.toString('latin1', 0, 22)).toBe('age-encryption.org/v1\n');
    expect(written.includes('Naidoo')).toBe(false);
  }
  await makeIdentity(join(folder, 'another.txt'));
  const another = await readIdentity(join(folder, 'another.txt'));
  await expect(
    openBackup({ folder: place, identity: another }, { sealer: platform.sealer, dataKeys }),
  ).rejects.toThrow('was not encrypted for the key in BACKUP_IDENTITY_FILE');
});

describe('refused before anything is written is', () => {
  const spoilt: [string, (place: string) => void, RegExp][] = [
    [
      'a part that was cut short',
      (place) => truncateSync(join(place, 'public.application.copy.gz.age'), 300),
      /^public\.application\.copy\.gz\.age has 300 bytes instead of \d+$/,
    ],
    [
      'a part of which one byte differs',
      (place) => flip(join(place, 'files.tar.age')),
      /^files\.tar\.age was changed or cut short$/,
    ],
    [
      'a part that is missing',
      (place) => rmSync(join(place, 'public.audit_entry.copy.gz.age')),
      /^public\.audit_entry\.copy\.gz\.age is missing in /,
    ],
    [
      'a changed manifest',
      (place) => flip(join(place, 'manifest.age')),
      /^manifest\.age was changed/,
    ],
    [
      'a manifest that was cut short',
      (place) => truncateSync(join(place, 'manifest.age'), 900),
      /^manifest\.age was changed or cut short$/,
    ],
    [
      'a folder that was not finished',
      (place) => rmSync(join(place, 'manifest.age')),
      /has no manifest\.age: it is no backup, or one that was not finished$/,
    ],
  ];
  test.each(spoilt)('%s', async (_, spoil, message) => {
    const { folder: place } = await back();
    spoil(place);
    const error: unknown = await open(place).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BackupError);
    expect(error instanceof Error ? error.message : '').toMatch(message);
  });

  test('one that somebody made who knows the recipient alone', async () => {
    const forger = makeSealer({ ...keys, lookup: new Uint8Array(32) });
    const { folder: place } = await back({ sealer: forger });
    await expect(open(place)).rejects.toThrow('was not made with this LOOKUP_KEY');
  });

  test('one whose data keys are not all configured', async () => {
    const { folder: place } = await back();
    await expect(
      openBackup({ folder: place, identity }, { sealer: platform.sealer, dataKeys: ['next'] }),
    ).rejects.toThrow(`ENCRYPTION_KEYS lacks ${dataKeys.join(', ')}`);
  });

  test('a database or a file store that is not empty, and one with another schema', async () => {
    const { folder: place, manifest } = await back();
    const target = await useDatabase();
    const files = emptyFolder();
    await files.write(randomUUID(), Buffer.from('here already'));
    const fill = (changed = manifest) =>
      fillFromBackup({ folder: place, identity }, changed, { pool: target.pool, store: files });
    await expect(fill()).rejects.toThrow('is not empty: it has');
    const schema = { ...manifest.schema, migrations: ['of a later release'] };
    await expect(fill({ ...manifest, schema })).rejects.toThrow('has another schema');
    await seedAll(target.db, seeders, platform.now());
    await expect(fill()).rejects.toThrow('The database is not empty: country has rows');
    expect(await idsIn(files)).toHaveLength(1);
  });
});

function flip(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.length - 20;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test('rows that are not those of the manifest leave nothing behind', async () => {
  const { folder: place, manifest } = await back();
  const target = await useDatabase();
  const files = emptyFolder();
  const tables = manifest.tables.map((table) =>
    table.name === 'purchase_order' ? { ...table, digest: '1' } : table,
  );
  const filling = fillFromBackup(
    { folder: place, identity },
    { ...manifest, tables },
    {
      pool: target.pool,
      store: files,
    },
  );
  await expect(filling).rejects.toThrow('The rows of purchase_order differ');
  expect(await idsIn(files)).toEqual([]);
  const { found } = await allRows(target);
  expect(Object.values(found).flat()).toEqual([]);
  // And the same database takes the backup as it is.
  expect((await restore(place, { db: target, store: files })).differing).toEqual([]);
});

test('what changes meanwhile: the snapshot stays, a deleted file is named, a lost one is missing', async () => {
  const own = await makeTestPlatform();
  await seedAll(own.db, seeders, own.now());
  const staff = await storeStaff(own, { role: 'reviewer' });
  for (let n = 0; n < 3; n++) await approve(own, staff, n);
  const files = folderStore(filesFolder(own.config.dataDir));
  const [deleted = '', lost = ''] = await idsIn(files);
  const change = async () => {
    await approve(own, staff, 9);
    await own.db.execute(sql`delete from desk_upload where file_id = ${deleted}`);
    await own.db.delete(applicationDocument).where(eq(applicationDocument.fileId, deleted));
    await files.remove(deleted);
    await files.remove(lost);
  };
  let changed: Promise<void> | undefined;
  const parent = mkdtempSync(join(folder, 'meanwhile-'));
  const changing: Pick<FileStore, 'read'> = {
    read: async (id) => {
      await (changed ??= change());
      return files.read(id);
    },
  };
  const { folder: place, manifest } = await backUp(
    { ...own, store: changing },
    { parent, recipient },
  );
  expect(manifest.files).toMatchObject({ count: 1, deletedMeanwhile: [deleted], missing: [lost] });
  expect((await lastBackup(own.db))?.missingFiles).toBe(1);
  const target = await useDatabase();
  const store = emptyFolder();
  const restored = await openBackup({ folder: place, identity }, { sealer: own.sealer, dataKeys });
  await fillFromBackup({ folder: place, identity }, restored, { pool: target.pool, store });
  const report = await checkRestored(restored, { ...target, store, sealer: own.sealer });
  const known: string[] = [];
  for await (const id of knownFileIds(target.db)) known.push(id);
  expect(known).toHaveLength(3);
  expect(report.differing).toEqual([
    '2 of 4 documents are not as their rows say.',
    `missing: ${lost}`,
    `missing: ${lost}`,
  ]);
  expect(report.held.at(-1)).toContain('1 documents had been deleted while');
});

test('every column that names a file is one whose files are backed up', async () => {
  const { rows } = await platform.db.execute<{ name: string }>(
    sql`select table_name::text as name from information_schema.columns
      where table_schema = 'public' and column_name like '%file_id%' order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([
    'application_document',
    'case_message_file',
    'desk_draft',
    'desk_upload',
    'insurance_photo',
  ]);
});
