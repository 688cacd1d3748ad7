import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import { schedule } from '~/app/jobs.server.ts';
import { retention } from '~/base/retention-periods.ts';
import { insertHold, liftHold } from '~/features/application/holds.server.ts';
import { linkEmail } from '~/features/application/change-email.server.ts';
import { applicationById, currentDocument } from '~/features/application/store.server.ts';
import { latestDeletions, countByGroup } from './deletions.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { emailById, insertEmail } from '~/features/email/ledger/store.server.ts';
import {
  listDue,
  dryRunRetention,
  recordedRetentionJobs,
  enforceRetention,
} from './retention-jobs.server.ts';
import { insertCorrection } from '~/features/application/correction/correction-store.server.ts';
import { notesByApplication, addNote } from '../application/notes.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { fileJobs } from '~/platform/files/files.server.ts';
import {
  applicationCorrections,
  approve,
  makeApplication,
  makeInsurance,
} from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

let platform: TestPlatform;
let db: TestPlatform['db'];
let clock: TestPlatform['clock'];
let sealer: TestPlatform['sealer'];
// Retention looks at everything that is stored, so each test has a database of its own.
beforeEach(async () => {
  platform = await makeTestPlatform({ now: new Date('2020-01-10T10:00:00Z') });
  ({ db, clock, sealer } = platform);
});
const run = { id: '1', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
const job = (name: string) => needed(recordedRetentionJobs(platform)[name]);

async function placeOld() {
  const application = await makeApplication(platform, { paid: false });
  await approve(platform, application, Buffer.from('%PDF-1.7'));
  const at = platform.now();
  const { id: emailId } = await insertEmail(db, {
    kind: 'approved',
    about: application.id,
    createdAt: at,
  });
  await linkEmail(db, emailId, [application.id]);
  return { application, emailId };
}

test('are the jobs of the table of periods, no other', () => {
  const inTable = new Set(Object.values(retention).flatMap(({ job: name }) => name ?? []));
  expect(Object.keys(recordedRetentionJobs(platform)).toSorted()).toEqual([...inTable].toSorted());
  for (const name of inTable) expect(schedule.map((one) => one.name)).toContain(name);
});

describe('a dry run', () => {
  test('says what the job then deletes, and deletes nothing', async () => {
    const { application } = await placeOld();
    clock.set(new Date('2026-01-11T10:00:00Z'));
    const predicted = (await dryRunRetention(platform, platform.now())).find(
      (one) => one.job === 'retention.enforce',
    );
    expect(predicted?.counts).toMatchObject({
      deleted: {
        application: 1,
        visa_application: 1,
        application_document: 1,
        application_email: 1,
      },
      files: 1,
    });
    expect(await listDue(platform)).toEqual([
      { number: application.number, lastEvent: '2020-01-10', isHeld: false },
    ]);
    expect(await applicationById(db, application.id)).not.toBeNull();
    expect(await latestDeletions(db, 9)).toEqual([]);

    await job('retention.enforce')({}, run);
    expect(await applicationById(db, application.id)).toBeNull();
    const [record] = await latestDeletions(db, 9);
    expect(record).toMatchObject({ cause: 'retention.enforce', ...needed(predicted).counts });
    expect(await dryRunRetention(platform, platform.now())).not.toContainEqual(
      expect.objectContaining({ job: 'retention.enforce' }),
    );
  });

  test('of a later day says what will be due by then', async () => {
    await placeOld();
    clock.set(new Date('2024-12-31T10:00:00Z'));
    const due = async (day: string) =>
      (await dryRunRetention(platform, new Date(day))).find(
        (one) => one.job === 'retention.enforce',
      )?.counts.deleted.application ?? 0;
    expect([await due('2024-12-31'), await due('2025-01-30')]).toEqual([0, 1]);
  });
});

describe('a legal hold', () => {
  const hold = async (applicationId: string | null, orderNumber: string) => {
    const id = randomUUID();
    const { id: staffId } = await storeStaff(platform);
    await db.transaction((tx) =>
      insertHold(tx, sealer, {
        id,
        orderNumber,
        applicationId,
        why: 'Claim of Elena before the court of Ankara',
        placedBy: staffId,
        placedAt: new Date('2021-01-01'),
        until: new Date('2027-01-01'),
      }),
    );
    return { id, staffId };
  };

  test.each(['application', 'order'] as const)('on an %s keeps and its emails', async (on) => {
    const { application, emailId } = await placeOld();
    const { id, staffId } = await hold(
      on === 'application' ? application.id : null,
      application.orderNumber,
    );
    clock.set(new Date('2026-01-11T10:00:00Z'));
    expect(await listDue(platform)).toMatchObject([{ number: application.number, isHeld: true }]);
    await job('email.delete_expired')({}, run);
    await job('retention.enforce')({}, run);
    expect(await applicationById(db, application.id)).not.toBeNull();
    expect(await emailById(db, sealer, emailId)).not.toBeNull();

    await db.transaction((tx) => liftHold(tx, id, { by: staffId, at: platform.now() }));
    await job('email.delete_expired')({}, run);
    await job('retention.enforce')({}, run);
    expect(await applicationById(db, application.id)).toBeNull();
    expect(await emailById(db, sealer, emailId)).toBeNull();
  });

  test.each(['application', 'order'] as const)('on an %s ends by itself', async (on) => {
    const { application } = await placeOld();
    await hold(on === 'application' ? application.id : null, application.orderNumber);
    clock.set(new Date('2027-01-02T10:00:00Z'));
    await job('retention.enforce')({}, run);
    expect(await applicationById(db, application.id)).toBeNull();
    // With its reason, which is personal.
    expect((await db.execute(sql`select 1 from legal_hold`)).rows).toEqual([]);
  });
});

test('deletes a visa application five years after its last event, with answers and files, and keeps its order', async () => {
  const application = await makeApplication(platform, { paid: false });
  const { order } = application;
  clock.set(new Date('2020-03-01T10:00:00Z'));
  await approve(platform, application, Buffer.from('%PDF-1.7'));
  const file = (await currentDocument(db, application.id))?.fileId ?? '';

  const author = await storeStaff(platform);
  const note = { id: randomUUID(), applicationId: application.id, typed: 'Called the hotel' };
  await addNote(platform, author, note);
  const asked = { id: randomUUID(), applicationId: application.id, fields: ['phone'] };
  const askedAt = platform.now();
  const deadline = { askedAt, answerBy: askedAt, keepsStart: true };
  const correction = { ...asked, ...deadline, note: 'Call me', staffId: author.id };
  await db.transaction((tx) => insertCorrection(tx, correction));

  clock.set(new Date('2025-02-28T10:00:00Z'));
  await enforceRetention(platform);
  expect(await applicationById(db, application.id)).not.toBeNull();
  expect(await platform.files.read(file)).toBeDefined();
  expect(await notesByApplication(db, platform.sealer, application.id)).toHaveLength(1);
  expect(await applicationCorrections(db, application.id)).toHaveLength(1);

  clock.set(new Date('2025-03-02T10:00:00Z'));
  await enforceRetention(platform);
  expect(await applicationById(db, application.id)).toBeNull();
  expect(await readVisaDetails(db, platform.sealer, application.id)).toBeNull();
  await platform.runJobs(fileJobs(platform));
  expect(await platform.files.read(file)).toBeUndefined();
  expect(await notesByApplication(db, platform.sealer, application.id)).toEqual([]);
  expect(await applicationCorrections(db, application.id)).toEqual([]);
  expect(await orderByNumber(db, order.number)).not.toBeNull();
});

test('keeps an insurance ten years', async () => {
  const { id } = await makeInsurance(platform);
  clock.set(new Date('2030-01-09T10:00:00Z'));
  await enforceRetention(platform);
  expect(await readInsuranceDetails(db, platform.sealer, id)).not.toBeNull();

  clock.set(new Date('2030-01-11T10:00:00Z'));
  await enforceRetention(platform);
  expect(await applicationById(db, id)).toBeNull();
  expect(await readInsuranceDetails(db, platform.sealer, id)).toBeNull();
});

test('an application is counted once, however many rows it has', () => {
  const counts = {
    application: 2,
    visa_application: 2,
    application_event: 9,
    application_email: 3,
  };
  expect(countByGroup(counts)).toEqual([
    { group: 'applications', count: 2 },
    { group: 'emails', count: 3 },
  ]);
});

test('photos are counted with documents, and unknown tables as technical', () => {
  expect(countByGroup({ insurance_photo: 2, application_document: 1, something: 1 })).toEqual([
    { group: 'documents', count: 3 },
    { group: 'technical', count: 1 },
  ]);
});
