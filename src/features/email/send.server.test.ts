import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, test } from 'vitest';
import { decideApplication } from '~/features/desk/application/decide.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { makeMail, type EmailMessage } from '~/platform/mail/mail.server.ts';
import { languageCodes, languages } from '~/base/languages.ts';
import { addMonths, toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import { ENTRY_MONTHS, entryRule, lastEntryDay } from '~/features/application/entry-rule.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { makeApplication, uploadPdf } from '../../../test/make.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { SEND_JOB, queueEmail, insertEmail } from './ledger/store.server.ts';
import { emailJobs, emailFailure } from './jobs.server.ts';
import { emailWords, secretLinkEmail } from './kinds/kind.server.ts';

describe('send', async () => {
  const PORT = 20_000 + Math.floor(Math.random() * 12_000);
  const platform = await makeTestPlatform();
  const mail = makeMail({
    mailUrl: `smtp://127.0.0.1:${PORT}?ignoreTLS=true`,
    mailFrom: 'Lale <no-reply@lale.example>',
    dataDir: platform.config.dataDir,
  });
  const bySmtp = { ...platform, mail };
  const jobs = emailJobs(bySmtp);
  const staff = await storeStaff(platform, { role: 'manager' });
  afterAll(() => mail.close());

  /** The id of the email that an approval has queued. */
  async function emailAbout(applicationId: string): Promise<string> {
    const approved = { kind: 'approved', about: applicationId, createdAt: platform.now() } as const;
    return (await insertEmail(platform.db, approved)).id;
  }

  type Mood = 'accept' | 'refuse_sender' | 'refuse_recipient' | 'refuse_content';

  /** An SMTP server that records what it accepted. */
  async function startServer(mood: Mood) {
    const sources: { source: Buffer; recipients: number }[] = [];
    const refuse = (code: number) => Object.assign(new Error('not now'), { responseCode: code });
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      closeTimeout: 50,
      onMailFrom: (_, __, done) => done(mood === 'refuse_sender' ? refuse(451) : null),
      onRcptTo: (_, __, done) => done(mood === 'refuse_recipient' ? refuse(450) : null),
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          if (mood === 'refuse_content') return done(refuse(452));
          sources.push({
            source: Buffer.concat(chunks),
            recipients: session.envelope.rcptTo.length,
          });
          done();
        });
      },
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(PORT, '127.0.0.1', resolve));
    const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
    const accepted = async (): Promise<Email[]> => {
      expect(sources.every(({ recipients }) => recipients === 1)).toBe(true);
      return Promise.all(sources.map(({ source }) => PostalMime.parse(source)));
    };
    return { accepted, stop };
  }

  /** Runs every waiting job now, ignoring its back-off. */
  async function runJobs() {
    await platform.pool.query(
      "update graphile_worker._private_jobs set run_at = now() - interval '1 s'",
    );
    await platform.runJobs(jobs);
  }

  const waiting = async () => {
    const { rows } = await platform.pool.query<{ n: string }>(
      'select count(*) n from graphile_worker._private_jobs',
    );
    return Number(rows[0]?.n);
  };

  describe('a mail server that is away for an hour', () => {
    test('loses nothing and doubles nothing', async () => {
      const approved = await makeApplication(platform, { email: 'one@example.org' });
      const rejected = await makeApplication(platform, { email: 'two@example.org' });
      await decideApplication(platform, staff, { kind: 'approve', applicationId: approved.id });
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: rejected.id,
        // Which gives nothing back, so that there is no email about a refund.
        code: 'authorities_refused',
      });

      for (let minutes = 0; minutes < 60; minutes += 20) {
        await runJobs();
        platform.clock.advance(20 * 60_000);
        expect(await waiting()).toBe(2);
      }
      for (const mood of ['refuse_sender', 'refuse_recipient', 'refuse_content'] as const) {
        const server = await startServer(mood);
        await runJobs();
        await server.stop();
        expect(await server.accepted()).toHaveLength(0);
        expect(await waiting()).toBe(2);
      }

      const server = await startServer('accept');
      await runJobs();
      // The same job again, as after a crash before the queue recorded its end.
      await enqueue(platform.db, SEND_JOB, { emailId: await emailAbout(approved.id) });
      await runJobs();
      await runJobs();
      await server.stop();
      expect(await waiting()).toBe(0);
      const recipients = (await server.accepted()).map(({ to }) => to?.[0]?.address);
      expect(recipients.toSorted()).toEqual(['one@example.org', 'two@example.org']);
    });
  });

  describe('one occasion', () => {
    test('is one e-mail, also with many jobs at once', async () => {
      const server = await startServer('accept');
      const { id } = await makeApplication(platform);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      const emailId = await emailAbout(id);
      const run = () => jobs[SEND_JOB]?.({ emailId }, job);
      const job = {
        id: '1',
        attempt: 1,
        isLastAttempt: false,
        signal: new AbortController().signal,
      };
      const outcomes = await Promise.allSettled([run(), run(), run(), run(), run()]);
      expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
      await runJobs();
      await server.stop();
      expect(await server.accepted()).toHaveLength(1);
      const trail = await auditEntriesBySubject(platform.db, { kind: 'application', id });
      expect(trail.filter(({ action }) => action === 'email_sent')).toMatchObject([
        { staffId: null, detail: { kind: 'approved' } },
      ]);
    });

    test('sent again after a crash between sending and marking bears the same Message-ID', async () => {
      const server = await startServer('accept');
      const { id } = await makeApplication(platform);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      const send: typeof mail.send = async (message) => {
        await mail.send(message);
        throw new Error('killed');
      };
      await platform.runJobs(emailJobs({ ...platform, mail: { ...mail, send } }));
      await runJobs();
      await server.stop();
      expect(await server.accepted()).toHaveLength(2);
      expect(new Set((await server.accepted()).map(({ messageId }) => messageId)).size).toBe(1);
    });

    test('taken by a process that died is taken over after ten minutes, not before', async () => {
      const { id } = await makeApplication(platform);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      await platform.pool.query(
        `update email set message_id = '<x@y>', claimed_at = $2, tries = 1 where id = $1`,
        [await emailAbout(id), platform.now()],
      );
      const server = await startServer('accept');
      await runJobs();
      platform.clock.advance(9 * 60_000);
      await runJobs();
      expect(await server.accepted()).toHaveLength(0);
      platform.clock.advance(2 * 60_000);
      await runJobs();
      await server.stop();
      expect((await server.accepted()).map(({ messageId }) => messageId)).toEqual(['<x@y>']);
    });

    test('every attached document is an occasion of its own', async () => {
      const { id } = await makeApplication(platform);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      for (let round = 0; round < 2; round++) {
        const fileId = await uploadPdf(platform, staff);
        await decideApplication(platform, staff, { kind: 'attach', applicationId: id, fileId });
      }
      const server = await startServer('accept');
      await runJobs();
      await server.stop();
      expect(
        (await server.accepted()).map(({ subject }) => subject?.replace(/:.*/, '')).toSorted(),
      ).toEqual([
        'Your e-visa is approved',
        'Your e-visa is ready to download',
        'Your e-visa is ready to download',
      ]);
    });
  });

  describe('a delivered e-mail', () => {
    test('has both forms, one recipient, no attachment, and headers that names cannot bend', async () => {
      const server = await startServer('accept');
      const { id } = await makeApplication(platform, {
        firstName: 'Thabo\r\nBcc: everybody@example.org',
        lastName: '<script>alert(1)</script>',
        email: 'thabo@example.org',
      });
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      await runJobs();
      await server.stop();
      const [email] = await server.accepted();
      expect(email?.to).toEqual([{ name: '', address: 'thabo@example.org' }]);
      expect(email?.bcc ?? []).toEqual([]);
      expect(email?.attachments).toEqual([]);
      expect(email?.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(email?.html).not.toContain('<script');
      expect(email?.text).toContain('Your e-visa is approved');
      const headers = new Map(email?.headers.map(({ key, value }) => [key, value]));
      expect(headers.get('auto-submitted')).toBe('auto-generated');
      expect(headers.get('content-language')).toBe('en');
    });
  });

  test.each([
    [{ code: 'EENVELOPE', responseCode: 550 }, 'address'],
    [{ code: 'EMESSAGE', responseCode: 552 }, 'refused'],
    [{ code: 'EENVELOPE', responseCode: 450 }, 'later'],
    [{ code: 'ECONNECTION' }, 'unreachable'],
    [{ code: 'ESOCKET', errno: -111 }, 'unreachable'],
    [new Error('anything'), 'other'],
    [undefined, 'other'],
  ])('%j means: %s', (error, failure) => {
    expect(emailFailure(error)).toBe(failure);
  });
});

describe('entry rule', async () => {
  const platform = await makeTestPlatform();
  const staff = await storeStaff(platform);
  const visit = visitor(makeTestApp(platform))();
  const DAY = 24 * 3600_000;
  const promisedAt = new Date(platform.now().getTime() + 5 * DAY);

  const plain = (text: string) => text.replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');

  /** Emails and pages write dates with spaces that do not break. */
  const rule = (language: (typeof languageCodes)[number], issuedAt: Date) =>
    plain(entryRule(makeTranslate(language, 'application'), language, lastEntryDay(issuedAt)));

  test('three months after the issue is the same day of the month, in Türkiye', () => {
    const issuedAt = new Date('2026-12-08T22:00:00Z');
    expect(toPlainDate(issuedAt, TURKIYE)).toBe('2026-12-09');
    expect(lastEntryDay(issuedAt)).toBe(addMonths(toPlainDate(issuedAt, TURKIYE), ENTRY_MONTHS));
    expect(lastEntryDay(issuedAt)).toBe('2027-03-09');
  });

  test.each(languageCodes)(
    'status page and approval email say one sentence with one date, in %s',
    async (language) => {
      const { id, number } = await makeApplication(platform, {
        supportingDocumentNumber: 'C01234567',
        language,
        promisedAt,
      });
      const page = async () => plain((await visit(`/${language}/status?ref=${number}`)).html);
      expect(await page()).toContain(rule(language, promisedAt));
      const fileId = await uploadPdf(platform, staff);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id, fileId });
      const issuedAt = (await applicationById(platform.db, id))?.decidedAt;
      if (!issuedAt) throw new Error('not decided');
      platform.sent.length = 0;
      await platform.runJobs(emailJobs(platform));
      expect(plain(platform.sent.map(({ text }) => text).join())).toContain(
        rule(language, issuedAt),
      );
      expect(await page()).toContain(rule(language, issuedAt));
      expect(rule(language, issuedAt)).not.toBe(rule(language, promisedAt));
    },
  );

  test('an e-visa without a supporting document has no such day', async () => {
    const { number } = await makeApplication(platform, { promisedAt });
    const { html } = await visit(`/status?ref=${number}`);
    expect(plain(html)).not.toContain('of the e-visa being issued');
  });
});

describe('emails', async () => {
  const platform = await makeTestPlatform();
  const jobs = emailJobs(platform);
  const staff = await storeStaff(platform);

  async function sent(): Promise<EmailMessage> {
    platform.sent.length = 0;
    await platform.runJobs(jobs);
    expect(platform.sent).toHaveLength(1);
    const [message] = platform.sent;
    if (!message) throw new Error('Nothing was sent');
    return message;
  }

  const paid = (about: string) =>
    platform.db.transaction((tx) =>
      queueEmail(tx, { kind: 'received', about, createdAt: platform.now() }),
    );

  const hrefs = (html: string) =>
    [...html.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

  describe('received and paid', () => {
    test('says what was bought, the promised moment in two zones, and where to follow it', async () => {
      const { number } = await makeApplication(platform, {
        promisedAt: new Date('2026-11-26T13:20:00Z'),
      });
      await paid(number);
      const { text, html, subject, to } = await sent();
      expect(to).toBe('thabo@example.org');
      expect(subject).toMatch(/^We’ve received your application: TRV /);
      expect(text).toContain('Thursday 26 November 2026, 13:20 UTC (16:20 in Türkiye)');
      expect(text).toContain('E-visa fee: $69.00');
      expect(text).toContain('Processing (standard): $25.00');
      expect(text).toContain('Total paid: $94.00');
      expect(hrefs(html)).toContain(`${platform.config.publicUrl}/en/status?ref=${number}`);
    });

    test('is not written for an order that is not paid', async () => {
      const { number } = await makeApplication(platform, { paid: false });
      await paid(number);
      platform.sent.length = 0;
      await platform.runJobs(emailJobs(platform));
      expect(platform.sent).toEqual([]);
    });
  });

  describe('approved', () => {
    test('links to the download and masks the passport', async () => {
      const { id } = await makeApplication(platform);
      const fileId = await uploadPdf(platform, staff);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id, fileId });
      const { text, html, attachments = [] } = await sent();
      expect(attachments).toEqual([]);
      expect(text).toContain('up to 30 days, within 180 days from 12 December 2026');
      expect(text).toContain('A0•••••47');
      expect(html + text).not.toContain('A01234547');
      expect(hrefs(html).filter((href) => href.includes('/en/download?token='))).toHaveLength(1);
    });

    test('without a document says that it follows and leads to the status page', async () => {
      const { id, number } = await makeApplication(platform);
      await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
      const { text } = await sent();
      expect(text).toContain('The document is not available yet.');
      expect(text).toContain(`/en/status?ref=${number}`);
      expect(text).not.toContain('/download');
    });
  });

  describe('rejected', () => {
    test('carries the reason as it was written', async () => {
      const { id } = await makeApplication(platform);
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: id,
        reason: 'Page 2 is <missing>\nSend it',
      });
      const { text, html } = await sent();
      expect(text).toContain('Page 2 is <missing>\nSend it');
      expect(html).toContain('Page 2 is &lt;missing&gt;');
      expect(hrefs(html)).toContain(`${platform.config.publicUrl}/en/cancellation-policy`);
      expect(text).toContain('refund is $25.00');
      expect(text).toContain('in 5 to 10 business days');
      expect(text).toMatch(/You can apply directly at https:\/\/www\.evisa\.gov\.tr\/\S*\.\n/);
    });

    test('says a reason from the list in the traveller’s language, words as they were written', async () => {
      const { id } = await makeApplication(platform, { language: 'fr' });
      const asked = { applicationId: id, code: 'duplicate' as const, reason: 'Siehe oben' };
      await decideApplication(platform, staff, { kind: 'reject', ...asked });
      const { text } = await sent();
      expect(text).toContain('Il existe une autre demande pour le même voyage.');
      expect(text).toContain('Siehe oben');
      const silent = await makeApplication(platform, { language: 'de' });
      await decideApplication(platform, staff, {
        kind: 'reject',
        applicationId: silent.id,
        code: 'duplicate',
      });
      expect((await sent()).text).not.toContain('Nachricht unseres Teams');
    });
  });

  describe('an e-mail about no application', () => {
    const kinds = ['resume', 'invitation', 'password_reset'] as const;

    test.each(kinds)('%s says why it came, and speaks of no copy: none is kept', async (kind) => {
      const operated = await withOperator(platform);
      const privacyTexts = languages.map(({ code }) => {
        const words = emailWords(operated, code);
        const { text } = secretLinkEmail(words, kind, { url: 'https://lale.example/', count: 7 })
          .footer.privacy;
        expect(text).not.toBe(words.footer.privacy.text);
        return text;
      });
      expect(new Set(privacyTexts).size).toBe(languages.length);
      expect(privacyTexts[0]).not.toMatch(/copy/);
    });
  });

  describe('every e-mail', () => {
    test.each(languages.map(({ code, direction }) => [code, direction] as const))(
      'in %s runs %s, shows pictures of ours only and no placeholder of a text',
      async (language, direction) => {
        const { id } = await makeApplication(platform, { language });
        await decideApplication(platform, staff, { kind: 'approve', applicationId: id });
        const { html, text, language: tag } = await sent();
        expect(tag).toBe(language);
        expect(html).toContain(`<html dir="${direction}" lang="${language}">`);
        const logo = /<td[^>]*dir="ltr"[^>]*style="([^"]*)"/.exec(html)?.[1];
        expect(logo).toContain(`text-align:${direction === 'rtl' ? 'right' : 'left'}`);
        const pictures = [...html.matchAll(/src="([^"]+)"/g)].map(([, src]) => src);
        expect(pictures).toHaveLength(3);
        for (const src of pictures) {
          expect(src).toMatch(new RegExp(`^${platform.config.publicUrl}/email/[\\w-]+\\.png$`));
        }
        expect(html + text).not.toMatch(/\{\{|undefined|NaN|\bemail:/);
        expect(html).toContain('prefers-color-scheme:dark');
        for (const href of hrefs(html)) expect(URL.canParse(href)).toBe(true);
      },
    );
  });
});
