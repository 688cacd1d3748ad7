import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { countWaiting } from '~/features/application/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import { decideApplication } from '../application/decide.server.ts';
import { deskSignals } from '../frame/signals.server.ts';
import { deskDecision } from '../application/tables.server.ts';
import { goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { nextNumber } from '../application/testing/next-number.server.ts';
import { undoDecision } from '../application/undo.server.ts';
import { upload } from '../application/uploads.server.ts';
import { readFilter } from './list-filter.ts';
import { queuePage } from './queue.server.ts';
import { readQueueCounts } from '../reports/totals.server.ts';
import { makeApplication } from '../../../../test/make.ts';

let platform: TestPlatform;
let staff: Awaited<ReturnType<typeof storeStaff>>;
beforeEach(async () => {
  platform = await makeTestPlatform();
  staff = await storeStaff(platform, { name: 'E. Aydın' });
});

/** The numbers in a list, each with whether it is marked. */
async function listed(query: string) {
  const filter = readFilter(new URLSearchParams(query), 'visa', null);
  const looking = { staffId: staff.id, now: platform.now() };
  const { rows } = await queuePage(platform.db, filter, looking);
  return rows.map(({ number, undelivered }) => ({ number, undelivered }));
}

async function storePdf(applicationId: string): Promise<string> {
  const uploaded = await upload(platform, staff, goodPdf(), { draftFor: applicationId });
  if (!uploaded.ok) throw new Error(uploaded.error);
  return uploaded.value.id;
}

/** Undoes the newest decision about an application. */
async function undoLast(applicationId: string) {
  const made = await platform.db
    .select()
    .from(deskDecision)
    .where(eq(deskDecision.applicationId, applicationId))
    .orderBy(deskDecision.at);
  expect((await undoDecision(platform, staff, made.at(-1)?.id ?? '')).ok).toBe(true);
}

const counts = async () => {
  const { undelivered, undeliveredLate } = await deskSignals(platform.db, staff, platform.now());
  return { undelivered, undeliveredLate };
};

test('what is approved without its PDF stays listed, marked, counted and due until one is attached', async () => {
  const { id, number } = await makeApplication(platform);
  const approval = { kind: 'approve', applicationId: id } as const;
  expect((await decideApplication(platform, staff, approval)).ok).toBe(true);
  const marked = [{ number, undelivered: true }];
  for (const query of ['show=to_deliver', 'status=approved', 'payment=paid', ''])
    expect(await listed(query)).toEqual(marked);
  for (const query of ['show=hand_in', 'show=at_authority'])
    expect(await listed(query)).toEqual([]);
  expect(await counts()).toEqual({ undelivered: 1, undeliveredLate: 0 });
  expect(await countWaiting(platform.db, platform.now())).toEqual({
    waiting: 0,
    undelivered: 1,
    overdue: 0,
  });
  expect(await readQueueCounts(platform.db, platform.now())).toMatchObject({
    dueSoon: { visa: 1, insurance: 0 },
  });
  for (const query of ['', 'show=to_deliver'])
    expect(await nextNumber(platform, staff, query, { again: true })).toBe(number);
  expect(await nextNumber(platform, staff, 'show=to_deliver')).toBe('round');

  platform.clock.advance(2 * 3600_000);
  expect(await counts()).toEqual({ undelivered: 1, undeliveredLate: 1 });
  expect(await countWaiting(platform.db, platform.now())).toMatchObject({ overdue: 1 });
  expect(await readQueueCounts(platform.db, platform.now())).toMatchObject({
    late: { visa: 1, insurance: 0 },
  });
  const app = makeTestApp(platform);
  const headers = { cookie: (await storeStaff(platform)).cookie };
  const page = async (path: string) => (await app.request(path, { headers })).text();
  expect(await page('/admin/account')).toContain('data-testid="undelivered-late"');
  expect(await page(`/admin/applications/${number}`)).toContain('Approved without the PDF');

  const fileId = await storePdf(id);
  expect(
    (await decideApplication(platform, staff, { kind: 'attach', applicationId: id, fileId })).ok,
  ).toBe(true);
  expect(await listed('show=to_deliver')).toEqual([]);
  expect(await nextNumber(platform, staff, '', { again: true })).toBe('nothing');
  expect(await listed('status=approved')).toEqual([{ number, undelivered: false }]);
  expect(await counts()).toEqual({ undelivered: 0, undeliveredLate: 0 });
});

test('an approval with its PDF, a rejection and an insurance are never undelivered', async () => {
  const [visa, other, insurance] = [
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform, { kind: 'insurance' }),
  ];
  const fileId = await storePdf(visa.id);
  await decideApplication(platform, staff, { kind: 'approve', applicationId: visa.id, fileId });
  await decideApplication(platform, staff, {
    kind: 'reject',
    code: 'duplicate',
    applicationId: other.id,
  });
  await decideApplication(platform, staff, { kind: 'approve', applicationId: insurance.id });
  expect(await countWaiting(platform.db, platform.now())).toMatchObject({ undelivered: 0 });
});

test('undoing an approval, or a document attached after it, leaves the list as it was before', async () => {
  const { id, number } = await makeApplication(platform);
  const undoable = { undoable: true };
  await decideApplication(platform, staff, { kind: 'approve', applicationId: id }, undoable);
  await undoLast(id);
  expect(await listed('show=to_deliver')).toEqual([]);
  expect(await listed('show=hand_in')).toEqual([{ number, undelivered: false }]);
  platform.clock.advance(1000);
  await decideApplication(platform, staff, { kind: 'approve', applicationId: id }, undoable);
  platform.clock.advance(20_000);
  const fileId = await storePdf(id);
  await decideApplication(platform, staff, { kind: 'attach', applicationId: id, fileId }, undoable);
  expect(await listed('show=to_deliver')).toEqual([]);
  await undoLast(id);
  expect(await listed('show=to_deliver')).toEqual([{ number, undelivered: true }]);
});
