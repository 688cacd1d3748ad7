import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { correctionAddress } from '~/features/application/reopened.server.ts';
import { downloadAddress, openByMail } from '~/features/status/download.server.ts';
import { applicationEmails } from '~/features/application/change-email.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { openPayerLink, payerLink, isPayer } from '~/features/order/payer/payer.server.ts';
import {
  openReceiptByMail,
  receiptAddress,
  receiptsByOrder,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { openCorrection } from '~/features/status/correct.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { askCorrection } from './ask-correction.server.ts';
import { decideApplication } from './decide.server.ts';
import { goodPdf, storeStaff } from './testing/case-store.server.ts';
import { upload } from './uploads.server.ts';
import { correctEmail, emailCorrectionsByApplication } from './case-emails.server.ts';
import { applicationCorrections, makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sealer, sent } = platform;
const { cookie, ...staff } = await storeStaff(platform);
const jobs = emailJobs(platform);

const needed = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('Nothing there');
  return value;
};
const tokenIn = (address: string) => address.split(/[/=]/).at(-1) ?? '';
const correct = (applicationId: string, changes: Record<string, unknown> = {}) =>
  correctEmail(platform, staff, {
    applicationId,
    email: 'thabo@right.example',
    emailAnswer: '',
    why: 'He called: an e-mail was missing',
    emailIds: [],
    ...changes,
  });

async function approved() {
  const { id, number } = await makeApplication(platform, { email: 'thabo@wrong.example' });
  const file = await upload(platform, staff, goodPdf());
  if (!file.ok) throw new Error(file.error);
  await decideApplication(platform, staff, {
    kind: 'approve',
    applicationId: id,
    fileId: file.value.id,
  });
  await platform.runJobs(jobs);
  sent.length = 0;
  const order = needed(await orderByNumber(db, number));
  return { application: needed(await applicationById(db, id)), order };
}

describe('a corrected e-mail address', () => {
  test('is the traveller’s and the payer’s from then on, with old, new and reason in the case’s history', async () => {
    const { application, order } = await approved();
    expect(await correct(application.id)).toEqual({ ok: true, value: null });
    expect((await applicationById(db, application.id))?.email).toBe('thabo@right.example');
    expect((await orderByNumber(db, order.number))?.customerEmail).toBe('thabo@right.example');
    expect(await emailCorrectionsByApplication(db, sealer, application.id)).toMatchObject([
      {
        from: 'thabo@wrong.example',
        to: 'thabo@right.example',
        why: 'He called: an e-mail was missing',
        staffId: staff.id,
      },
    ]);
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: application.id });
    const entry = trail.find(({ action }) => action === 'email_corrected');
    expect(entry).toMatchObject({ staffId: staff.id });
    expect(JSON.stringify(entry)).not.toContain('example');
  });

  test('another one under the same id, from a page the browser brought back, is stored too', async () => {
    const { id } = await makeApplication(platform, { email: 'thabo@wrong.example' });
    const form = randomUUID();
    expect(await correct(id, { id: form })).toMatchObject({ ok: true });
    platform.clock.advance(1000);
    const again = await correct(id, { id: form, email: 'thabo@better.example' });
    expect(again).toMatchObject({ ok: true });
    const stored = await emailCorrectionsByApplication(db, sealer, id);
    expect(stored.map(({ to }) => to)).toEqual(['thabo@right.example', 'thabo@better.example']);
    expect(stored[0]?.id).toBe(form);
  });

  test('closes every link that went to the old one, and what was opened by it', async () => {
    const { application, order } = await approved();
    const download = tokenIn(downloadAddress(platform, application));
    const payer = tokenIn(payerLink(platform, order));
    const stranger = randomBytes(32);
    expect(await openPayerLink(platform, payer, stranger)).toMatchObject({ ok: true });
    expect(await openByMail(platform, download)).toMatchObject({ ok: true });
    await correct(application.id);
    expect(await openByMail(platform, download)).toEqual({ ok: false, error: 'expired' });
    expect(await openPayerLink(platform, payer, stranger)).toEqual({ ok: false, error: 'expired' });
    expect(await isPayer(db, stranger, order)).toBe(false);
    const now = needed(await applicationById(db, application.id));
    const fresh = tokenIn(downloadAddress(platform, now));
    expect(await openByMail(platform, fresh)).toMatchObject({ ok: true });
  });

  test('closes the receipt’s link that went to the old one, and opens the next', async () => {
    const { application, order } = await approved();
    const receipt = needed((await receiptsByOrder(db, order.id))[0]);
    const mailed = tokenIn(receiptAddress(platform, receipt, order));
    expect(await openReceiptByMail(platform, mailed)).toMatchObject({ ok: true });
    await correct(application.id);
    expect(await openReceiptByMail(platform, mailed)).toEqual({ ok: false, error: 'expired' });
    const now = needed(await orderByNumber(db, order.number));
    const fresh = tokenIn(receiptAddress(platform, receipt, now));
    expect(await openReceiptByMail(platform, fresh)).toMatchObject({ ok: true });
  });

  test('closes the link to a correction that went to the old one, and opens the next', async () => {
    const stored = await makeApplication(platform, { email: 'thabo@wrong.example' });
    const asked = await askCorrection(platform, staff, {
      applicationId: stored.id,
      fields: ['passportNumber'],
      note: 'The number does not match the photo page.',
    });
    expect(asked).toMatchObject({ ok: true });
    const correction = needed((await applicationCorrections(db, stored.id))[0]);
    const mailed = tokenIn(correctionAddress(platform, correction, stored));
    expect(await openCorrection(platform, mailed)).toMatchObject({ ok: true });
    expect(await correct(stored.id)).toMatchObject({ ok: true });
    expect(await openCorrection(platform, mailed)).toEqual({ ok: false, error: 'over' });
    const now = needed(await applicationById(db, stored.id));
    const fresh = tokenIn(correctionAddress(platform, correction, now));
    expect(await openCorrection(platform, fresh)).toMatchObject({ ok: true });
  });

  test('gets the chosen e-mails again, and no others', async () => {
    const { application } = await approved();
    const emails = await applicationEmails(db, sealer, application.id);
    const email = needed(emails.find(({ kind }) => kind === 'approved'));
    await correct(application.id, { emailIds: [email.id] });
    await platform.runJobs(jobs);
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['thabo@right.example', expect.stringMatching(/^Your e-visa is approved/)],
    ]);
  });

  test.each([
    ['what cannot be an address', { email: 'a,b@c.de' }, 'invalid_email'],
    ['what looks mistyped', { email: 'thabo@gmial.com' }, 'mistyped_email'],
    ['the same address', { email: 'thabo@wrong.example' }, 'same_email'],
    ['no reason', { why: '  ' }, 'empty_why'],
  ])('is refused for %s, and nothing changes', async (_, changes, error) => {
    const { application } = await approved();
    expect(await correct(application.id, changes)).toEqual({ ok: false, error });
    expect(await applicationById(db, application.id)).toEqual(application);
    expect(await emailCorrectionsByApplication(db, sealer, application.id)).toEqual([]);
  });
});

test('the form on the application’s page corrects it and shows what it was', async () => {
  const app = makeTestApp(platform);
  const { application } = await approved();
  const path = `/admin/applications/${application.number}`;
  const about = randomUUID();
  const body = new URLSearchParams({
    intent: 'correct_email',
    about,
    [`correct_email-${about}`]: 'thabo@right.example',
    emailWhy: 'He called',
  });
  const response = await app.request(path, { method: 'POST', headers: { cookie }, body });
  expect(response.headers.get('location')).toBe(`${path}?done=email_corrected#email`);
  const html = await (await app.request(path, { headers: { cookie } })).text();
  expect(html).toContain('thabo@wrong.example');
  expect(html).toContain('He called');
});
