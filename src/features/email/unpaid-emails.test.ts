import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, test, it } from 'vitest';
import { applicationEmails } from '~/features/application/change-email.server.ts';
import { formatNumber } from '~/base/format-number.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { placeLabOrder } from '~/features/order/order-to-pay.server.ts';
import { openPayerLink } from '~/features/order/payer/payer.server.ts';
import {
  remindUnpaid,
  TELL_AFTER_MS,
  tellUnpaid,
  queueUnpaidEmails,
} from '~/features/order/payer/remind-unpaid.server.ts';
import { payOrder } from '~/features/order/store.server.ts';
import { attemptsByReference, changeAttempt } from '~/features/payment/settlement/store.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { queueEmail, UNPAID_PER_HOUR } from './ledger/store.server.ts';
import { emailJobs } from './jobs.server.ts';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import {
  makeBrowser,
  southAfrican,
  storeCountries,
} from '~/features/visa/testing/sample-browser.server.ts';
import { handleNationalitySubmit } from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit } from '~/features/visa/wizard/review.server.ts';
import { handleStepSubmit } from '~/features/visa/wizard/wizard.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';

const platform = await makeTestPlatform();
const { db, sealer, clock, sent } = platform;
const jobs = emailJobs(platform);
const staff = await storeStaff(platform);
const HOUR = 3600_000;

/** Marks an order as paid by its stored attempt. */
async function pay(number: string) {
  const [attempt] = await attemptsByReference(db, number);
  const attemptId = needed(attempt).id;
  await db.transaction((tx) => payOrder(tx, { number, attemptId, at: platform.now() }));
}

async function written() {
  sent.length = 0;
  await platform.runJobs(jobs);
  return [...sent];
}

/** The same once orders placed until now are written about. */
async function told() {
  clock.advance(TELL_AFTER_MS);
  await queueUnpaidEmails(platform);
  return written();
}

/** Runs the hourly job and the jobs that it queues. */
async function hourly() {
  await remindUnpaid(platform);
  return written();
}

// Reminds the orders that earlier tests left unpaid, so that they do not count.
beforeEach(async () => {
  // Most of them are written to one address.
  await platform.pool.query('delete from rate_limit');
  clock.advance(48 * HOUR);
  await hourly();
});

describe('an unpaid application', () => {
  test('is written about half an hour later: its number, what is to pay, what follows, and that it can be changed', async () => {
    const { id, number } = await makeApplication(platform, { paid: false, begun: true });
    expect(await written()).toEqual([]);
    clock.advance(30 * 60_000 - 1);
    await queueUnpaidEmails(platform);
    expect(await written()).toEqual([]);
    const [email, ...others] = await told();
    expect(others).toEqual([]);
    expect(email?.to).toBe('thabo@example.org');
    expect(email?.subject).toMatch(/^Not paid yet: your application TRV /);
    expect(email?.text).toContain(formatNumber(number));
    expect(email?.text).toContain('E-visa fee: $69.00');
    expect(email?.text).toContain('Total to pay: $94.00');
    expect(email?.text).toContain('we’ll check your answers and send your application');
    expect(email?.text).toContain('You can change any answer');
    expect(email?.html).toContain('Continue to payment');
    // The payer's link: a browser that opens it may pay and change what is unpaid.
    const token = /\/en\/my-order\/([\w.-]+)/.exec(email?.text ?? '')?.[1] ?? '';
    const opened = await openPayerLink(platform, token, randomBytes(32));
    expect(opened).toMatchObject({ ok: true, value: { number } });
    expect(email?.html).not.toContain('A01234547');
    const kept = await applicationEmails(db, sealer, id);
    expect(kept).toMatchObject([{ kind: 'unpaid', content: { to: 'thabo@example.org' } }]);
    expect(kept[0]?.sentAt).not.toBeNull();
    expect(JSON.stringify(kept[0]?.content)).not.toContain('my-order');
    expect(await told()).toEqual([]);
  });

  test('is not written about where it was paid in that time', async () => {
    const { id, number } = await makeApplication(platform, { paid: false, begun: true });
    clock.advance(TELL_AFTER_MS - 1);
    await pay(number);
    expect(await told()).toEqual([]);
    expect(await applicationEmails(db, sealer, id)).toEqual([]);
  });

  test('is written about once, by however many processes at one moment', async () => {
    const { number } = await makeApplication(platform, { paid: false, begun: true });
    clock.advance(TELL_AFTER_MS);
    await Promise.all(Array.from({ length: 4 }, () => queueUnpaidEmails(platform)));
    const emails = await written();
    expect(emails.filter(({ text }) => text.includes(formatNumber(number)))).toHaveLength(1);
  });

  test('is not written about while its payment is confirmed, but once that came to nothing', async () => {
    const { number } = await makeApplication(platform, { paid: false, begun: true });
    const { id } = needed((await attemptsByReference(db, number))[0]);
    await changeAttempt(db, { id, from: 'redirected' }, { state: 'pending' });
    expect(await told()).toEqual([]);
    await changeAttempt(db, { id, from: 'pending' }, { state: 'failed' });
    expect(await told()).toHaveLength(1);
  });

  test('is not written about where it was closed in that time', async () => {
    const { id } = await makeApplication(platform, { paid: false, begun: true });
    const rejection = { kind: 'reject', applicationId: id, reason: 'Withdrawn' } as const;
    await decideApplication(platform, staff, rejection);
    await written();
    expect(await told()).toEqual([]);
  });

  test('whose payer has another reason to be told waits for that half hour, and is told at once after it', async () => {
    const { order } = await makeApplication(platform, { paid: false, begun: true });
    const tell = () => db.transaction((tx) => tellUnpaid(tx, order, platform.now()));
    await tell();
    expect(await written()).toEqual([]);
    expect(await told()).toHaveLength(1);
    await tell();
    expect(await written()).toHaveLength(1);
  });

  test('is told of at once where it is too old for the job that looks each minute', async () => {
    const { order } = await makeApplication(platform, { paid: false, begun: true });
    clock.advance(2 * HOUR);
    await db.transaction((tx) => tellUnpaid(tx, order, platform.now()));
    expect(await written()).toHaveLength(1);
  });

  test('is reminded of once, a day later, and never again', async () => {
    const { id } = await makeApplication(platform, {
      paid: false,
      begun: true,
      email: 'late@example.org',
    });
    await told();
    clock.advance(23 * HOUR);
    expect(await hourly()).toEqual([]);
    clock.advance(2 * HOUR);
    const reminders = await hourly();
    const mine = reminders.filter(({ to }) => to === 'late@example.org');
    expect(mine.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Reminder: you have not paid for your application TRV .* yet$/),
    ]);
    expect(mine[0]?.text).toContain('this is our only reminder');
    for (let hours = 0; hours < 96; hours += 12) {
      clock.advance(12 * HOUR);
      expect(await hourly()).toEqual([]);
    }
    const kinds = (await applicationEmails(db, sealer, id)).map(({ kind }) => kind);
    expect(kinds).toEqual(['unpaid', 'unpaid_reminder']);
  });

  test('is no longer written about once it is paid or closed', async () => {
    const paidLater = await makeApplication(platform, { paid: false, begun: true });
    const rejected = await makeApplication(platform, { paid: false, begun: true });
    await told();
    await decideApplication(platform, staff, {
      kind: 'reject',
      applicationId: rejected.id,
      reason: 'Withdrawn',
    });
    await pay(paidLater.number);
    await written();
    clock.advance(25 * HOUR);
    expect(await hourly()).toEqual([]);
  });

  test('is not reminded of where its payment came between the look and the e-mail', async () => {
    const { number } = await makeApplication(platform, { paid: false, begun: true });
    await told();
    clock.advance(25 * HOUR);
    await remindUnpaid(platform);
    await pay(number);
    expect(await written()).toEqual([]);
  });
});

test('an address gets three emails an hour about what nobody has paid, and one reminder of all of it', async () => {
  const emails = ['v@example.org', 'V@Example.org', 'v+1@example.org'];
  const numbers = [];
  for (let count = 0; count < 12; count += 1) {
    const email = emails[count % 3] ?? '';
    numbers.push((await makeApplication(platform, { paid: false, begun: true, email })).number);
  }
  const other = await makeApplication(platform, {
    paid: false,
    begun: true,
    email: 'w@example.org',
  });
  const first = await told();
  const toVictim = first.filter(({ to }) => to.toLowerCase() !== 'w@example.org');
  expect(toVictim).toHaveLength(UNPAID_PER_HOUR);
  // Nobody else's emails are kept from arriving.
  expect(first.map(({ to }) => to)).toContain('w@example.org');
  const kept = await applicationEmails(db, sealer, other.id);
  expect(kept.map(({ failure }) => failure)).toEqual([null]);

  clock.advance(25 * HOUR);
  const reminders = (await hourly()).filter(({ to }) => /^v(\+1)?@/i.test(to));
  expect(reminders).toHaveLength(1);
  expect(reminders[0]?.text).toContain('Also waiting for payment');
  for (const number of numbers) expect(reminders[0]?.text).toContain(formatNumber(number));

  // Placed meanwhile: it waits until a day after the reminder.
  await makeApplication(platform, { paid: false, begun: true, email: 'v@example.org' });
  await told();
  clock.advance(23 * HOUR);
  expect(await hourly()).toEqual([]);
});

test('what was bought is written about however many emails its payer had', async () => {
  const email = 'bombed@example.org';
  for (let count = 0; count < 5; count += 1)
    await makeApplication(platform, { paid: false, begun: true, email });
  const { number } = await makeApplication(platform, { email });
  await told();
  await db.transaction((tx) =>
    queueEmail(tx, { kind: 'received', about: number, createdAt: platform.now() }),
  );
  expect((await written()).map(({ to }) => to)).toEqual([email]);
});

test('who has paid by then gets no e-mail about an open payment', async () => {
  await makeApplication(platform);
  expect(await told()).toEqual([]);
});

test('nothing is written about an order of the payment lab', async () => {
  await placeLabOrder(platform, { number: 'LAB-1', language: 'en', sessionHash: null });
  expect(await told()).toEqual([]);
  clock.advance(25 * HOUR);
  expect(await hourly()).toEqual([]);
});

test('an insurance is promised its certificate', async () => {
  await makeApplication(platform, {
    paid: false,
    begun: true,
    kind: 'insurance',
    service: '30-days',
  });
  const [email] = await told();
  expect(email?.text).toContain('email you a link to the insurance certificate');
  expect(email?.text).not.toContain('Turkish authorities');
});

describe('unpaid together', async () => {
  const platform = await makeTestPlatform({ now: NOW });
  await storeCountries(platform);
  await seedAll(platform.db, seeders, NOW);
  const HOUR = 3600_000;

  /** An e-visa and an insurance of 30 days, submitted together and not paid. */
  async function submitTogether() {
    const browser = makeBrowser(platform);
    await browser.post(handleNationalitySubmit, southAfrican);
    for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
      await browser.post((args) => handleStepSubmit(step, args), southAfrican);
    }
    const plan = { insurance: '30-days', insuranceShown: '30-days' };
    await browser.post(handleReviewSubmit, { intent: 'pay', ...plan });
    const { rows } = await platform.pool.query<{ number: string }>(
      'select number from purchase_order order by created_at desc limit 1',
    );
    const together = await applicationsByOrder(platform.db, rows[0]?.number ?? '');
    expect(together.map(({ kind }) => kind).sort()).toEqual(['insurance', 'visa']);
    return { orderNumber: rows[0]?.number ?? '', together };
  }

  async function written() {
    platform.sent.length = 0;
    await platform.runJobs(emailJobs(platform));
    return [...platform.sent];
  }

  describe('an e-visa and an insurance that wait to be paid together', () => {
    it('are written about in one e-mail and one reminder, with both numbers, both prices and what follows for each', async () => {
      const { orderNumber, together } = await submitTogether();
      platform.clock.advance(TELL_AFTER_MS);
      await queueUnpaidEmails(platform);
      const first = await written();
      platform.clock.advance(25 * HOUR);
      await remindUnpaid(platform);
      const reminders = await written();
      platform.clock.advance(25 * HOUR);
      await remindUnpaid(platform);
      expect(await written()).toEqual([]);

      expect([first.length, reminders.length]).toEqual([1, 1]);
      for (const { text, subject } of [...first, ...reminders]) {
        expect(subject).toContain(formatNumber(orderNumber));
        for (const { number } of together) expect(text).toContain(formatNumber(number));
        expect(text).toContain('E-visa fee: $69.00');
        expect(text).toContain('Travel insurance, 30 days: $189.00');
        expect(text).toContain('Total to pay: $283.00');
        const token = /\/en\/my-order\/([\w.-]+)/.exec(text ?? '')?.[1] ?? '';
        expect(await openPayerLink(platform, token, randomBytes(32))).toMatchObject({
          ok: true,
          value: { number: orderNumber },
        });
      }
      expect(first[0]?.text).toContain('we’ll check your answers and send your application');
      expect(first[0]?.text).toContain('insurance certificate');
      expect(reminders[0]?.text).toContain('this is our only reminder');
    });
  });
});
