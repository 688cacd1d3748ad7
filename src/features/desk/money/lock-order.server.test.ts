import { expect, test } from 'vitest';
import { lockApplication, applicationById } from '~/features/application/store.server.ts';
import { lockOrder, orderByNumber, payOrder } from '~/features/order/store.server.ts';
import { attemptsFor, lockReference } from '~/features/payment/settlement/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { useDatabase, untilBlocked } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { decide } from '../application/decide.server.ts';
import { correctEmail } from '../application/case-emails.server.ts';
import { refundOrder } from './refunds.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform({ database: await useDatabase({ poolSize: 6 }) });
const { db } = platform;
const manager = await storeStaff(platform, { role: 'manager' });

/** Takes the locks of a settling payment, and runs `work` at the same time. */
async function duringSettling<T>(
  { id, orderNumber }: { id: string; orderNumber: string },
  pay: (tx: Transaction) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const isHeld = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const settling = db.transaction(async (tx) => {
    await lockReference(tx, orderNumber);
    await pay(tx);
    isHeld.resolve();
    await mayGoOn.promise;
    await lockApplication(tx, id);
  });
  await Promise.race([isHeld.promise, settling]);
  const working = work();
  // Reported below; handled here so that it is not unhandled.
  working.catch(() => undefined);
  await untilBlocked(db).finally(() => mayGoOn.resolve());
  await settling;
  return working;
}

test('an unpaid application is rejected while its payment is settled: neither waits for the other', async () => {
  const found = await makeApplication(platform, { paid: false, begun: true });
  const at = platform.now();
  const [attempt] = await attemptsFor(db, found.orderNumber);
  const attemptId = needed(attempt).id;
  const pay = (tx: Transaction) => payOrder(tx, { number: found.orderNumber, attemptId, at });
  const outcome = await duringSettling(found, pay, () =>
    decide(platform, manager, { kind: 'reject', applicationId: found.id, reason: 'The photo' }),
  );
  expect(outcome).toMatchObject({ ok: true });
  expect(needed(await orderByNumber(db, found.orderNumber))).toMatchObject({
    paidAt: at,
    closedAt: null,
  });
  expect((await applicationById(db, found.id))?.status).toBe('rejected');
});

test('a refund and a corrected address wait for the payment, too', async () => {
  const found = await makeApplication(platform);
  const order = needed(await orderByNumber(db, found.orderNumber));
  const nothing = async () => undefined;
  const choice = {
    cause: 'our_error',
    askedAt: platform.now(),
    applications: [found.number],
  } as const;
  const refunded = await duringSettling(found, nothing, () =>
    refundOrder(platform, manager, order, { choice }),
  );
  expect(refunded).toMatchObject({ ok: true });
  const open = await makeApplication(platform, { paid: false });
  const hold = (tx: Transaction) => lockOrder(tx, open.orderNumber);
  const corrected = await duringSettling(open, hold, () =>
    correctEmail(platform, manager, {
      applicationId: open.id,
      email: 'right@example.org',
      emailAnswer: '',
      why: 'A slip',
      emailIds: [],
    }),
  );
  expect(corrected).toMatchObject({ ok: true });
});
