import { beforeEach, describe, expect, test } from 'vitest';
import { openByMail } from '~/features/status/download.server.ts';
import { applicationEmails } from '~/features/application/change-email.server.ts';
import { openCorrection } from '~/features/status/correct.server.ts';
import {
  askCorrection,
  withdrawCorrection,
} from '~/features/desk/application/ask-correction.server.ts';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { RESENT_PER_HOUR, resendEmail } from '~/features/desk/application/case-emails.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { recordedRetentionJobs } from '~/features/desk/privacy/retention-jobs.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { settingChange } from '~/features/settings/tables.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { applicationCorrections, makeApplication, uploadPdf } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { tellUnpaid } from '~/features/order/payer/remind-unpaid.server.ts';
import { queueEmail } from './ledger/store.server.ts';
import { emailJobs } from './jobs.server.ts';
import type { ApplicationEmailKind } from './ledger/tables.server.ts';
import { previewDecision } from './preview.server.ts';

describe('resend', async () => {
  const platform = await makeTestPlatform();
  const { db, sealer, clock, sent } = platform;
  const staff = await storeStaff(platform, { name: 'E. Aydın' });
  const run = (on = platform) => platform.runJobs(emailJobs(on));
  const emails = (applicationId: string) => applicationEmails(db, sealer, applicationId);
  const again = (applicationId: string, id: string) =>
    resendEmail(platform, staff, { id, applicationId });
  const queue = (kind: ApplicationEmailKind, about: string) =>
    db.transaction((tx) => queueEmail(tx, { kind, about, createdAt: platform.now() }));
  const DAY = 24 * 3600_000;

  beforeEach(() => void (sent.length = 0));

  async function approved() {
    const { id } = await makeApplication(platform, { email: 'thabo@example.org' });
    const fileId = await uploadPdf(platform, staff);
    await decideApplication(platform, staff, { kind: 'approve', applicationId: id, fileId });
    await run();
    const [email] = await emails(id);
    return { id, email: needed(email) };
  }
  const tokenIn = (text = '') => /token=([\w.-]+)/.exec(text)?.[1] ?? '';

  describe('an e-mail about an application', () => {
    test('is kept as it was sent, sealed, without the link that opens the document', async () => {
      const { email } = await approved();
      expect(email).toMatchObject({ kind: 'approved', sentAt: platform.now(), failure: null });
      expect(email.content).toMatchObject({ to: 'thabo@example.org', subject: sent[0]?.subject });
      expect(tokenIn(sent[0]?.text)).not.toBe('');
      expect(JSON.stringify(email.content)).not.toContain('token=');
      const { rows } = await platform.pool.query('select content from email');
      expect(rows.every((row) => !String(row.content).includes('Thabo'))).toBe(true);
    });

    test('sent again says the same to the same, with a link that is valid anew', async () => {
      const { id, email } = await approved();
      clock.advance(8 * DAY);
      expect(await again(id, email.id)).toMatchObject({ ok: true });
      await run();
      expect(sent).toHaveLength(2);
      const [first, second] = sent;
      expect(second).toMatchObject({ to: first?.to, subject: first?.subject });
      expect(second?.messageId).not.toBe(first?.messageId);
      const plain = (text = '') => text.replaceAll(/token=[\w.-]+/g, '');
      expect(plain(second?.text)).toBe(plain(first?.text));
      const opened = await Promise.all(sent.map(({ text }) => openByMail(platform, tokenIn(text))));
      expect(opened).toMatchObject([{ ok: false, error: 'expired' }, { ok: true }]);
      expect(await emails(id)).toMatchObject([
        { id: email.id, resentFrom: null },
        { resentFrom: email.id, staffId: staff.id, sentAt: platform.now() },
      ]);
      const trail = await auditEntriesBySubject(db, { kind: 'application', id });
      expect(trail).toContainEqual(
        expect.objectContaining({ action: 'email_resent', staffId: staff.id }),
      );
    });

    test('asked for by three at once is sent again once', async () => {
      const { id, email } = await approved();
      const asked = await Promise.all([1, 2, 3].map(() => again(id, email.id)));
      expect(asked.filter(({ ok }) => ok)).toHaveLength(1);
      expect(asked).toContainEqual({ ok: false, error: 'waiting_email' });
      await run();
      expect(sent).toHaveLength(2);
    });

    test('is sent again five times an hour and no more', async () => {
      const { id, email } = await approved();
      for (let time = 0; time < RESENT_PER_HOUR; time++) {
        expect(await again(id, email.id)).toMatchObject({ ok: true });
        await run();
      }
      expect(await again(id, email.id)).toEqual({ ok: false, error: 'many_emails' });
    });

    test('is not reached under another application', async () => {
      const { email } = await approved();
      const other = await approved();
      expect(await again(other.id, email.id)).toEqual({ ok: false, error: 'unknown_email' });
    });

    test('that cannot leave says why, and another try is the same e-mail', async () => {
      const { id } = await makeApplication(platform);
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: id,
        reason: 'Photo missing',
      });
      const refusal = Object.assign(new Error('no'), { code: 'EENVELOPE', responseCode: 550 });
      const mail = { ...platform.mail, send: () => Promise.reject(refusal) };
      await run({ ...platform, mail });
      const [failed] = await emails(id);
      expect(failed).toMatchObject({ sentAt: null, failure: 'address', failedAt: platform.now() });
      expect(await again(id, needed(failed).id)).toMatchObject({ ok: true });
      expect(await emails(id)).toMatchObject([{ failure: null }]);
      // The queue's own retry runs too: still one email.
      await platform.pool.query('update graphile_worker._private_jobs set run_at = now()');
      await run();
      expect(sent).toHaveLength(1);
      expect(await emails(id)).toMatchObject([{ failure: null, sentAt: platform.now() }]);
    });

    test('to a payer’s new address that could not leave is sent by another try', async () => {
      const { id, orderNumber, order } = await makeApplication(platform, { paid: false });
      await queue('unpaid', orderNumber);
      await run();
      clock.advance(1000);
      await db.transaction((tx) => tellUnpaid(tx, order, platform.now()));
      const mail = { ...platform.mail, send: () => Promise.reject(new Error('no')) };
      await run({ ...platform, mail });
      const [, moved] = await emails(id);
      expect(moved).toMatchObject({ kind: 'unpaid', sentAt: null, failure: 'other' });
      expect(await again(id, needed(moved).id)).toMatchObject({ ok: true });
      await run();
      expect(sent).toHaveLength(2);
      expect(await emails(id)).toMatchObject([{}, { failure: null, sentAt: platform.now() }]);
    });

    test('about something that has ended is not sent again, and says so', async () => {
      const { id } = await makeApplication(platform);
      const asked = { applicationId: id, fields: ['lastName'], note: 'Page 2' };
      await askCorrection(platform, staff, asked);
      await run();
      const [email] = await emails(id);
      await withdrawCorrection(platform, staff, id);
      await run();
      clock.advance(1000);
      await again(id, needed(email).id);
      await run();
      // The request and its end.
      expect(sent).toHaveLength(2);
      expect((await emails(id)).at(-1)).toMatchObject({
        kind: 'correction',
        sentAt: null,
        failure: 'over',
      });
    });

    test('about a correction opens it as long as an answer is waited for', async () => {
      const { id } = await makeApplication(platform);
      await askCorrection(platform, staff, {
        applicationId: id,
        fields: ['lastName'],
        note: 'P. 2',
      });
      await run();
      const [correction] = await applicationCorrections(db, id);
      const answerBy = needed(correction).answerBy.getTime();
      clock.advance(answerBy - platform.now().getTime() - 3_600_000);
      const [email] = await emails(id);
      await again(id, needed(email).id);
      await run();
      const token = /correct\/([\w.-]+)/.exec(sent[1]?.text ?? '')?.[1] ?? '';
      expect(await openCorrection(platform, token)).toMatchObject({
        ok: true,
        value: { correction: { id: correction?.id } },
      });
      clock.advance(2 * DAY);
      expect(await openCorrection(platform, token)).toEqual({ ok: false, error: 'over' });
    });

    test('is deleted after two years', async () => {
      const { id } = await approved();
      clock.advance(732 * DAY);
      const job = {
        id: '1',
        attempt: 1,
        isLastAttempt: false,
        signal: new AbortController().signal,
      };
      await recordedRetentionJobs(platform)['email.delete_expired']?.({}, job);
      expect(await emails(id)).toEqual([]);
    });
  });

  describe('at the desk', () => {
    test('an e-mail is listed with a masked address and opened as a document in which nothing runs', async () => {
      const desk = await makeTestPlatform();
      const app = makeTestApp(desk);
      const { cookie, ...reviewer } = await storeStaff(desk);
      const { id, number } = await makeApplication(desk, { lastName: '<script>alert(1)</script>' });
      await decideApplication(desk, reviewer, { kind: 'approve', applicationId: id });
      await desk.runJobs(emailJobs(desk));
      const get = (path: string) => app.request(path, { headers: { cookie } });
      const html = await (await get(`/admin/applications/${number}`)).text();
      expect(html).toContain('t•••o@example.org');
      const href = /\/admin\/emails\/[0-9a-f-]+/.exec(html)?.[0] ?? '';
      const shown = await get(href);
      const body = await shown.text();
      expect(body).toContain('Your e-visa is approved');
      expect(body).not.toContain('<script');
      expect(shown.headers.get('content-security-policy')).toMatch(/^sandbox .*default-src 'none'/);
      const trail = await auditEntriesBySubject(desk.db, { kind: 'application', id });
      expect(trail).toContainEqual(expect.objectContaining({ action: 'email_viewed' }));
      expect((await app.request(href)).status).toBe(302);

      const body2 = new URLSearchParams({
        intent: 'resend_email',
        about: href.slice('/admin/emails/'.length),
      });
      const path = `/admin/applications/${number}`;
      const resent = await app.request(path, { method: 'POST', headers: { cookie }, body: body2 });
      expect(resent.headers.get('location')).toBe(`${path}?done=email_resent#emails`);
      await desk.runJobs(emailJobs(desk));
      expect(desk.sent).toHaveLength(2);
      expect(await (await get(path)).text()).toContain('Sent again by E. Aydın');
    });
  });
});

describe('operator now', async () => {
  const platform = await makeTestPlatform();
  const { db, sent } = platform;
  const jobs = emailJobs(platform);
  const staff = await storeStaff(platform);
  const NOW = 'Harbour Travel Ltd';
  const BEFORE = platform.config.operator.legalName;

  const at = platform.now();
  await db.insert(settingChange).values({
    section: 'operator',
    values: { legalName: NOW, supportEmail: 'help@harbour.example' },
    validFrom: at,
    reason: 'A new name',
    createdAt: at,
  });

  const queue = (kind: ApplicationEmailKind, about: string) =>
    db.transaction((tx) => queueEmail(tx, { kind, about, createdAt: at }));

  const occasions: Record<string, () => Promise<unknown>> = {
    unpaid: async () => {
      const { orderNumber } = await makeApplication(platform, { paid: false });
      await queue('unpaid', orderNumber);
    },
    received: async () => {
      const { orderNumber } = await makeApplication(platform);
      await queue('received', orderNumber);
    },
    paid_closed: async () => {
      const { orderNumber } = await makeApplication(platform);
      await queue('paid_closed', orderNumber);
    },
    approved: async () =>
      decideApplication(platform, staff, {
        kind: 'approve',
        applicationId: (await makeApplication(platform)).id,
      }),
    rejected: async () => {
      const { id } = await makeApplication(platform);
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: id,
        reason: 'The photo',
      });
    },
    correction: async () => {
      const { id } = await makeApplication(platform);
      const asked = { applicationId: id, fields: ['firstName'], note: 'As in the passport' };
      expect(await askCorrection(platform, staff, asked)).toMatchObject({ ok: true });
    },
  };

  test.each(Object.keys(occasions))(
    'the e-mail “%s” names who operates the service now',
    async (kind) => {
      await platform.runJobs(jobs);
      sent.length = 0;
      await occasions[kind]?.();
      await platform.runJobs(jobs);
      expect(sent.length).toBeGreaterThan(0);
      for (const { text, html } of sent) {
        expect(text).toContain(NOW);
        expect(html).toContain(NOW);
        expect(text + html).not.toContain(BEFORE);
      }
    },
  );

  test('so does what staff read before they send it', async () => {
    const { id } = await makeApplication(platform);
    const application = await applicationById(db, id);
    if (!application) throw new Error('No such application');
    const planned = { kind: 'reject', fileId: null, rejectionCode: 'other', words: 'x' } as const;
    const { html } = await previewDecision(platform, application, planned);
    expect(html).toContain(NOW);
    expect(html).not.toContain(BEFORE);
  });
});
