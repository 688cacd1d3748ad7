import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { firstOffice } from '~/base/dates/office.ts';
import {
  changeStatus,
  currentDocument,
  applicationEvents,
  type Application,
  applicationById,
} from '~/features/application/store.server.ts';
import { SEND_JOB, emailById } from '~/features/email/ledger/store.server.ts';
import { hashToken } from '~/platform/crypto/crypto.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import {
  cancelInsurance,
  issueCertificate,
  orderCertificate,
  startInsuranceClocks,
  insuranceJobs,
} from './certificate-job.server.ts';
import { certificateWithCode, lockInsurance, makeVerifyCode } from '../store/store.server.ts';
import { makePayment, makeInsurance } from '../../../../test/make.ts';
import { untilBlocked } from '../../../../test/database.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform();
const { db, sealer, files } = platform;
let decided: unknown[] = [];
let told: unknown[] = [];

async function runJobs() {
  await platform.runJobs({
    ...insuranceJobs(platform),
    [SEND_JOB]: async (payload) => {
      const { emailId } = z.object({ emailId: z.string() }).parse(payload);
      const email = await emailById(db, sealer, emailId);
      if (email?.kind === 'received') told.push(email);
      else if (email?.kind !== 'unpaid') decided.push(email);
    },
  });
}

const kindsOf = async ({ id }: Application) =>
  (await applicationEvents(db, id)).map(({ kind }) => kind);
const storedFiles = () =>
  readdirSync(join(platform.config.dataDir, 'files'), {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile()).length;

async function paidMinor() {
  const placed = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
  return placed;
}

async function approveByStaff({ id }: Application) {
  await db.transaction(async (tx) => {
    const at = platform.now();
    await changeStatus(tx, { id, from: 'pending', to: 'approved', at, staffId: null });
    await orderCertificate(tx, id);
  });
}

describe('an adult’s insurance', () => {
  it('is approved and certified by a job after the payment, and the traveller is told', async () => {
    [decided, told] = [[], []];
    const placed = await makeInsurance(platform, { paid: true });
    expect(needed(await applicationById(platform.db, placed.id))).toMatchObject({
      status: 'pending',
      promisedAt: null,
      paidAt: platform.now(),
    });
    await runJobs();
    expect(needed(await applicationById(platform.db, placed.id))).toMatchObject({
      status: 'approved',
    });
    expect(await kindsOf(placed)).toEqual(['submitted', 'paid', 'approved', 'document_attached']);
    // With the receipt, whose email had to wait.
    expect(decided).toEqual([]);
    expect(told).toMatchObject([{ about: placed.number }, { about: placed.number }]);
    const document = await currentDocument(db, placed.id);
    const file = await files.read(document?.fileId ?? '');
    expect(file?.mediaType).toBe('application/pdf');
    expect(file?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(document?.size).toBe(file?.bytes.length);
  });

  it('is certified once, however often the job runs', async () => {
    const placed = await makeInsurance(platform, { paid: true });
    await runJobs();
    const [document, count] = [await currentDocument(db, placed.id), storedFiles()];
    const paid = { paidAt: platform.now(), office: firstOffice };
    await db.transaction((tx) => startInsuranceClocks(tx, [placed.number], paid));
    await runJobs();
    await issueCertificate(platform, { applicationId: placed.id });
    expect(await currentDocument(db, placed.id)).toEqual(document);
    expect(storedFiles()).toBe(count);
    expect(await kindsOf(placed)).toHaveLength(4);
  });

  it('is certified once by two jobs at the same moment', async () => {
    const placed = await paidMinor();
    await approveByStaff(placed);
    const count = storedFiles();
    const job = { applicationId: placed.id };
    const mayGoOn = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const holding = db.transaction(async (tx) => {
      await lockInsurance(tx, placed.id);
      isLocked.resolve();
      await mayGoOn.promise;
    });
    await isLocked.promise;
    const jobs = [issueCertificate(platform, job), issueCertificate(platform, job)];
    await untilBlocked(db).finally(() => mayGoOn.resolve());
    await Promise.all([holding, ...jobs]);
    expect(storedFiles()).toBe(count + 1);
    expect((await kindsOf(placed)).filter((kind) => kind === 'document_attached')).toHaveLength(1);
    await runJobs();
  });

  it('is not certified while it is unpaid, or once it is rejected', async () => {
    const unpaid = await makeInsurance(platform);
    await issueCertificate(platform, { applicationId: unpaid.id });
    expect(needed(await applicationById(platform.db, unpaid.id))).toMatchObject({
      status: 'pending',
    });
    const at = platform.now();
    await db.transaction(async (tx) => {
      const change = { id: unpaid.id, from: 'pending', to: 'rejected', at } as const;
      await changeStatus(tx, {
        ...change,
        rejection: { code: 'other', words: 'No' },
        staffId: null,
      });
    });
    await makePayment(platform, unpaid);
    await runJobs();
    expect(await currentDocument(db, unpaid.id)).toBeNull();
  });
});

describe('the insurance of a traveller under 18', () => {
  it('waits for a person', async () => {
    const placed = await paidMinor();
    await runJobs();
    expect(needed(await applicationById(platform.db, placed.id))).toMatchObject({
      status: 'pending',
    });
    expect(await currentDocument(db, placed.id)).toBeNull();
  });

  it('is certified once a person has approved it', async () => {
    decided = [];
    const placed = await paidMinor();
    await approveByStaff(placed);
    await runJobs();
    expect(await currentDocument(db, placed.id)).not.toBeNull();
    expect(decided).toMatchObject([{ kind: 'approved', about: placed.id }]);
  });
});

describe('a cancelled insurance', () => {
  it('has its certificate replaced by one that says so, once', async () => {
    const placed = await makeInsurance(platform, { paid: true });
    await runJobs();
    const before = await currentDocument(db, placed.id);
    platform.clock.advance(1000);
    const cancel = () => db.transaction((tx) => cancelInsurance(tx, placed.id, platform.now()));
    expect(await cancel()).toBe(true);
    expect(await cancel()).toBe(false);
    platform.clock.advance(1000);
    await runJobs();
    const after = await currentDocument(db, placed.id);
    expect(after?.id).not.toBe(before?.id);
    await issueCertificate(platform, { applicationId: placed.id });
    expect(await currentDocument(db, placed.id)).toEqual(after);
    const code = makeVerifyCode(sealer, placed.id);
    expect((await certificateWithCode(db, code))?.cancelledAt).not.toBeNull();
  });
});

describe('the code of a certificate', () => {
  it('finds it, is not kept in the clear, and is another one for each', async () => {
    const [one, other] = [await makeInsurance(platform), await makeInsurance(platform)];
    const code = makeVerifyCode(sealer, one.id);
    expect(code).toMatch(/^[\w-]{22}$/);
    expect(makeVerifyCode(sealer, other.id)).not.toBe(code);
    expect(await certificateWithCode(db, code)).toMatchObject({
      firstName: 'Sofía',
      from: '2026-12-12',
      until: '2027-01-10',
    });
    expect(await certificateWithCode(db, hashToken(code).toString('hex'))).toBeNull();
  });
});
