import { describe, expect, test } from 'vitest';
import { directionOf, languageCodes } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { cancelOrder } from '~/features/status/cancel-order.server.ts';
import { cancelView } from '~/features/status/cancel-view.server.ts';
import { decide } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { emailHtml } from './layout/email-html.tsx';
import { emailText } from './layout/content.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { cancelledEmail } from './kinds/cancelled.server.ts';
import { wordsFor } from './kinds/words.server.ts';
import { emailJobs } from './jobs.server.ts';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';

const platform = await makeTestPlatform();
const { db, sent } = platform;
const staff = await storeStaff(platform);
const jobs = emailJobs(platform);

async function written() {
  sent.length = 0;
  await platform.runJobs(jobs);
  return [...sent];
}

test('sending an application to the authorities is written about once', async () => {
  const { id } = await makeApplication(platform, { email: 'on@example.org' });
  const sentOff = await decide(platform, staff, { kind: 'start_processing', applicationId: id });
  expect(sentOff.ok).toBe(true);
  const [email, ...others] = await written();
  expect(others).toEqual([]);
  expect(email).toMatchObject({ to: 'on@example.org' });
  expect(email?.text).toContain('We’ve sent your application to the Turkish authorities.');
});

describe('a cancellation by the payer', () => {
  test('is confirmed to the payer with what is refunded of which line', async () => {
    const { number, orderNumber } = await makeApplication(platform, { email: 'payer@example.org' });
    const order = needed(await orderByNumber(db, orderNumber));
    const { sessionHash } = newBrowser(platform);
    await addPayerDevice(db, { orderId: order.id, sessionHash, createdAt: platform.now() });
    const asked = { ref: number, applications: [], isChosen: false, done: null };
    const view = await cancelView(platform, asked, sessionHash);
    if (view?.kind !== 'quote') throw new Error(view?.kind);
    const press = { id: view.id, shown: view.shown, orderNumber, numbers: [number], sessionHash };
    expect((await cancelOrder(platform, press)).ok).toBe(true);
    const mails = (await written()).filter(({ to }) => to === 'payer@example.org');
    expect(mails.map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Cancelled: TRV /),
    );
    const [email] = mails.filter(({ subject }) => subject.startsWith('Cancelled'));
    for (const text of ['$25.00', 'Cancelled soon after payment', 'E-visa for Thabo Naidoo'])
      expect(email?.text).toContain(text);
  });

  test.each(languageCodes)('is written in %s, with and without a refund', async (code) => {
    const words = wordsFor(await withOperator(platform), code);
    const applications = [
      { kind: 'visa', number: 'TRV7K2M9Q4XW8RT6', name: 'Thabo Naidoo' },
    ] as const;
    const shared = { name: 'Thabo Naidoo', orderNumber: 'TRV7K2M9Q4XW8RT6', applications };
    const line = {
      applicationNumber: 'TRV7K2M9Q4XW8RT6',
      code: 'processing_fee',
      detail: 'standard' as const,
      amountMinor: 20_00,
      paidMinor: 25_00,
      reason: 'still_pending',
    };
    const refund = { total: usd(20_00), lines: [line] };
    for (const given of [refund, null]) {
      const content = cancelledEmail(words, { ...shared, refund: given });
      expect(emailHtml(content, '')).toContain(`dir="${directionOf(code)}"`);
      const text = emailText(content);
      expect(text.includes('20')).toBe(given !== null);
      expect(text).not.toMatch(/cancelled\.|\{\{/);
    }
  });
});
