import { describe, expect, test } from 'vitest';
import {
  applicationById,
  currentDocument,
  applicationEvents,
} from '~/features/application/store.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { decideApplication, setReference } from './decide.server.ts';
import { MAX_REFERENCE_LENGTH } from './decision-types.ts';
import { goodPdf, storeStaff } from './testing/case-store.server.ts';
import { upload } from './uploads.server.ts';
import { makeInsurance, makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const demir = await storeStaff(platform, { name: 'K. Demir' });
const manager = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });

async function uploaded(): Promise<string> {
  const outcome = await upload(platform, aydin, goodPdf());
  if (!outcome.ok) throw new Error(outcome.error);
  return outcome.value.id;
}

async function jobsNamed(name: string, applicationId: string): Promise<number> {
  const { rows } = await platform.pool.query<{ n: string }>(
    `select count(*) n from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = $1 and j.payload->>'applicationId' = $2`,
    [name, applicationId],
  );
  return Number(rows[0]?.n);
}

async function decidedJobs(applicationId: string): Promise<number> {
  const { rows } = await platform.pool.query<{ n: string }>(
    `select count(*) n from graphile_worker._private_jobs j
       join email e on e.id::text = j.payload->>'emailId'
      where e.kind in ('approved', 'rejected') and e.subject = $1`,
    [applicationId],
  );
  return Number(rows[0]?.n);
}

const certificateJobs = (id: string) => jobsNamed('insurance.certificate', id);

async function paidMinor(): Promise<string> {
  const placed = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
  return placed.id;
}

const cancelledAt = async (id: string) =>
  (await readInsuranceDetails(platform.db, platform.sealer, id))?.cancelledAt;

const auditActions = async (id: string) =>
  (await auditEntriesBySubject(platform.db, { kind: 'application', id })).map(
    ({ action }) => action,
  );

describe('approve', () => {
  test('stores status, document, trace and the job together', async () => {
    const { id } = await makeApplication(platform);
    const fileId = await uploaded();
    const outcome = await decideApplication(platform, aydin, {
      kind: 'approve',
      applicationId: id,
      fileId,
    });
    expect(outcome).toMatchObject({ ok: true, value: { status: 'approved' } });
    expect(await currentDocument(platform.db, id)).toMatchObject({ fileId, staffId: aydin.id });
    expect((await applicationEvents(platform.db, id)).map(({ kind }) => kind)).toEqual([
      'submitted',
      'paid',
      'approved',
      'document_attached',
    ]);
    expect(await auditActions(id)).toEqual(['approved']);
    expect(await decidedJobs(id)).toBe(1);
  });

  test('refuses a document that serves another application, and changes nothing', async () => {
    const first = await makeApplication(platform);
    const second = await makeApplication(platform);
    const fileId = await uploaded();
    await decideApplication(platform, aydin, { kind: 'approve', applicationId: first.id, fileId });
    expect(
      await decideApplication(platform, aydin, {
        kind: 'approve',
        applicationId: second.id,
        fileId,
      }),
    ).toEqual({
      ok: false,
      error: { code: 'unknown_document' },
    });
    expect(await applicationById(platform.db, second.id)).toMatchObject({ status: 'pending' });
    expect(await decidedJobs(second.id)).toBe(0);
    expect(await auditActions(second.id)).toEqual([]);
  });
});

describe('reject', () => {
  test('keeps the reason and may reject what is not paid', async () => {
    const { id } = await makeApplication(platform, { paid: false });
    const outcome = await decideApplication(platform, aydin, {
      kind: 'reject',
      applicationId: id,
      reason: ' Photo missing ',
    });
    expect(outcome).toMatchObject({
      ok: true,
      value: { status: 'rejected', rejectionReason: 'Photo missing' },
    });
    expect(await decidedJobs(id)).toBe(1);
  });

  test('keeps a reason from the list, which needs no words, and audits it', async () => {
    const { id } = await makeApplication(platform);
    expect(
      await decideApplication(platform, aydin, {
        kind: 'reject',
        applicationId: id,
        code: 'authorities_refused',
      }),
    ).toMatchObject({
      ok: true,
      value: { rejectionCode: 'authorities_refused', rejectionReason: null },
    });
    const trail = await auditEntriesBySubject(platform.db, { kind: 'application', id });
    expect(trail).toMatchObject([
      { action: 'rejected', detail: { reason: 'authorities_refused' } },
    ]);
  });

  test('knows which reasons are for which kind', async () => {
    const { id } = await makeApplication(platform);
    expect(
      await decideApplication(platform, aydin, {
        kind: 'reject',
        applicationId: id,
        code: 'parent_id_unreadable',
      }),
    ).toEqual({ ok: false, error: { code: 'reason_unknown' } });
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
  });

  test('the database keeps no rejection without a reason', async () => {
    const { id } = await makeApplication(platform);
    const set = (code: string, words: string) =>
      platform.pool.query(
        `update application set status = 'rejected', decided_at = now(),
           rejection_code = ${code}, rejection_reason = ${words} where id = $1`,
        [id],
      );
    await expect(set('null', "'No'")).rejects.toThrow('application_rejected');
    await expect(set("'other'", 'null')).rejects.toThrow('application_reason');
    await set("'other'", "'No'");
  });

  test('needs a reason, which blanks are none', async () => {
    const { id } = await makeApplication(platform);
    expect(
      await decideApplication(platform, aydin, {
        kind: 'reject',
        applicationId: id,
        reason: ' \n',
      }),
    ).toEqual({
      ok: false,
      error: { code: 'reason_required' },
    });
  });
});

describe('an insurance', () => {
  test('approved without a PDF gets its certificate made, which tells the traveller', async () => {
    const id = await paidMinor();
    const outcome = await decideApplication(platform, aydin, {
      kind: 'approve',
      applicationId: id,
    });
    expect(outcome).toMatchObject({ ok: true, value: { status: 'approved' } });
    expect([await certificateJobs(id), await decidedJobs(id)]).toEqual([1, 0]);
    expect(await cancelledAt(id)).toBeNull();
  });

  test('approved with a PDF is delivered as it is', async () => {
    const id = await paidMinor();
    const fileId = await uploaded();
    await decideApplication(platform, aydin, { kind: 'approve', applicationId: id, fileId });
    expect(await currentDocument(platform.db, id)).toMatchObject({ fileId });
    expect([await certificateJobs(id), await decidedJobs(id)]).toEqual([0, 1]);
  });

  test('rejected is cancelled in the same breath', async () => {
    const id = await paidMinor();
    await decideApplication(platform, demir, {
      kind: 'reject',
      applicationId: id,
      reason: 'The ID is not readable',
    });
    expect(await cancelledAt(id)).toEqual(platform.now());
    expect([await certificateJobs(id), await decidedJobs(id)]).toEqual([0, 1]);
  });

  test('is not cancelled by a rejection that came too late', async () => {
    const id = await paidMinor();
    await decideApplication(platform, aydin, { kind: 'approve', applicationId: id });
    expect(
      await decideApplication(platform, demir, {
        kind: 'reject',
        applicationId: id,
        reason: 'The ID is not readable',
      }),
    ).toMatchObject({ error: { code: 'stale' } });
    expect(await cancelledAt(id)).toBeNull();
  });
});

describe('start processing', () => {
  test('sends no e-mail and leaves both decisions open', async () => {
    const { id } = await makeApplication(platform);
    expect(
      await decideApplication(platform, aydin, { kind: 'start_processing', applicationId: id }),
    ).toMatchObject({
      ok: true,
      value: { status: 'processing' },
    });
    expect(await decidedJobs(id)).toBe(0);
    expect(
      await decideApplication(platform, demir, { kind: 'approve', applicationId: id }),
    ).toMatchObject({
      ok: true,
    });
  });
});

describe('the authority’s reference', () => {
  const referenceOf = async (id: string) => (await applicationById(db, id))?.authorityReference;

  test('comes with handing in or later, and is corrected until it is decided', async () => {
    const { id } = await makeApplication(platform);
    const starting = { kind: 'start_processing', applicationId: id } as const;
    const set = (typed: string) => setReference(platform, aydin, { applicationId: id, typed });
    expect(await set('TR-1')).toMatchObject({ error: { code: 'stale' } });
    expect(await decideApplication(platform, aydin, { ...starting, reference: '<b>' })).toEqual({
      ok: false,
      error: { code: 'reference_unreal' },
    });
    await decideApplication(platform, aydin, { ...starting, reference: '  tr-２０２６ /  77 ' });
    expect(await referenceOf(id)).toBe('tr-2026 / 77');
    for (const [typed, stored] of [
      ['', null],
      ['EV 0042', 'EV 0042'],
    ] as const) {
      expect(await set(typed)).toMatchObject({ ok: true });
      expect(await referenceOf(id)).toBe(stored);
    }
    expect(await set(' EV  0042')).toMatchObject({ ok: true });
    const entries = await auditEntriesBySubject(db, { kind: 'application', id });
    expect(entries.filter(({ action }) => action === 'reference_set')).toHaveLength(2);
    expect(await set('9'.repeat(MAX_REFERENCE_LENGTH + 1))).toMatchObject({
      error: { code: 'reference_unreal' },
    });
    await decideApplication(platform, aydin, { kind: 'approve', applicationId: id });
    expect(await referenceOf(id)).toBe('EV 0042');
    expect(await set('TR-1')).toMatchObject({ error: { code: 'stale' } });
  });
});

describe('two people', () => {
  test('a screen that is out of date does not decide', async () => {
    const { id } = await makeApplication(platform);
    await decideApplication(platform, demir, { kind: 'start_processing', applicationId: id });
    expect(
      await decideApplication(platform, aydin, {
        kind: 'approve',
        applicationId: id,
        seen: 'pending',
      }),
    ).toMatchObject({
      error: { code: 'stale', status: 'processing', first: { name: 'K. Demir' } },
    });
  });

  test('attaching at once leaves one current document', async () => {
    const { id } = await makeApplication(platform);
    await decideApplication(platform, aydin, { kind: 'approve', applicationId: id });
    const files = await Promise.all([uploaded(), uploaded()]);
    const outcomes = await Promise.all(
      files.map((fileId) =>
        decideApplication(platform, manager, { kind: 'attach', applicationId: id, fileId }),
      ),
    );
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    const { rows } = await platform.pool.query(
      'select id from application_document where application_id = $1 and replaced_at is null',
      [id],
    );
    expect(rows).toHaveLength(1);
  });
});
