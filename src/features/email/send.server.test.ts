import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, describe, expect, test } from 'vitest';
import { decide } from '~/features/desk/application/decide.server.ts';
import { goodPdf, storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { upload } from '~/features/desk/application/uploads.server.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { makeMail } from '~/platform/mail/mail.server.ts';
import { SEND_JOB } from './ledger/queue.server.ts';
import { insertEmail } from './ledger/store.server.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';
import { failureOf } from './send.server.ts';
import { makeApplication } from '../../../test/make.ts';

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
        sources.push({ source: Buffer.concat(chunks), recipients: session.envelope.rcptTo.length });
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
    await decide(platform, staff, { kind: 'approve', applicationId: approved.id });
    await decide(platform, staff, {
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
    await decide(platform, staff, { kind: 'approve', applicationId: id });
    const emailId = await emailAbout(id);
    const run = () => jobs[SEND_JOB]?.({ emailId }, job);
    const job = { id: '1', attempt: 1, isLastAttempt: false, signal: new AbortController().signal };
    const outcomes = await Promise.allSettled([run(), run(), run(), run(), run()]);
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);
    await runJobs();
    await server.stop();
    expect(await server.accepted()).toHaveLength(1);
    const trail = await auditEntriesOf(platform.db, { kind: 'application', id });
    expect(trail.filter(({ action }) => action === 'email_sent')).toMatchObject([
      { staffId: null, detail: { kind: 'approved' } },
    ]);
  });

  test('sent again after a crash between sending and marking bears the same Message-ID', async () => {
    const server = await startServer('accept');
    const { id } = await makeApplication(platform);
    await decide(platform, staff, { kind: 'approve', applicationId: id });
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
    await decide(platform, staff, { kind: 'approve', applicationId: id });
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
    await decide(platform, staff, { kind: 'approve', applicationId: id });
    for (let round = 0; round < 2; round++) {
      const file = await upload(platform, staff, goodPdf());
      if (!file.ok) throw new Error(file.error);
      await decide(platform, staff, { kind: 'attach', applicationId: id, fileId: file.value.id });
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
    await decide(platform, staff, { kind: 'approve', applicationId: id });
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
  expect(failureOf(error)).toBe(failure);
});
