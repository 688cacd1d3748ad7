import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  applicationById,
  currentDocument,
  applicationEvents,
  type Application,
} from '~/features/application/store.server.ts';
import { validClaims } from '~/features/application/claim-store.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { upload } from './uploads.server.ts';
import { askCorrection } from './ask-correction.server.ts';
import { answerCorrection } from './testing/answer-correction.server.ts';
import { decideApplication } from './decide.server.ts';
import type { Decision } from './decision-types.ts';
import { openDraft } from './draft.server.ts';
import { DEFAULT_UNDO_SECONDS } from '~/features/staff/staff.ts';
import { deskDecision } from './tables.server.ts';
import { uploadById } from './store.server.ts';
import { atOnce } from './testing/at-once.server.ts';
import { goodPdf, storeStaff } from './testing/case-store.server.ts';
import { undoDecision } from './undo.server.ts';
import { needed } from '../../../../test/needed.ts';
import { applicationCorrections, makeApplication } from '../../../../test/make.ts';

const database = await useDatabase({ poolSize: 12 });
const platform = await makeTestPlatform({ database });
const { db, clock } = platform;
const staff = await storeStaff(platform, { role: 'manager' });
const colleague = await storeStaff(platform, { name: 'B. Demir', role: 'manager' });
/** A worker on another machine, whose clock is past the seconds. */
const worker = await makeTestPlatform({
  database,
  now: new Date(platform.now().getTime() + DEFAULT_UNDO_SECONDS * 1000),
});
const jobs = emailJobs(worker);

/** A paid visa application with an address of its own. */
async function newCase(): Promise<Application> {
  const email = `${randomUUID()}@example.org`;
  const { order: _, ...application } = await makeApplication(platform, { email });
  return application;
}
const sentTo = (found: Application) => worker.sent.filter(({ to }) => to === found.email).length;

const WORDS = 'The passport cannot be read.';

async function decideUndoably(found: Application, decision: Decision): Promise<string> {
  const asked = { ...decision, applicationId: found.id };
  const decided = await decideApplication(platform, staff, asked, { undoable: true });
  if (!decided.ok) throw new Error(decided.error.code);
  const made = await db
    .select()
    .from(deskDecision)
    .where(eq(deskDecision.applicationId, found.id))
    .orderBy(deskDecision.at);
  return needed(made.findLast(({ undoneAt }) => undoneAt === null)).id;
}

const emailsAbout = (id: string) => db.select().from(email).where(eq(email.subject, id));

async function uploaded(found: Application, by = staff): Promise<string> {
  const stored = await upload(platform, by, goodPdf(found.number), { draftFor: found.id });
  if (!stored.ok) throw new Error(stored.error);
  return stored.value.id;
}

/** Runs every waiting job now, as if the seconds were over in the database. */
async function runJobs() {
  await platform.pool.query(
    "update graphile_worker._private_jobs set run_at = now() - interval '1 s'",
  );
  await worker.runJobs(jobs);
}

describe('within the seconds', () => {
  test.each([
    ['start_processing', { reference: 'TR-2026/77' }],
    ['approve', {}],
    ['reject', { code: 'details_differ', reason: WORDS }],
  ] as const)('%s is undone whole, and no e-mail leaves', async (kind, more) => {
    const found = await newCase();
    const history = await applicationEvents(db, found.id);
    const id = await decideUndoably(found, { kind, ...more });
    clock.advance(DEFAULT_UNDO_SECONDS * 1000 - 1);
    const undone = await undoDecision(platform, staff, id);
    expect(undone).toMatchObject({ ok: true });
    expect(await applicationById(db, found.id)).toEqual(found);
    expect(await applicationEvents(db, found.id)).toEqual(history);
    expect(await emailsAbout(found.id)).toEqual([]);
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: found.id });
    expect(trail.at(-1)).toMatchObject({ action: 'decision_undone', staffId: staff.id });
    expect((await validClaims(db, [found.id], platform.now())).get(found.id)?.staffId).toBe(
      staff.id,
    );
    worker.clock.advance(DEFAULT_UNDO_SECONDS * 1000);
    await runJobs();
    expect(sentTo(found)).toBe(0);
    // It can be decided again, with an e-mail.
    await decideUndoably(found, { kind: 'approve' });
    clock.advance(DEFAULT_UNDO_SECONDS * 1000);
    worker.clock.set(platform.now());
    await runJobs();
    expect(sentTo(found)).toBe(1);
  });

  test('somebody’s own time counts for undoing, and for what the decision causes', async () => {
    const undoSeconds = 600;
    const slow = { ...staff, undoSeconds };
    const decideSlowly = async (kind: 'approve' | 'reject', found: Application) => {
      const decision: Decision =
        kind === 'approve' ? { kind } : { kind, code: 'details_differ', reason: WORDS };
      const asked = { ...decision, applicationId: found.id };
      const decided = await decideApplication(platform, slow, asked, { undoable: true });
      expect(decided).toMatchObject({ ok: true });
      const [made] = await db
        .select()
        .from(deskDecision)
        .where(eq(deskDecision.applicationId, found.id));
      return needed(made).id;
    };
    const undone = await newCase();
    const id = await decideSlowly('reject', undone);
    const sent = await newCase();
    await decideSlowly('approve', sent);
    // A job that comes too early waits for the rest of the time.
    worker.clock.set(new Date(platform.now().getTime() + undoSeconds * 500));
    await runJobs();
    expect(sentTo(sent)).toBe(0);
    clock.advance(undoSeconds * 1000 - 1);
    expect(await undoDecision(platform, slow, id)).toMatchObject({ ok: true });
    expect(await applicationById(db, undone.id)).toEqual(undone);
    clock.advance(1);
    worker.clock.set(platform.now());
    await runJobs();
    expect(sentTo(sent)).toBe(1);
    expect(sentTo(undone)).toBe(0);
  });

  test('the reason and the words of a rejection are a draft again', async () => {
    const found = await newCase();
    const id = await decideUndoably(found, { kind: 'reject', code: 'duplicate', reason: WORDS });
    const undone = await undoDecision(platform, staff, id);
    const draftId = needed(undone.ok ? undone.value.draftId : null);
    expect(await openDraft(platform, staff, { application: found, id: draftId })).toMatchObject({
      kind: 'reject',
      seen: 'pending',
      rejectionCode: 'duplicate',
      words: WORDS,
    });
  });

  test('the PDF of an approval is its author’s upload again, with what was read in it', async () => {
    const found = await newCase();
    const fileId = await uploaded(found);
    const before = await uploadById(db, fileId);
    const id = await decideUndoably(found, { kind: 'approve', fileId });
    expect(await currentDocument(db, found.id)).toMatchObject({ fileId });
    const undone = await undoDecision(platform, staff, id);
    expect(undone).toMatchObject({ ok: true, value: { draftId: expect.any(String) } });
    expect(await currentDocument(db, found.id)).toBeNull();
    expect(await uploadById(db, fileId)).toEqual(before);
    expect(
      (
        await decideApplication(platform, staff, {
          kind: 'approve',
          fileId,
          applicationId: found.id,
        })
      ).ok,
    ).toBe(true);
  });

  test('a document that replaced another gives way to it', async () => {
    const found = await newCase();
    const first = await uploaded(found);
    await decideApplication(platform, staff, {
      kind: 'approve',
      fileId: first,
      applicationId: found.id,
    });
    const standing = await currentDocument(db, found.id);
    clock.advance(1000);
    const id = await decideUndoably(found, { kind: 'attach', fileId: await uploaded(found) });
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect(await currentDocument(db, found.id)).toEqual(standing);
    expect((await applicationById(db, found.id))?.status).toBe('approved');
  });

  test('a correction that the decision had closed waits for its traveller again', async () => {
    const found = await newCase();
    const asked = { applicationId: found.id, fields: ['phone'], note: 'It does not answer.' };
    await askCorrection(platform, staff, asked);
    const paused = await applicationById(db, found.id);
    clock.advance(3600_000);
    const id = await decideUndoably(found, { kind: 'approve' });
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect(await applicationById(db, found.id)).toEqual(paused);
    const [correction] = await applicationCorrections(db, found.id);
    expect(correction).toMatchObject({ closedAt: null });
  });

  test('answers of a correction that handing in had checked are unchecked again', async () => {
    const found = await newCase();
    const asked = { applicationId: found.id, fields: ['address'], note: 'The house is missing.' };
    await askCorrection(platform, staff, asked);
    await answerCorrection(platform, found.id, { address: '14 Marine Parade, Durban' });
    const checkedAt = async () => needed((await applicationCorrections(db, found.id))[0]).checkedAt;
    const id = await decideUndoably(found, { kind: 'start_processing' });
    expect(await checkedAt()).not.toBeNull();
    expect((await undoDecision(platform, staff, id)).ok).toBe(true);
    expect(await checkedAt()).toBeNull();
  });
});

describe('it is refused', () => {
  test('when the seconds are over', async () => {
    const found = await newCase();
    const id = await decideUndoably(found, { kind: 'approve' });
    clock.advance(DEFAULT_UNDO_SECONDS * 1000);
    expect(await undoDecision(platform, staff, id)).toEqual({
      ok: false,
      error: { code: 'undo_late' },
    });
    expect((await applicationById(db, found.id))?.status).toBe('approved');
  });

  test('for somebody else’s decision', async () => {
    const found = await newCase();
    const id = await decideUndoably(found, { kind: 'approve' });
    expect(await undoDecision(platform, colleague, id)).toMatchObject({
      error: { code: 'undo_unknown' },
    });
    expect(await undoDecision(platform, staff, 'nothing')).toMatchObject({
      error: { code: 'undo_unknown' },
    });
  });

  test('where somebody else has gone on with it', async () => {
    const found = await newCase();
    const id = await decideUndoably(found, { kind: 'start_processing' });
    const approved = { kind: 'approve', applicationId: found.id } as const;
    clock.advance(1000);
    expect((await decideApplication(platform, staff, approved)).ok).toBe(true);
    expect(await undoDecision(platform, staff, id)).toMatchObject({
      error: { code: 'undo_changed' },
    });
    expect((await applicationById(db, found.id))?.status).toBe('approved');
  });

  test('where another document was attached', async () => {
    const found = await newCase();
    const id = await decideUndoably(found, { kind: 'approve' });
    clock.advance(1000);
    const fileId = await uploaded(found, colleague);
    const attached = { kind: 'attach', fileId, applicationId: found.id } as const;
    expect((await decideApplication(platform, colleague, attached)).ok).toBe(true);
    expect(await undoDecision(platform, staff, id)).toMatchObject({
      error: { code: 'undo_changed' },
    });
  });
});

test('a decision by a call is final at once, and its e-mail leaves at once', async () => {
  const found = await newCase();
  await decideApplication(platform, staff, { kind: 'approve', applicationId: found.id });
  expect(await db.$count(deskDecision, eq(deskDecision.applicationId, found.id))).toBe(0);
  expect(await emailsAbout(found.id)).toMatchObject([{ dueAt: null }]);
});

test('an e-mail that is not due waits, though the database lets its job run', async () => {
  const found = await newCase();
  await decideUndoably(found, { kind: 'approve' });
  worker.clock.set(platform.now());
  await runJobs();
  expect(sentTo(found)).toBe(0);
  expect(await emailsAbout(found.id)).toMatchObject([{ sentAt: null, tries: 0 }]);
  worker.clock.advance(DEFAULT_UNDO_SECONDS * 1000);
  await runJobs();
  expect(sentTo(found)).toBe(1);
});

describe('at the same moment, each on a connection of its own,', () => {
  test('undo and the worker that sends: either it is undone and nothing leaves, or it is refused', async () => {
    for (let round = 0; round < 6; round += 1) {
      const found = await newCase();
      const id = await decideUndoably(found, { kind: 'reject', code: 'duplicate' });
      worker.clock.set(new Date(platform.now().getTime() + DEFAULT_UNDO_SECONDS * 1000));
      await platform.pool.query(
        "update graphile_worker._private_jobs set run_at = now() - interval '1 s'",
      );
      const runs = [
        async () => undoDecision(platform, staff, id),
        async () => (await worker.runJobs(jobs), null),
      ];
      const outcomes = await atOnce(platform, 'email', round % 2 ? runs : runs.toReversed());
      const undone = outcomes.find((one) => one !== null);
      const status = (await applicationById(db, found.id))?.status;
      await runJobs();
      expect([undone?.ok, status, sentTo(found)]).toEqual(
        undone?.ok ? [true, 'pending', 0] : [false, 'rejected', 1],
      );
      if (undone && !undone.ok) expect(undone.error.code).toBe('undo_late');
    }
  });

  test('two presses undo once', async () => {
    const found = await newCase();
    const id = await decideUndoably(found, { kind: 'approve' });
    const outcomes = await atOnce(platform, 'application', [
      () => undoDecision(platform, staff, id),
      () => undoDecision(platform, staff, id),
    ]);
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: found.id });
    expect(trail.filter(({ action }) => action === 'decision_undone')).toHaveLength(1);
  });

  test('undo and a colleague who goes on: the decision of one of them stands whole', async () => {
    for (let round = 0; round < 4; round += 1) {
      const found = await newCase();
      const id = await decideUndoably(found, { kind: 'start_processing' });
      clock.advance(1000);
      const runs = [
        () => undoDecision(platform, staff, id),
        () => decideApplication(platform, staff, { kind: 'approve', applicationId: found.id }),
      ];
      const outcomes = await atOnce<{ ok: boolean }>(
        platform,
        'application',
        round % 2 ? runs : runs.toReversed(),
      );
      const status = (await applicationById(db, found.id))?.status;
      // Undone first, it may still be approved.
      expect(status).toBe(outcomes.every(({ ok }) => ok) ? 'approved' : status);
      expect(['approved', 'pending']).toContain(status);
    }
  });
});
