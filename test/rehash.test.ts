import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { hashedColumns, hashesBesideValues } from '../src/app/backup/reencrypt.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { rememberPassport } from '../src/features/application/pause-store.server.ts';
import {
  applicationDocument,
  applicationEarlierPassport,
} from '../src/features/application/tables.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { upload } from '../src/features/desk/application/uploads.server.ts';
import { decide } from '../src/features/desk/application/decide.server.ts';
import { storeStaff, textPdf } from '../src/features/desk/application/testing/case-store.server.ts';
import {
  certificateWithCode,
  storedVerifyCode,
  verifyCodeOf,
} from '../src/features/insurance/store/store.server.ts';
import { sealDays, verifyTrail } from '../src/features/staff/audit/audit-seal.server.ts';
import { firstDayOfAuditTrail } from '../src/features/staff/accounts/jobs.server.ts';
import { visaApplication } from '../src/features/visa/store/tables.server.ts';
import { makeSealer } from '../src/platform/crypto/crypto.server.ts';
import { rehashAll } from '../src/platform/reencrypt/reencrypt.server.ts';
import { makeTestPlatform } from './platform.ts';
import { makeApplication, makeInsurance } from './make.ts';

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
  await decide(platform, staff, {
    kind: 'approve',
    applicationId: visa.id,
    fileId: uploaded.value.id,
  });
  const before = platform.sealer.keyedHash('an earlier one', OF_VISA);
  await db.transaction((tx) =>
    rememberPassport(tx, { applicationId: visa.id, before, after: Buffer.of() }),
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

const run = ({ platform, next }: Pick<Awaited<ReturnType<typeof service>>, 'platform' | 'next'>) =>
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
    const code = verifyCodeOf(sealer, insurance.id);
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
