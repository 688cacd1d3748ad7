import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { takeClaim } from '~/features/application/claim/claim-store.server.ts';
import { pauseClock } from '~/features/application/pause-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { readDayPeriod } from '../frame/days.tsx';
import { askCorrection } from '../application/ask-correction.server.ts';
import { decide } from '../application/decide.server.ts';
import { deskDecision } from '../application/tables.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { undo } from '../application/undo.server.ts';
import { todayOf, workView } from './work.server.ts';
import { makeApplication } from '../../../../test/make.ts';

/** A Tuesday. */
const NOW = new Date('2026-11-24T10:00:00Z');
const MINUTE = 60_000;
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE);

const platform = await makeTestPlatform({ now: NOW });
const { db } = platform;
beforeAll(() => seedAll(db, seeders, NOW));

const view = () =>
  workView(platform, readDayPeriod(new URLSearchParams(), todayOf(platform.now())), {
    late: null,
    language: 'en',
  });

const claim = (applicationId: string, staffId: string, minutes = 10) =>
  takeClaim(db, {
    applicationId,
    staffId,
    now: inMinutes(minutes - 10),
    expiresAt: inMinutes(minutes),
  });

describe('what each person has now', () => {
  test('is what waits for staff and is theirs, late ones apart; the rest is said to be nobody’s', async () => {
    const { id: mine, name } = await storeStaff(platform, { name: 'M. Demir' });
    const before = await view();
    await claim((await makeApplication(platform, { promisedAt: inMinutes(60) })).id, mine);
    await claim((await makeApplication(platform, { promisedAt: inMinutes(-60) })).id, mine);
    // Waits for its traveller, was given back, is free.
    const paused = await makeApplication(platform, { promisedAt: inMinutes(60) });
    await db.transaction((tx) => pauseClock(tx, paused.id, NOW));
    await claim(paused.id, mine);
    await claim((await makeApplication(platform, { promisedAt: inMinutes(60) })).id, mine, -1);
    await makeApplication(platform, { promisedAt: inMinutes(60) });
    const { people, everybody, unheld } = await view();
    // Also without a decision in the period.
    expect(people.find(({ staffId }) => staffId === mine)).toMatchObject({
      name,
      decided: 0,
      medianMs: null,
      waiting: 2,
      late: 1,
    });
    expect(everybody.waiting - before.everybody.waiting).toBe(2);
    expect(unheld - before.unheld).toBe(2);
  });
});

const reject = (applicationId: string) =>
  ({ kind: 'reject', applicationId, code: 'details_differ' }) as const;

test('somebody whose account was deactivated is named still', async () => {
  const gone = await storeStaff(platform, { name: 'A. Yılmaz' });
  const { id } = await makeApplication(platform);
  expect((await decide(platform, gone, reject(id))).ok).toBe(true);
  await db.update(staffAccount).set({ active: false }).where(eq(staffAccount.id, gone.id));
  const { people } = await view();
  expect(people.find(({ staffId }) => staffId === gone.id)).toMatchObject({
    name: 'A. Yılmaz',
    decided: 1,
  });
});

test('a decision that was undone counts nowhere', async () => {
  const staff = await storeStaff(platform);
  const { id } = await makeApplication(platform, { promisedAt: inMinutes(-1) });
  const counted = async () => {
    const { promises, people, nationalities, pace } = await view();
    const decided = people.map(({ staffId, decided: done }) => [staffId, done]);
    return { promises, decided: decided.filter(([, done]) => done !== 0), nationalities, pace };
  };
  const before = await counted();
  expect((await decide(platform, staff, reject(id), { undoable: true })).ok).toBe(true);
  expect(await counted()).not.toEqual(before);
  const made = (await db.select().from(deskDecision)).find((one) => one.applicationId === id);
  expect((await undo(platform, staff, made?.id ?? '')).ok).toBe(true);
  expect(await counted()).toEqual(before);
});

test('a promise of an application that waited for its traveller is kept by the moment that the wait moved', async () => {
  const staff = await storeStaff(platform);
  const dueOf = async () => {
    const { promises } = await view();
    const own = promises.find(({ service }) => service === 'express');
    return { due: own?.due ?? 0, kept: own?.kept ?? 0 };
  };
  const { id } = await makeApplication(platform, { service: 'express', promisedAt: inMinutes(60) });
  const asked = { applicationId: id, fields: ['passportNumber'], note: 'Two digits are swapped' };
  expect((await askCorrection(platform, staff, asked)).ok).toBe(true);
  platform.clock.set(inMinutes(120));
  // Past its first moment, but it waits for the traveller: neither kept nor late.
  expect(await dueOf()).toEqual({ due: 0, kept: 0 });
  expect((await decide(platform, staff, reject(id))).ok).toBe(true);
  platform.clock.set(inMinutes(24 * 60));
  expect(await dueOf()).toEqual({ due: 1, kept: 1 });
});
