import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import { takeClaim } from '~/features/application/claim-store.server.ts';
import { pauseClock } from '~/features/application/correction/correction-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { askCorrection } from '../application/ask-correction.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { deskDecision } from '../application/tables.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { undoDecision } from '../application/undo.server.ts';
import { readPeriod } from './period.tsx';
import { usd } from '~/base/money.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { orderRefund } from '~/features/order/tables.server.ts';
import { refundOrder } from '../money/refunds.server.ts';
import { applicationsColumns, figuresView, submittedApplicationRows } from './figures.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication } from '../../../../test/make.ts';

/** A Tuesday. */
const NOW = new Date('2026-11-24T10:00:00Z');
const MINUTE = 60_000;
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE);

const platform = await makeTestPlatform({ now: NOW });
const { db } = platform;
beforeAll(() => seedAll(db, seeders, NOW));

const view = async () => {
  const period = readPeriod(new URLSearchParams(), toPlainDate(platform.now(), TURKIYE));
  const read = await figuresView(platform, period, { role: 'manager', language: 'en' });
  return { ...read, ...needed(read.work) };
};

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
    expect(people.find(({ id }) => id === mine)).toMatchObject({
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
  expect((await decideApplication(platform, gone, reject(id))).ok).toBe(true);
  await db.update(staffAccount).set({ active: false }).where(eq(staffAccount.id, gone.id));
  const { people } = await view();
  expect(people.find((one) => one.id === gone.id)).toMatchObject({
    name: 'A. Yılmaz',
    decided: 1,
  });
});

test('a decision that was undone counts nowhere', async () => {
  const staff = await storeStaff(platform);
  const { id } = await makeApplication(platform, { promisedAt: inMinutes(-1) });
  const counted = async () => {
    const { promises, people, nationalities } = await view();
    const decided = people.map((one) => [one.id, one.decided]);
    return { promises, decided: decided.filter(([, done]) => done !== 0), nationalities };
  };
  const before = await counted();
  expect((await decideApplication(platform, staff, reject(id), { undoable: true })).ok).toBe(true);
  expect(await counted()).not.toEqual(before);
  const made = (await db.select().from(deskDecision)).find((one) => one.applicationId === id);
  expect((await undoDecision(platform, staff, made?.id ?? '')).ok).toBe(true);
  expect(await counted()).toEqual(before);
});

test('a promise of an application that waited for its traveller is kept by the moment that the wait moved', async () => {
  const staff = await storeStaff(platform);
  const dueOf = async () => {
    const { promises } = await view();
    const own = promises.rows.find(({ service }) => service === 'express');
    return { due: own?.due ?? 0, kept: own?.kept ?? 0 };
  };
  const { id } = await makeApplication(platform, { service: 'express', promisedAt: inMinutes(60) });
  const asked = { applicationId: id, fields: ['passportNumber'], note: 'Two digits are swapped' };
  expect((await askCorrection(platform, staff, asked)).ok).toBe(true);
  platform.clock.set(inMinutes(120));
  // Past its first moment, but it waits for the traveller: neither kept nor late.
  expect(await dueOf()).toEqual({ due: 0, kept: 0 });
  expect((await decideApplication(platform, staff, reject(id))).ok).toBe(true);
  platform.clock.set(inMinutes(24 * 60));
  expect(await dueOf()).toEqual({ due: 1, kept: 1 });
});

const everyRow = () =>
  submittedApplicationRows(
    platform.readLagging,
    readPeriod(new URLSearchParams(), toPlainDate(platform.now(), TURKIYE)),
  );

test('the file of applications says what has gone back, and when; what is on its way has not', async () => {
  const manager = await storeStaff(platform, { role: 'manager' });
  const [paid, back, coming] = [
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform),
  ];
  const at = platform.now();
  const refund = async ({ number }: typeof paid) => {
    const order = needed(await orderByNumber(db, number));
    const choice = { cause: 'our_error', askedAt: at, applications: [number] } as const;
    const opened = await refundOrder(platform, manager, order, { choice });
    if (!opened.ok) throw new Error(opened.error.code);
    return opened.value;
  };
  const { refund: done, payment } = await refund(back);
  await db.update(orderRefund).set({ completedAt: at }).where(eq(orderRefund.id, done.id));
  await refund(coming);
  const given = new Map<string, readonly unknown[]>();
  for await (const row of everyRow()) {
    const { refunded, refunded_at: moment } = applicationsColumns;
    given.set(row.number, [refunded(row), moment(row)]);
  }
  for (const { number } of [paid, coming]) expect(given.get(number)).toEqual([usd(0), null]);
  expect(payment.amountMinor).toBeGreaterThan(0);
  expect(given.get(back.number)).toEqual([usd(payment.amountMinor), at.toISOString()]);
});

test('a download that its reader has paused holds no connection', async () => {
  await makeApplication(platform);
  const rows = everyRow();
  expect((await rows.next()).done).toBe(false);
  expect(platform.pool.idleCount).toBe(platform.pool.totalCount);
  await rows.return(undefined);
});
