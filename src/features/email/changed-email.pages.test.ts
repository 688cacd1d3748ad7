import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { formatNumber } from '~/base/format-number.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { emailJobs } from './jobs.server.ts';
import { openPayerLink } from '~/features/order/payer/payer.server.ts';
import { TELL_AFTER_MS, tellUnpaid } from '~/features/order/payer/remind-unpaid-store.server.ts';
import { quietPayments, quietProvider } from '~/features/payment/testing/quiet-provider.ts';
import { handleChangeSubmit } from '~/features/visa/change-page.server.ts';
import { makeBrowser, southAfrican } from '~/features/visa/testing/sample-browser.server.ts';
import { handleNationalitySubmit } from '~/features/visa/wizard/nationality.server.ts';
import { handleReviewSubmit } from '~/features/visa/wizard/review.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { begunBy, sendResumeLink } from '~/features/form/draft/resume.server.ts';
import { draft as draftTable } from '~/features/form/tables.server.ts';
import { insuranceDrafts } from '~/features/insurance/store/draft.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { filledIn, sentForm, visitor } from '~/features/insurance/testing/visit.ts';
import { take } from '~/features/visa/testing/wizard-visits.server.ts';
import { needed } from '../../../test/needed.ts';

const platform = await makeTestPlatform();
const quiet = quietPayments(quietProvider());
const { clock, db, sent } = platform;
const app = makeTestApp(platform);
const browser = visitor(app);
const jobs = emailJobs(platform);

beforeAll(() => seedAll(db, [seedCatalog, seedInsurance], platform.now()));

async function mails() {
  sent.length = 0;
  await tellUnpaid(platform);
  await platform.runJobs(jobs);
  return [...sent];
}

const payerToken = (text = '') => /\/en\/my-order\/([\w.-]+)/.exec(text)?.[1] ?? '';
const mayChange = async (visit: ReturnType<typeof browser>, number: string) =>
  (await visit(`/insurance/change?ref=${number}`)).html.includes('name="intent"');

test('another e-mail address of an insurance gets number and way to pay, and what went to the old one opens nothing', async () => {
  const visit = browser();
  await visit('/insurance', sentForm(filledIn));
  const { location } = await visit('/insurance/review', sentForm({ intent: 'pay' }));
  const number = location.replace('/insurance/payment?ref=', '');
  clock.advance(TELL_AFTER_MS);
  const [old] = await mails();
  expect(old?.to).toBe(filledIn.email);
  const other = browser();
  await other(`/en/my-order/${payerToken(old?.text)}`);
  expect(await mayChange(other, number)).toBe(true);

  await visit(`/insurance/change?ref=${number}`, sentForm({ intent: 'change' }));
  const [draft] = await db.select().from(draftTable).where(eq(draftTable.changing, number));
  const { id: draftId } = needed(draft);
  const request = {
    draftId,
    email: filledIn.email,
    language: 'en',
    address: '192.0.2.1',
    opener: null,
  };
  expect(await sendResumeLink(insuranceDrafts, platform, request)).toMatchObject({ ok: true });
  const [resume] = await mails();
  const saved = /\/insurance\/resume\/([\w.-]+)/.exec(resume?.text ?? '')?.[1] ?? '';
  expect(await begunBy(insuranceDrafts, platform, saved, 'en')).not.toBeNull();

  const moved = { ...filledIn, email: 'sofia.ruiz@correo.example' };
  await visit('/insurance', sentForm(moved));
  const paid = await visit('/insurance/review', sentForm({ intent: 'pay', totalAmount: '149.00' }));
  expect(paid.location).toBe(`/insurance/payment?ref=${number}`);

  const [email, ...more] = await mails();
  expect(more).toEqual([]);
  expect(email?.to).toBe(moved.email);
  expect(email?.text).toContain(formatNumber(number));
  const opened = await openPayerLink(platform, payerToken(email?.text), randomBytes(32));
  expect(opened).toMatchObject({ ok: true, value: { number } });
  const gone = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
  expect(gone).toMatchObject({ ok: false });
  expect(await begunBy(insuranceDrafts, platform, saved, 'en')).toBeNull();
  // A browser that became the payer's by the old link no longer is; the one that changed the address still is.
  expect(await mayChange(other, number)).toBe(false);
  expect(await mayChange(visit, number)).toBe(true);
});

test('the same address is not written to again', async () => {
  const visit = browser();
  await visit('/insurance', sentForm(filledIn));
  const { location } = await visit('/insurance/review', sentForm({ intent: 'pay' }));
  const number = location.replace('/insurance/payment?ref=', '');
  clock.advance(TELL_AFTER_MS);
  const [old] = await mails();
  await visit(`/insurance/change?ref=${number}`, sentForm({ intent: 'change' }));
  await visit('/insurance', sentForm({ ...filledIn, lastName: 'Castillo' }));
  await visit('/insurance/review', sentForm({ intent: 'pay', totalAmount: '149.00' }));
  expect(await mails()).toEqual([]);
  const opened = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
  expect(opened).toMatchObject({ ok: true });
});

test('another e-mail address of an e-visa does the same', async () => {
  const traveller = makeBrowser(platform, { payments: quiet });
  await traveller.post(handleNationalitySubmit, southAfrican);
  for (const step of ['what_it_allows', 'arrival', 'details'] as const) {
    await traveller.post(take(step), southAfrican);
  }
  await traveller.post(handleReviewSubmit, { intent: 'pay' });
  clock.advance(TELL_AFTER_MS);
  const [old] = await mails();
  expect(old?.to).toBe(southAfrican.email);
  const first = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
  const number = first.ok ? first.value.number : '';

  await traveller.post(
    handleChangeSubmit,
    { intent: 'change' },
    `/application/change?ref=${number}`,
  );
  await traveller.post(take('details'), { ...southAfrican, email: 'thandi@mail.example' });
  await traveller.post(handleReviewSubmit, { intent: 'pay', totalAmount: '94.00' });
  const [email, ...more] = await mails();
  expect(more).toEqual([]);
  expect(email?.to).toBe('thandi@mail.example');
  expect(email?.text).toContain(formatNumber(number));
  const opened = await openPayerLink(platform, payerToken(email?.text), randomBytes(32));
  expect(opened).toMatchObject({ ok: true, value: { number } });
  const gone = await openPayerLink(platform, payerToken(old?.text), randomBytes(32));
  expect(gone).toMatchObject({ ok: false, error: 'expired' });
});
