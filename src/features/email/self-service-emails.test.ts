import { describe, expect, test } from 'vitest';
import { directionOf, languageCodes } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { emailsOf } from '~/features/application/email-store.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { unlimitedVisits } from '~/features/application/testing/unlimited-visits.ts';
import { cancelOrder } from '~/features/cancellation/cancel-order.server.ts';
import { cancelView } from '~/features/cancellation/cancel-view.server.ts';
import { decide } from '~/features/desk/decision/decide.server.ts';
import { storeCase, storeStaff } from '~/features/desk/testing/case-store.server.ts';
import { emailHtml } from './layout/email-html.tsx';
import { emailText } from './layout/content.server.ts';
import { addPayerDevice } from '~/features/order/payer/payer-store.server.ts';
import { remindUnpaid } from '~/features/order/payer/remind-unpaid-store.server.ts';
import { tellUnpaidNow } from './ledger/queue.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { newBrowser } from '../../../test/browser.ts';
import { needed } from '../../../test/purchases.ts';
import { cancelledEmail } from './kinds/cancelled.server.ts';
import { wordsFor } from './kinds/words.server.ts';
import { emailJobs } from './jobs.server.ts';

const { platform, request } = await unlimitedVisits();
const { db, sealer, clock, sent } = platform;
const staff = await storeStaff(platform);
const jobs = emailJobs(platform);

async function written() {
  sent.length = 0;
  await platform.runJobs(jobs);
  return [...sent];
}

/** Sends an application to the authorities; the emails that follow. */
async function sendToAuthorities(id: string) {
  const sentOff = await decide(platform, staff, { kind: 'start_processing', applicationId: id });
  expect(sentOff.ok).toBe(true);
  return written();
}

const addressIn = (text: string) =>
  new URL(/https?:\/\/\S+\/emails\/\S+/.exec(text)?.[0] ?? 'https://none.example').pathname;

const turn = (address: string, updates: 'on' | 'off') =>
  request(address, {
    method: 'POST',
    headers: { origin: 'http://localhost' },
    body: new URLSearchParams({ updates }),
  });

describe('an application that was sent to the authorities', () => {
  test('is written about once, with a link and a button of the mail program to turn that off', async () => {
    const { id } = await storeCase(platform, { email: 'on@example.org' });
    const [email, ...others] = await sendToAuthorities(id);
    expect(others).toEqual([]);
    expect(email).toMatchObject({ to: 'on@example.org' });
    expect(email?.text).toContain('We’ve sent your application to the Turkish authorities.');
    const address = addressIn(email?.text ?? '');
    expect(address).toMatch(/^\/en\/emails\//);
    expect(email?.html).toContain('Turn emails about progress off');
    expect(email?.headers).toMatchObject({
      'List-Unsubscribe': `<${platform.config.publicUrl}${address}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
    const [kept] = await emailsOf(db, sealer, id);
    expect(JSON.stringify(kept?.content)).not.toContain('/emails/');
  });

  test('is not written about where that was turned off, and its decision always is', async () => {
    const first = await storeCase(platform, { email: 'off@example.org' });
    const [email] = await sendToAuthorities(first.id);
    // As a mail program posts it: no cookie, no origin.
    const oneClick = await request(addressIn(email?.text ?? ''), {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(oneClick.status).toBe(200);
    expect((await applicationById(db, first.id))?.emailUpdates).toBe(false);
    // RFC 8058 allows both forms of a post.
    await turn(addressIn(email?.text ?? ''), 'on');
    const parts = new FormData();
    parts.set('List-Unsubscribe', 'One-Click');
    const posted = await request(addressIn(email?.text ?? ''), { method: 'POST', body: parts });
    expect(posted.status).toBe(200);
    expect((await applicationById(db, first.id))?.emailUpdates).toBe(false);
    const reject = { kind: 'reject', applicationId: first.id, reason: 'Unreadable' } as const;
    await decide(platform, staff, reject);
    const [decision] = await written();
    expect(decision?.to).toBe('off@example.org');
    expect(decision?.headers).not.toHaveProperty('List-Unsubscribe');

    const second = await storeCase(platform);
    const path = needed(await pathByBirthDate(second.id));
    expect((await turn(path, 'off')).status).toBe(303);
    expect(await sendToAuthorities(second.id)).toEqual([]);
    expect(await emailsOf(db, sealer, second.id)).toEqual([]);
  });
});

/** The page that the date of birth opens on the status page. */
async function pathByBirthDate(id: string): Promise<string | null> {
  const found = needed(await applicationById(db, id));
  const [year = '', month = '', day = ''] = found.dateOfBirth.split('-');
  const answer = await request(`/status?ref=${found.number}&download=emails`, {
    method: 'POST',
    headers: { origin: 'http://localhost' },
    body: new URLSearchParams({
      ref: found.number,
      receipt: 'emails',
      'dateOfBirth-day': day,
      'dateOfBirth-month': month,
      'dateOfBirth-year': year,
    }),
  });
  return answer.headers.get('location');
}

describe('the setting', () => {
  test('is opened from the status page by the date of birth, and turned off and on again', async () => {
    const { id, number } = await storeCase(platform);
    const status = async () => (await request(`/en/status?ref=${number}`)).text();
    expect(await status()).toContain('Turn emails about progress off');
    const path = needed(await pathByBirthDate(id));
    expect(await (await request(path)).text()).toContain('Turn these emails off');
    await turn(path, 'off');
    expect(await (await request(path)).text()).toContain('Turn these emails on');
    expect(await status()).toContain('Turn emails about progress on');
    await turn(path, 'on');
    expect((await applicationById(db, id))?.emailUpdates).toBe(true);
  });

  test('is changed by no GET, no other token and nothing unknown', async () => {
    const { id } = await storeCase(platform);
    const path = needed(await pathByBirthDate(id));
    await request(path);
    const unknown = await request(path, {
      method: 'POST',
      headers: { origin: 'http://localhost' },
      body: new URLSearchParams({ updates: 'maybe' }),
    });
    expect(unknown.status).toBe(422);
    expect((await turn(`${path}x`, 'off')).status).toBe(410);
    clock.advance(61 * 60_000);
    expect((await turn(path, 'off')).status).toBe(410);
    expect((await applicationById(db, id))?.emailUpdates).toBe(true);
  });

  test('keeps the reminder to pay back, and not the first email', async () => {
    const { id, number } = await storeCase(platform, { paid: false, email: 'unpaid@example.org' });
    await db.transaction((tx) => tellUnpaidNow(tx, number, platform.now()));
    expect((await written()).map(({ to }) => to)).toContain('unpaid@example.org');
    await turn(needed(await pathByBirthDate(id)), 'off');
    clock.advance(25 * 3600_000);
    await remindUnpaid(platform);
    expect((await written()).map(({ to }) => to)).not.toContain('unpaid@example.org');
  });
});

describe('a cancellation by the payer', () => {
  test('is confirmed to the payer with what is refunded of which line', async () => {
    const { number, orderNumber } = await storeCase(platform, { email: 'payer@example.org' });
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
    expect(email?.headers).not.toHaveProperty('List-Unsubscribe');
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
      detail: 'standard',
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
