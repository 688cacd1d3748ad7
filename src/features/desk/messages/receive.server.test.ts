import hoodiecrow from 'hoodiecrow-imap';
import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { makeReplyAddress, readReplyAddress } from '~/features/application/reply-address.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { insertEmail, SEND_JOB } from '~/features/email/ledger/store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { mailboxAccepts, TAKEN_FOLDER, TAKEN_MS } from '~/platform/mail/mailbox.server.ts';
import { storedFiles } from '~/platform/testing/stored-files.ts';
import { makeApplication } from '../../../../test/make.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { claimApplication } from '../application/claim.server.ts';
import { findPutOff, putOff } from '../application/put-off.server.ts';
import { putOffFields } from '../application/put-off.ts';
import { goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { mailboxCheck } from '../setup/reach-checks.server.ts';
import { forYouEntries } from '../queue/for-you.server.ts';
import { messagesByApplication } from '~/features/application/messages/messages.server.ts';
import { readMailbox } from './receive.server.ts';

const ADDRESS = 'inbox@lale.example';

const imap = hoodiecrow({
  plugins: ['UIDPLUS', 'MOVE', 'LITERALPLUS'],
  storage: { INBOX: {}, '': { folders: {} } },
});
await new Promise<void>((resolve) => imap.listen(0, '127.0.0.1', resolve));
afterAll(() => new Promise<void>((resolve) => imap.close(resolve)));
const { port } = imap.server.address();

const platform = await makeTestPlatform({
  now: new Date('2026-11-23T10:00:00Z'),
  variables: {
    MAILBOX_URL: `imap://testuser:testpass@127.0.0.1:${port}`,
    MAILBOX_ADDRESS: ADDRESS,
  },
});
const { db, sealer, clock } = platform;
const aydin = await storeStaff(platform);

const inFolder = (path: string) => imap.getMailbox(path)?.messages ?? [];
beforeEach(() => {
  for (const path of ['INBOX', TAKEN_FOLDER]) inFolder(path).splice(0);
});

const replyAddress = ({ id }: { id: string }) => makeReplyAddress(sealer, ADDRESS, id);
const read = ({ id }: { id: string }) => messagesByApplication(db, sealer, id);
const textsOf = async (application: { id: string }) =>
  (await read(application)).map(({ text }) => text);

let sent = 0;
/** Puts an email into the inbox. */
function deliver(
  to: string,
  {
    text = 'My passport was renewed.',
    messageId = `<${(sent += 1)}@example.org>`,
    headers = [],
  }: { text?: string; messageId?: string; headers?: readonly string[] } = {},
): void {
  const lines = [
    'From: Ada <ada@example.org>',
    `To: ${to}`,
    `Message-ID: ${messageId}`,
    'Subject: Re: Your application',
    ...headers,
    '',
    text,
  ];
  imap.appendMessage('INBOX', [], undefined, lines.join('\r\n'));
}

const withFiles = (...files: readonly (readonly [name: string, bytes: Buffer])[]) => ({
  headers: ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b'],
  text: [
    '--b',
    'Content-Type: text/plain',
    '',
    'See the files.',
    ...files.flatMap(([name, bytes]) => [
      '--b',
      'Content-Type: application/octet-stream',
      `Content-Disposition: attachment; filename="${name}"`,
      'Content-Transfer-Encoding: base64',
      '',
      bytes.toString('base64'),
    ]),
    '--b--',
  ].join('\r\n'),
});

describe('an email to the reply address of an application', () => {
  test('is a message of it, sealed, and leaves the inbox', async () => {
    const application = await makeApplication(platform);
    deliver(replyAddress(application).toUpperCase());
    await readMailbox(platform);
    expect(await read(application)).toMatchObject([
      {
        direction: 'in',
        staffId: null,
        sender: 'ada@example.org',
        subject: 'Re: Your application',
        text: 'My passport was renewed.',
        at: platform.now(),
        readAt: null,
        isAutomatic: false,
        files: [],
        leftOut: 0,
      },
    ]);
    expect(inFolder('INBOX')).toEqual([]);
    expect(inFolder(TAKEN_FOLDER)).toHaveLength(1);
    const { rows } = await platform.pool.query<{ all: string }>(
      `select encode(text || subject || sender, 'escape') as all from case_message`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/passport|ada@/);
  });

  test('that arrives twice is one; another text under its Message-ID is another one', async () => {
    const application = await makeApplication(platform);
    const messageId = '<twice@example.org>';
    for (const text of ['One', 'One', 'Other'])
      deliver(replyAddress(application), { messageId, text });
    await readMailbox(platform);
    deliver(replyAddress(application), { messageId, text: 'One' });
    await readMailbox(platform);
    expect((await textsOf(application)).toSorted()).toEqual(['One', 'Other']);
    expect(inFolder('INBOX')).toEqual([]);
  });

  test('is taken once by two processes at a time', async () => {
    const application = await makeApplication(platform);
    deliver(replyAddress(application), withFiles(['a.pdf', goodPdf()]));
    const before = storedFiles(platform.config.dataDir).length;
    await Promise.all([readMailbox(platform), readMailbox(platform)]);
    expect(await read(application)).toHaveLength(1);
    expect(storedFiles(platform.config.dataDir)).toHaveLength(before + 1);
  });

  test('keeps files by what they are, not by their names', async () => {
    const application = await makeApplication(platform);
    const named = withFiles(['run.exe', goodPdf()], ['fake.pdf', Buffer.from('MZ not a PDF')]);
    deliver(replyAddress(application), named);
    await readMailbox(platform);
    expect(await read(application)).toMatchObject([
      { text: 'See the files.', files: [{ name: 'run.exe', size: goodPdf().length }], leftOut: 1 },
    ]);
  });

  test('of a machine is shown and asks nobody to read it', async () => {
    const application = await makeApplication(platform);
    deliver(replyAddress(application), { headers: ['Auto-Submitted: auto-replied'] });
    await readMailbox(platform);
    expect(await read(application)).toMatchObject([{ isAutomatic: true, readAt: platform.now() }]);
    expect(platform.sent).toEqual([]);
  });

  test('brings a put-off application back, and tells who works on it', async () => {
    const application = await makeApplication(platform);
    const { id: applicationId } = application;
    const typed = { [putOffFields.reason]: 'traveller', [putOffFields.end]: 'reply' };
    expect(await putOff(platform, aydin, { applicationId, typed })).toMatchObject({ ok: true });
    clock.advance(60_000);
    const now = platform.now();
    expect(await findPutOff(platform, { applicationId, now })).not.toBeNull();
    await claimApplication(platform, aydin, applicationId);
    deliver(replyAddress(application));
    await readMailbox(platform);
    expect(await findPutOff(platform, { applicationId, now })).toBeNull();
    expect(await forYouEntries(db, aydin.id)).toMatchObject([
      { kind: 'message', applicationId, by: null, readAt: null },
    ]);
  });
});

describe('an email stays in the inbox, seen and flagged,', () => {
  const ours = async () => replyAddress(await makeApplication(platform));
  test.each<[why: string, to: () => Promise<string>]>([
    ['to nobody', () => Promise.resolve(ADDRESS)],
    [
      'to an address with a forged tag',
      async () => (await ours()).replace(/.@/, (last) => `${last === '0@' ? 1 : 0}@`),
    ],
    ['to another domain', async () => (await ours()).replace('@lale', '@elal')],
    [
      'about an application that was deleted',
      () => Promise.resolve(replyAddress({ id: '00000000-0000-4000-8000-000000000000' })),
    ],
  ])('that goes %s', async (_, to) => {
    deliver(await to());
    await readMailbox(platform);
    expect(inFolder('INBOX').map(({ flags }) => flags)).toEqual([
      expect.arrayContaining([String.raw`\Seen`, String.raw`\Flagged`]),
    ]);
    const { mailbox, mode } = platform.config;
    expect(mailbox && (await mailboxAccepts(mailbox, mode))).toBe(1);
  });

  test('that cannot be read, and the next one is taken', async () => {
    const application = await makeApplication(platform);
    const deep = Array.from(
      { length: 100 },
      (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}`,
    );
    deliver(replyAddress(application), { headers: deep });
    deliver(replyAddress(application));
    await readMailbox(platform);
    expect(await read(application)).toHaveLength(1);
    expect(inFolder('INBOX')).toHaveLength(1);
  });
});

test('an email that could not be stored comes again, and does not stop the next', async () => {
  const application = await makeApplication(platform);
  deliver(replyAddress(application), withFiles(['a.pdf', goodPdf()]));
  deliver(replyAddress(application), { text: 'Second' });
  const away = { ...platform.files, put: () => Promise.reject(new Error('away')) };
  await expect(readMailbox({ ...platform, files: away })).rejects.toThrow('away');
  expect(await textsOf(application)).toEqual(['Second']);
  clock.advance(60_000);
  await readMailbox(platform);
  expect(await textsOf(application)).toEqual(['Second', 'See the files.']);
});

test('of an email whose second file could not be stored, the first one does not stay behind', async () => {
  const application = await makeApplication(platform);
  deliver(replyAddress(application), withFiles(['a.pdf', goodPdf('A')], ['b.pdf', goodPdf('B')]));
  const stored = new Set<string>();
  const failing = {
    ...platform.files,
    put: async (...given: Parameters<typeof platform.files.put>) => {
      if (stored.size > 0) throw new Error('away');
      const file = await platform.files.put(...given);
      stored.add(file.id);
      return file;
    },
    remove: async (id: string) => {
      await platform.files.remove(id);
      stored.delete(id);
    },
  };
  await expect(readMailbox({ ...platform, files: failing })).rejects.toThrow('away');
  expect([...stored]).toEqual([]);
});

test('emails that were taken are deleted from the mailbox after thirty days', async () => {
  deliver(replyAddress(await makeApplication(platform)));
  await readMailbox(platform);
  expect(inFolder(TAKEN_FOLDER).length).toBeGreaterThan(0);
  // The server dates them by the real clock.
  clock.set(new Date(Date.now() + TAKEN_MS + 2 * 24 * 3600_000));
  await readMailbox(platform);
  expect(inFolder(TAKEN_FOLDER)).toEqual([]);
});

test('no change of a reply address is one of another application', async () => {
  const [one, other] = [await makeApplication(platform), await makeApplication(platform)];
  const address = replyAddress(one);
  expect(readReplyAddress(sealer, ADDRESS, ['x@y.example', address])).toBe(one.id);
  const place = address.indexOf('+') + 1;
  const grafted = `${address.slice(0, place)}${other.id.replaceAll('-', '')}${address.slice(place + 32)}`;
  expect(
    readReplyAddress(sealer, ADDRESS, [grafted, address.replace('+', '-'), '+@', '']),
  ).toBeNull();
  expect(address).not.toContain(one.number.toLowerCase());
});

test('an email about an application has its reply address and says reply, but not without a mailbox', async () => {
  const withoutMailbox = { ...platform, config: { ...platform.config, mailbox: undefined } };
  const emailOf = async (given: typeof platform | typeof withoutMailbox) => {
    const { id } = await makeApplication(platform);
    await db.execute(sql`update application set status = 'processing' where id = ${id}`);
    const about = { kind: 'processing', about: id, createdAt: platform.now() } as const;
    await enqueue(db, SEND_JOB, { emailId: (await insertEmail(db, about)).id });
    await platform.runJobs(emailJobs(given));
    const [email] = platform.sent.splice(0);
    return { ...email, expected: replyAddress({ id }) };
  };
  const asks = await emailOf(platform);
  expect(asks.headers).toEqual({ 'Reply-To': asks.expected });
  expect(asks.text).toContain('reply to this email');
  const silent = await emailOf(withoutMailbox);
  expect(silent.headers).toEqual({ 'Reply-To': platform.config.operator.supportEmail });
  expect(silent.text).not.toMatch(/\breply/i);
});

test('the check of the configuration says whether the mailbox lets us in, and not the password', async () => {
  const { mailbox, mode } = platform.config;
  if (!mailbox) throw new Error('There is a mailbox');
  const check = (given: typeof mailbox) => mailboxCheck(given, () => mailboxAccepts(given, mode));
  expect(await check(mailbox)).toMatchObject({ state: 'ok' });
  const refused = await check({ ...mailbox, password: 'wrong-password' });
  expect(refused).toMatchObject({ state: 'missing', found: [{ code: 'mailBad' }] });
  expect(JSON.stringify(refused)).not.toContain('wrong-password');
  expect(await check({ ...mailbox, port: 1 })).toMatchObject({ state: 'missing' });
});
