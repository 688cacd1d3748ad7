import { withOperator } from '~/features/settings/operator.server.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '~/base/languages.ts';
import { application as applicationTable } from '~/features/application/tables.server.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { refundOrder } from '~/features/desk/money/refunds.server.ts';
import { numberOf, receiptsOfOrder } from '~/features/order/receipt/store.server.ts';
import { sampleCreditNote } from '~/features/order/receipt/testing/sample-receipt.ts';
import { queueEmail } from './ledger/queue.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { purchases } from '../../../test/purchases.ts';
import { startTestService } from '../../../test/service.ts';
import { emailHtml } from './layout/email-html.tsx';
import { emailText } from './layout/content.server.ts';
import { wordsFor } from './kinds/words.server.ts';
import { refundedEmail } from './kinds/refunded.server.ts';
import { makeApplication } from '../../../test/make.ts';

const service = await startTestService();
const { platform } = service;
const { place, payer, start, pay, comeBack } = purchases(service);
const manager = await storeStaff(platform, { role: 'manager' });

/** A card order of 94.00 whose processing price is refunded afterwards. */
async function refunded() {
  const order = await place();
  await comeBack(await pay(await start(order)));
  await service.runJobs();
  platform.sent.length = 0;
  const choice = {
    cause: 'cancelled' as const,
    askedAt: platform.now(),
    applications: [order.number],
  };
  const opened = await refundOrder(platform, manager, order, { choice });
  if (!opened.ok) throw new Error(opened.error.code);
  await service.runJobs();
  return { order, refundId: opened.value.refund.id };
}

describe('a refund', () => {
  test('has a credit note, and one e-mail that says what goes back, why, how and when', async () => {
    const { order, refundId } = await refunded();
    const again = { kind: 'refunded', about: refundId, createdAt: platform.now() } as const;
    await platform.db.transaction((tx) => queueEmail(tx, again));
    await enqueue(platform.db, 'order.refunded', { refundId });
    await service.runJobs();
    const [receipt, credit, ...others] = await receiptsOfOrder(platform.db, order.id);
    expect(others).toEqual([]);
    expect(receipt && numberOf(receipt)).toMatch(/^LR-2026-\d{6}$/);
    expect(credit).toMatchObject({
      kind: 'credit_note',
      refundId,
      facts: {
        totalMinor: 25_00,
        lines: [{ code: 'processing_fee', amountMinor: 25_00, reason: 'within_first_hours' }],
        cardLast4: '1111',
        corrects: { number: receipt && numberOf(receipt) },
      },
    });
    // The refund also rejects the application, which is told in an email of its own.
    const isRefund = ({ subject }: { subject: string }) => subject.startsWith('Your refund');
    expect(platform.sent).toHaveLength(2);
    expect(platform.sent.filter(isRefund)).toHaveLength(1);
    const email = platform.sent.find(isRefund);
    const ending = platform.sent.find((one) => !isRefund(one));
    expect(ending?.text).toContain('cancelled at your request');
    expect(email?.to).toBe(order.customerEmail);
    expect(email?.subject).toMatch(/^Your refund: TRV /);
    const text = email?.text ?? '';
    expect(text).toContain('We’ve refunded $25.00 to your original payment method: card ending');
    expect(text).toContain('in 5 to 10 business days. Some banks need another 3 to 5');
    expect(text).toContain('Processing: standard: $25.00\n  Cancelled soon after payment');
    expect(text).toContain(`Credit note: ${credit && numberOf(credit)}`);
    expect(text).toContain('/en/receipt?token=');
  });
});

test('the emails of a child who ordered alone address a parent, also once the name was corrected', async () => {
  const child = { dateOfBirth: '2015-05-05' };
  const application = await makeApplication(platform, {
    paid: false,
    ...child,
    sessionHash: payer.sessionHash,
  });
  await comeBack(await pay(await start(application.order)));
  platform.sent.length = 0;
  await service.runJobs();
  await platform.db
    .update(applicationTable)
    .set({ firstName: 'Tahbo' })
    .where(eq(applicationTable.id, application.id));
  const rejection = {
    kind: 'reject',
    code: 'details_differ',
    applicationId: application.id,
  } as const;
  expect(await decide(platform, manager, rejection)).toMatchObject({ ok: true });
  await service.runJobs();
  expect(platform.sent.map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^We’ve received/),
    expect.stringMatching(/^About your application/),
    expect.stringMatching(/^Your refund/),
  ]);
  for (const { text } of platform.sent) {
    expect(text).toContain('Dear parent or guardian of T');
    expect(text).not.toMatch(/Dear (?!parent)/);
  }
});

describe.each(languageCodes)('the e-mail about a refund in %s', (language) => {
  test('has all its words', async () => {
    const email = refundedEmail(wordsFor(await withOperator(platform), language), {
      facts: { ...sampleCreditNote, language },
      creditNumber: 'LC-2026-000001',
      download: 'https://lale.example/receipt',
    });
    const all = emailText(email) + emailHtml(email, 'https://lale.example');
    expect(all).not.toMatch(/\{\{|undefined|NaN|reason\.|refunded\.|partner\./);
    expect(all).toContain('LC-2026-000001');
    if (language === 'fr') expect(emailText(email)).toMatch(/Télécharger l’avoir\u00a0:\n/);
  });
});
