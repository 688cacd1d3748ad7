import { setTimeout as wait } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import pg from 'pg';
import { email } from '~/features/email/ledger/tables.server.ts';
import { needed } from '../../../../test/needed.ts';
import { describe, expect, test } from 'vitest';
import { applicationById, applicationEvents } from '~/features/application/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { askCorrection } from './ask-correction.server.ts';
import { claimAfterAction, claimApplication, CLAIM_MS } from './claim.server.ts';
import { nextNumber } from './testing/next-number.server.ts';
import { validClaims } from '~/features/application/claim-store.server.ts';
import { decideApplication } from './decide.server.ts';
import { atOnce } from './testing/at-once.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { makeApplication, uploadPdf } from '../../../../test/make.ts';

const platform = await makeTestPlatform({ database: await useDatabase({ poolSize: 12 }) });
const { db, clock } = platform;
const staff = await Promise.all(
  Array.from({ length: 10 }, (_, index) => storeStaff(platform, { name: `S. ${index}` })),
);
const [aydin, kaya, demir] = staff;
if (!aydin || !kaya || !demir) throw new Error('No staff');
const HOUR = 3600_000;

describe('at the same moment, each on a connection of its own,', () => {
  test('ten who press next get ten different applications, the most urgent ones', async () => {
    const now = platform.now().getTime();
    const cases = [];
    for (let hour = 0; hour < 12; hour += 1) {
      const promisedAt = new Date(now + hour * HOUR);
      cases.push(await makeApplication(platform, { kind: 'insurance', promisedAt }));
    }
    const taken = await atOnce(
      platform,
      'application',
      staff.map((one) => () => nextNumber(platform, one, 'tab=insurance&service=standard')),
    );
    expect(taken.toSorted()).toEqual(
      cases
        .slice(0, 10)
        .map(({ number }) => number)
        .toSorted(),
    );
  });

  test('ten who take the next one of both kinds get ten, the most urgent ones', async () => {
    const own = await makeTestPlatform({ database: await useDatabase({ poolSize: 12 }) });
    const people = await Promise.all(
      Array.from({ length: 10 }, (_, index) => storeStaff(own, { name: `S. ${index}` })),
    );
    const numbers: string[] = [];
    for (let hour = 1; hour <= 12; hour += 1) {
      const kind = hour % 3 === 0 ? 'insurance' : 'visa';
      const promisedAt = new Date(own.now().getTime() + hour * HOUR);
      numbers.push((await makeApplication(own, { kind, promisedAt })).number);
    }
    const taken = await atOnce(
      own,
      'application',
      people.map((one) => () => nextNumber(own, one)),
    );
    expect(taken.toSorted()).toEqual(numbers.slice(0, 10).toSorted());
  });

  test('of ten who open one application one claims it, and all others see who', async () => {
    const { id } = await makeApplication(platform);
    const holders = await atOnce(
      platform,
      'desk_claim',
      staff.map((one) => () => claimApplication(platform, one, id)),
    );
    const winner = staff[holders.findIndex(({ name }) => name === null)];
    expect(holders.filter(({ name }) => name === null)).toHaveLength(1);
    expect(holders.filter(({ name }) => name === winner?.name)).toHaveLength(9);
  });

  test('a claim that has just ended is taken over by one of two, and its first holder decides no more', async () => {
    const { id } = await makeApplication(platform);
    await claimApplication(platform, aydin, id);
    clock.advance(CLAIM_MS + 1);
    const [first, second] = await atOnce(platform, 'desk_claim', [
      () => claimApplication(platform, kaya, id),
      () => claimApplication(platform, demir, id),
    ]);
    expect([first?.name, second?.name].filter((name) => name === null)).toHaveLength(1);
    expect(
      await decideApplication(platform, aydin, { kind: 'approve', applicationId: id }),
    ).toMatchObject({
      error: { code: 'claimed', name: first?.name === null ? kaya.name : demir.name },
    });
  });

  test('next passes over what somebody else is just taking, and waits for nobody', async () => {
    const promisedAt = new Date(0);
    const first = await makeApplication(platform, { promisedAt });
    const second = await makeApplication(platform, { promisedAt: new Date(1) });
    const somebody = new pg.Client({ connectionString: platform.url });
    await somebody.connect();
    await somebody.query('begin');
    await somebody.query('select from application where id = $1 for update', [first.id]);
    const waited = wait(5000, 'waits', { ref: false });
    const taken = await Promise.race([nextNumber(platform, aydin), waited]);
    await somebody.end();
    expect(taken).toBe(second.number);
    await claimApplication(platform, aydin, first.id);
  });

  test('next does not hand out what somebody opens', async () => {
    const { id, number } = await makeApplication(platform, { promisedAt: new Date(0) });
    const [opened, handedOut] = await atOnce<unknown>(platform, 'desk_claim', [
      () => claimApplication(platform, aydin, id),
      () => nextNumber(platform, kaya),
    ]);
    const holder = (await validClaims(db, [id], platform.now())).get(id);
    expect(opened).toMatchObject({ name: handedOut === number ? kaya.name : null });
    expect(holder?.staffId).toBe(handedOut === number ? kaya.id : aydin.id);
  });

  test('two approvals and a rejection: one wins, the others learn who was first, one e-mail is sent', async () => {
    const { id: applicationId } = await makeApplication(platform);
    const reason = 'The photo cannot be read.';
    const deciders = [aydin, kaya, demir];
    const outcomes = await atOnce(platform, 'application', [
      () => decideApplication(platform, aydin, { kind: 'approve', applicationId }),
      () => decideApplication(platform, kaya, { kind: 'reject', applicationId, reason }),
      () => decideApplication(platform, demir, { kind: 'approve', applicationId }),
    ]);
    const status = needed(await applicationById(db, applicationId)).status;
    const winner = needed(deciders[outcomes.findIndex(({ ok }) => ok)]);
    expect(status).toBe(winner === kaya ? 'rejected' : 'approved');
    const lost = outcomes.filter(({ ok }) => !ok);
    expect(lost).toHaveLength(2);
    for (const outcome of lost)
      expect(outcome).toMatchObject({
        error: { code: 'stale', status, first: { name: winner.name } },
      });
    const decided = (await applicationEvents(db, applicationId)).filter(
      ({ kind }) => kind === status,
    );
    expect(decided).toHaveLength(1);
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: applicationId });
    expect(trail.filter(({ action }) => action === status)).toHaveLength(1);
    expect(await db.$count(email, eq(email.subject, applicationId))).toBe(1);
  });

  test('a correction and a decision: an application is decided or paused, never both', async () => {
    const { id } = await makeApplication(platform);
    const asked = { applicationId: id, fields: ['phone'], note: 'It does not answer.' };
    const outcomes = await atOnce<{ ok: boolean }>(platform, 'application', [
      () => askCorrection(platform, aydin, asked),
      () => decideApplication(platform, kaya, { kind: 'approve', applicationId: id }),
    ]);
    // Asked first, then decided: both succeed, and the decision ends the pause.
    expect(outcomes[1]?.ok).toBe(true);
    expect(await applicationById(db, id)).toMatchObject({
      status: 'approved',
      pausedAt: null,
      actionRequired: false,
    });
  });

  test('next does not hand out what is just being paused', async () => {
    const { id, number } = await makeApplication(platform, { promisedAt: new Date(1) });
    const asked = { applicationId: id, fields: ['phone'], note: 'It does not answer.' };
    const [paused, handedOut] = await atOnce<unknown>(platform, 'application', [
      () => askCorrection(platform, aydin, asked),
      () => nextNumber(platform, kaya),
    ]);
    // Either it was asked about and not handed out, or it was handed out and not asked about.
    if (handedOut === number) expect(paused).toMatchObject({ error: { code: 'claimed' } });
    else expect(paused).toMatchObject({ ok: true });
  });
});

test('a claim ends automatically, and opening the application begins another', async () => {
  const { id } = await makeApplication(platform);
  await claimApplication(platform, aydin, id);
  platform.clock.advance(CLAIM_MS - 1000);
  expect((await claimApplication(platform, kaya, id)).name).toBe(aydin.name);
  await claimApplication(platform, aydin, id);
  platform.clock.advance(CLAIM_MS - 1000);
  expect((await claimApplication(platform, kaya, id)).name).toBe(aydin.name);
  platform.clock.advance(2000);
  expect((await claimApplication(platform, kaya, id)).name).toBeNull();
});

test('an action claims its application, but not once a colleague has decided it meanwhile', async () => {
  const found = await makeApplication(platform);
  const claims = () => validClaims(db, [found.id], platform.now());
  await claimAfterAction(platform, aydin, found);
  expect((await claims()).get(found.id)?.staffId).toBe(aydin.id);
  await claimApplication(platform, kaya, found.id, { takeOver: true });
  const approval = { kind: 'approve', applicationId: found.id } as const;
  expect((await decideApplication(platform, kaya, approval)).ok).toBe(true);
  await claimAfterAction(platform, aydin, found);
  expect((await claims()).size).toBe(0);
});

test('the claim ends once what was approved without its PDF is delivered', async () => {
  const { id: applicationId } = await makeApplication(platform);
  expect((await decideApplication(platform, aydin, { kind: 'approve', applicationId })).ok).toBe(
    true,
  );
  await claimApplication(platform, aydin, applicationId);
  const fileId = await uploadPdf(platform, aydin);
  const attached = await decideApplication(platform, aydin, {
    kind: 'attach',
    applicationId,
    fileId,
  });
  expect(attached.ok).toBe(true);
  expect((await validClaims(db, [applicationId], platform.now())).size).toBe(0);
});

test('nobody decides on an application that somebody else has claimed, unless they take it over', async () => {
  const { id } = await makeApplication(platform);
  await claimApplication(platform, aydin, id);
  const asked = { applicationId: id, reason: 'Photo' };
  expect(await decideApplication(platform, kaya, { kind: 'reject', ...asked })).toMatchObject({
    ok: false,
    error: { code: 'claimed', name: aydin.name },
  });
  await claimApplication(platform, kaya, id, { takeOver: true });
  expect(await decideApplication(platform, aydin, { kind: 'approve', ...asked })).toMatchObject({
    error: { code: 'claimed' },
  });
  expect(await decideApplication(platform, kaya, { kind: 'approve', ...asked })).toMatchObject({
    ok: true,
  });
  const trail = await auditEntriesBySubject(platform.db, { kind: 'application', id });
  expect(trail.map(({ action }) => action)).toContain('claim_taken_over');
});
