import { expect, test } from 'vitest';
import { applicationById, countWaiting } from '~/features/application/store.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { askCorrection, withdrawCorrection } from '../application/ask-correction.server.ts';
import { nextNumber } from '../application/testing/next-number.server.ts';
import { deleteStaffLooks, dropClaim } from '~/features/application/claim-store.server.ts';
import { readFilter } from './list-filter.ts';
import { queuePage } from './queue.server.ts';
import { readQueueCounts } from '../reports/totals.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const HOUR = 3600_000;
// A Wednesday.
const MORNING = new Date('2026-11-18T10:00:00Z');
const platform = await makeTestPlatform({ now: MORNING });
const { db, clock } = platform;
const staff = await storeStaff(platform, { name: 'E. Aydın' });

const promisedIn = (hours: number, lastName: string) =>
  makeApplication(platform, { lastName, promisedAt: new Date(MORNING.getTime() + hours * HOUR) });
const shown = async (query = '') => {
  const filter = readFilter(new URLSearchParams(query), 'visa', null);
  const looking = { staffId: staff.id, now: platform.now() };
  return (await queuePage(db, filter, looking)).rows.map(({ lastName }) => lastName);
};
const next = async () => {
  const number = await nextNumber(platform, staff);
  await deleteStaffLooks(db, staff.id);
  for (const { id } of cases) await dropClaim(db, id);
  return number;
};

const early = await promisedIn(1, 'Early');
const late = await promisedIn(3, 'Late');
await makeApplication(platform, { lastName: 'Unpaid', paid: false });
const cases = [early, late];

test('an application whose traveller is asked leaves the waiting order until the answer is there', async () => {
  expect(await shown()).toEqual(['Early', 'Late', 'Unpaid']);
  expect(await next()).toBe(early.number);

  const asked = { applicationId: early.id, fields: ['phone'], note: 'It does not answer.' };
  expect(await askCorrection(platform, staff, asked)).toMatchObject({ ok: true });
  expect(await shown()).toEqual(['Late', 'Early', 'Unpaid']);
  expect(await shown('show=action_required')).toEqual(['Early']);
  expect(await shown('show=hand_in')).toEqual(['Late']);
  expect(await next()).toBe(late.number);

  // Its promised moment passes during the pause.
  clock.set(new Date(MORNING.getTime() + 2.5 * HOUR));
  expect(await countWaiting(db, platform.now())).toEqual({
    waiting: 1,
    undelivered: 0,
    overdue: 0,
  });
  expect(await readQueueCounts(db, platform.now())).toMatchObject({
    waiting: 1,
    late: { visa: 0, insurance: 0 },
    dueSoon: { visa: 1, insurance: 0 },
  });

  await withdrawCorrection(platform, staff, early.id);
  expect(await applicationById(db, early.id)).toMatchObject({
    promisedAt: new Date(MORNING.getTime() + 3.5 * HOUR),
  });
  expect(await shown()).toEqual(['Late', 'Early', 'Unpaid']);
  expect(await shown('show=action_required')).toEqual([]);
  expect(await next()).toBe(late.number);
  expect(await countWaiting(db, platform.now())).toEqual({
    waiting: 2,
    undelivered: 0,
    overdue: 0,
  });
});
