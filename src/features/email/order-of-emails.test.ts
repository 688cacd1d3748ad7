import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { jobHandlers } from '~/app/jobs.server.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { queueEmail } from './ledger/queue.server.ts';
import { email } from './ledger/tables.server.ts';
import { TELL_AFTER_MS, tellUnpaid } from '~/features/order/payer/remind-unpaid-store.server.ts';
import { refundsOfOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { runDueJobs } from '~/platform/jobs/jobs.server.ts';
import type { Message } from '~/platform/mail/mail.server.ts';
import { useDatabase } from '../../../test/database.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import { makePayment, makeInsurance } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const service = await startTestService({ database: await useDatabase({ poolSize: 16 }) });
const { platform, payments } = service;
const { db, pool, clock, log } = platform;
const { place, start, pay, comeBack } = purchases(service);
const staff = await storeStaff(platform);

const REJECTED = /^About your application/;
const REFUNDED = /^Your refund/;
const RECEIVED = /^We’ve received/;
const APPROVED = /^Your insurance is approved/;

beforeEach(async () => {
  await pool.query('delete from graphile_worker._private_jobs; delete from email');
});

type Refuse = (message: Message) => number | null;

/**
 * Runs all jobs by several workers at a time until none is left, as if every pause before another try were over.
 * `refuse`: the mail server's refusal, null where it takes a message. Returns what it took, in order.
 */
async function runAll(workers: number, refuse: Refuse = () => null): Promise<Message[]> {
  const taken: Message[] = [];
  const send = async (message: Message) => {
    const responseCode = refuse(message);
    if (responseCode !== null) throw Object.assign(new Error('refused'), { responseCode });
    // Others may overtake it here.
    await new Promise((resolve) => setImmediate(resolve));
    taken.push(message);
  };
  const handlers = jobHandlers({ ...platform, mail: { ...platform.mail, send } }, payments);
  const run = () => runDueJobs({ pool, handlers, log });
  for (let turn = 0; turn < 80; turn += 1) {
    await Promise.all(Array.from({ length: workers }, run));
    clock.advance(1000);
    const { rowCount } = await pool.query(
      "update graphile_worker._private_jobs set run_at = now() - interval '1 s' where attempts < max_attempts",
    );
    if (rowCount === 0) return taken;
  }
  throw new Error('A job is never done');
}

/** Refuses the first messages with a subject, for now. */
function refusing(subject: RegExp, times: number, code = 451): Refuse {
  let left = times;
  return (message) => (subject.test(message.subject) && left-- > 0 ? code : null);
}

const subjects = (messages: readonly Message[], ...wanted: RegExp[]) =>
  messages.flatMap((message) => wanted.filter((one) => one.test(message.subject)));

/** A paid visa, whose receipt has left. */
async function paidVisa() {
  const order = await place();
  await comeBack(await pay(await start(order)));
  await runAll(1);
  const [found] = await applicationsOfOrder(db, order.number);
  return { order, found: needed(found) };
}

async function reject(applicationId: string) {
  const rejection = { kind: 'reject', code: 'details_differ', applicationId } as const;
  expect(await decide(platform, staff, rejection)).toMatchObject({ ok: true });
}

describe('the email about a rejection', () => {
  test('leaves before that about its refund, whatever fails and however many send', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 4 }),
        async (workers, refusals) => {
          const { found } = await paidVisa();
          await reject(found.id);
          const taken = await runAll(workers, refusing(REJECTED, refusals));
          expect(subjects(taken, REJECTED, REFUNDED)).toEqual([REJECTED, REFUNDED]);
        },
      ),
      { numRuns: 8 },
    );
  });

  test('does so where both are queued in one transaction, the later one first', async () => {
    const { order, found } = await paidVisa();
    await reject(found.id);
    await runAll(1);
    const [refund] = await refundsOfOrder(db, order.id);
    const both = [
      { kind: 'refunded', about: needed(refund).refund.id },
      { kind: 'rejected', about: found.id },
    ] as const;
    for (const workers of [1, 2, 4]) {
      for (const refusals of [0, 1, 3]) {
        await db.delete(email);
        await db.transaction(async (tx) => {
          for (const one of both) await queueEmail(tx, { ...one, createdAt: platform.now() });
        });
        const taken = await runAll(workers, refusing(REJECTED, refusals));
        expect(subjects(taken, REJECTED, REFUNDED)).toEqual([REJECTED, REFUNDED]);
      }
    }
  });

  test('keeps that about the refund from nobody where its own address takes none', async () => {
    const { found } = await paidVisa();
    await reject(found.id);
    const taken = await runAll(2, refusing(REJECTED, Infinity, 550));
    expect(subjects(taken, REJECTED, REFUNDED)).toEqual([REFUNDED]);
  });
});

describe('an adult’s insurance', () => {
  async function bought(paidAfterMs: number) {
    const placed = await makeInsurance(platform, { dateOfBirth: '1991-07-14' });
    clock.advance(paidAfterMs);
    await tellUnpaid(platform);
    const before = await runAll(1);
    await makePayment(platform, placed);
    // The certificate may be made before the receipt is sent.
    await db.transaction((tx) =>
      queueEmail(tx, { kind: 'received', about: placed.number, createdAt: platform.now() }),
    );
    await tellUnpaid(platform);
    return { before, after: await runAll(3, refusing(RECEIVED, 2)) };
  }

  test('that is paid at once is written about twice: its receipt, then its certificate', async () => {
    const { before, after } = await bought(TELL_AFTER_MS - 1);
    expect(before).toEqual([]);
    expect(after).toHaveLength(2);
    expect(subjects(after, RECEIVED, APPROVED)).toEqual([RECEIVED, APPROVED]);
  });

  test('that is paid later was written about before', async () => {
    const { before, after } = await bought(TELL_AFTER_MS);
    expect(before).toHaveLength(1);
    expect(subjects(after, RECEIVED, APPROVED)).toEqual([RECEIVED, APPROVED]);
  });
});
