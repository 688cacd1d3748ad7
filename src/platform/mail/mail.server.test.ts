import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import PostalMime from 'postal-mime';
import type { Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test, it } from 'vitest';
import fc from 'fast-check';
import { isEmailAddress } from '~/base/email-address.ts';
import { freePort } from '../config/port.server.ts';
import { makeMail, type EmailMessage } from './mail.server.ts';
import { suggestEmail } from './mistyped-email.server.ts';

const message: EmailMessage = {
  to: 'zeynep@example.org',
  subject: 'Vizeniz hazır – ŞĞİ',
  text: 'Merhaba, 你好',
  html: '<p>Merhaba, 你好</p>',
  messageId: '<one@example.org>',
  language: 'tr',
  headers: { 'X-Kind': 'approved' },
  attachments: [
    { filename: 'receipt.pdf', content: Buffer.from('%PDF-1.7'), mediaType: 'application/pdf' },
  ],
};

function check(mail: Email) {
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value;
  expect(mail).toMatchObject({
    subject: message.subject,
    messageId: message.messageId,
    from: { name: 'The Office', address: 'office@example.org' },
    to: [{ address: message.to }],
  });
  expect(mail.text?.trim()).toBe(message.text);
  expect(mail.html).toContain(message.html);
  expect(header('content-language')).toBe('tr');
  expect(header('auto-submitted')).toBe('auto-generated');
  expect(header('x-kind')).toBe('approved');
  expect(mail.attachments).toHaveLength(1);
  expect(mail.attachments[0]).toMatchObject({
    filename: 'receipt.pdf',
    mimeType: 'application/pdf',
  });
}

describe('over SMTP', () => {
  const received: { recipients: string[]; source: Buffer }[] = [];
  let refuse: Error | undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, callback) =>
      username === 'user' && password === 'p@ss'
        ? callback(null, { user: username })
        : callback(new Error('no such account')),
    onData: async (stream, session, callback) => {
      const source = await buffer(stream);
      if (refuse) return callback(refuse);
      received.push({ recipients: session.envelope.rcptTo.map(({ address }) => address), source });
      callback();
    },
  });
  server.on('error', () => undefined);
  let port = 0;
  beforeAll(async () => {
    port = await freePort();
    server.listen(port, '127.0.0.1');
    await once(server.server, 'listening');
  });
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

  test('a message arrives whole, in a signed-in conversation', async () => {
    const before = received.length;
    const mail = makeMail({
      mailUrl: `smtp://user:p%40ss@127.0.0.1:${port}`,
      mailFrom: 'The Office <office@example.org>',
      dataDir: '/nowhere',
    });

    await mail.send(message);
    expect(received).toHaveLength(before + 1);
    expect(received.at(-1)?.recipients).toEqual([message.to]);
    check(await PostalMime.parse(received.at(-1)?.source ?? ''));

    refuse = Object.assign(new Error('try later'), { responseCode: 451 });
    await expect(mail.send(message)).rejects.toThrow();
    expect(received).toHaveLength(before + 1);
    refuse = undefined;
    await mail.send(message);
    expect(received).toHaveLength(before + 2);
    mail.close();
  });

  test('in live mode nothing goes to another machine in the clear', async () => {
    // Every address of this machine, but no name that says so.
    const at = (host: string) =>
      makeMail({
        mailUrl: `smtp://user:p%40ss@${host}:${port}`,
        mailFrom: 'office@example.org',
        dataDir: '/nowhere',
        mode: 'live',
      });
    const before = received.length;
    const remote = at('0.0.0.0');
    await expect(remote.send(message)).rejects.toThrow(/STARTTLS/);
    expect(received).toHaveLength(before);
    const local = at('127.0.0.1');
    await local.send(message);
    expect(received).toHaveLength(before + 1);
    remote.close();
    local.close();
  });

  test('without a server it fails, to be tried again', async () => {
    const mail = makeMail({
      mailUrl: `smtp://127.0.0.1:${await freePort()}`,
      mailFrom: 'office@example.org',
      dataDir: '/nowhere',
    });
    await expect(mail.send(message)).rejects.toThrow();
    mail.close();
  });

  test('a line break in an address or subject adds no header', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'test-mail-'));
    const mail = makeMail({ mailUrl: undefined, mailFrom: 'office@example.org', dataDir: folder });
    await mail.send({ ...message, subject: 'Hello\r\nBcc: thief@example.org' });
    const [name = ''] = readdirSync(join(folder, 'mail'));
    const parsed = await PostalMime.parse(readFileSync(join(folder, 'mail', name)));
    expect(parsed.bcc).toBeUndefined();
    rmSync(folder, { recursive: true });
  });
});

describe('without a mail server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-mail-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('each message becomes one file, which sorts by time', async () => {
    const mail = makeMail({
      mailUrl: undefined,
      mailFrom: 'The Office <office@example.org>',
      dataDir: folder,
    });
    await mail.send(message);
    await mail.send({ ...message, messageId: '<two@example.org>' });
    const names = readdirSync(join(folder, 'mail'));
    expect(names).toHaveLength(2);
    for (const name of names) expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z-[0-9a-f]{12}\.eml$/);
    check(await PostalMime.parse(readFileSync(join(folder, 'mail', names[0] ?? ''))));
  });
});

describe('suggestEmail', () => {
  it.each([
    ['anna@gmial.com', 'anna@gmail.com'],
    ['anna@gmail.con', 'anna@gmail.com'],
    ['anna@gmail.co', 'anna@gmail.com'],
    ['anna@gmail.cm', 'anna@gmail.com'],
    ['anna@gmal.con', 'anna@gmail.com'],
    ['Anna.B+x@GMAI.COM', 'Anna.B+x@gmail.com'],
    ['anna@hotnail.com', 'anna@hotmail.com'],
    ['anna@htomail.com', 'anna@hotmail.com'],
    ['anna@yaho.com', 'anna@yahoo.com'],
    ['anna@outlok.com', 'anna@outlook.com'],
    ['anna@iclud.com', 'anna@icloud.com'],
    ['anna@yandex.comtr', 'anna@yandex.com.tr'],
    ['anna@firma.con', 'anna@firma.com'],
    ['anna@posta.firma.nte', 'anna@posta.firma.net'],
    ['alı@gmail.com', 'ali@gmail.com'],
    ['YASİN@GMAIL.COM', 'YASIN@gmail.com'],
    ['josé.núñez@hotmail.es', 'jose.nunez@hotmail.es'],
    ['alı@gmaıl.com', 'ali@gmail.com'],
    ['çağrı@gmial.com', 'cagri@gmail.com'],
  ])('takes %s for %s', (typed, instead) => {
    expect(suggestEmail(typed)).toBe(instead);
  });

  it.each(
    (
      'gmail.com googlemail.com hotmail.com outlook.com yahoo.com icloud.com mail.com email.com ymail.com me.com mac.com ' +
      'msn.com live.com aol.com gmx.de gmx.net gmx.at web.de t-online.de bt.com qq.com 163.com 126.com cox.net mail.ru bk.ru ' +
      'list.ru inbox.ru yandex.ru yandex.com yandex.com.tr mynet.com proton.me protonmail.com hotmail.co.uk yahoo.co.uk ' +
      'yahoo.com.tr outlook.com.tr live.co.za telkomsa.net firma.com.tr uni.edu.tr lale.example example.org startup.io foo.cm ' +
      'orange.fr wanadoo.fr laposte.net free.fr sfr.fr libero.it seznam.cz wp.pl naver.com daum.net rediffmail.com ' +
      'windowslive.com gov.tr travel.photography münchen.de'
    ).split(' '),
  )('asks nothing about %s', (domain) => {
    expect(suggestEmail(`anna@${domain}`)).toBeNull();
  });

  it.each(['alı@firma.com.tr', 'josé@example.org', '用户@gmail.com', 'øre@gmail.com'])(
    'asks nothing about %s',
    (address) => {
      expect(suggestEmail(address)).toBeNull();
    },
  );

  it('keeps what stands before the at sign, and asks nothing about its own answer', () => {
    const local = fc.stringMatching(/^[A-Za-z0-9+'_-]{1,20}$/);
    const domain = fc.oneof(
      fc.domain(),
      fc
        .tuple(
          fc.constantFrom('gmail.com', 'hotmail.com', 'yahoo.com', 'icloud.com'),
          fc.nat(),
          fc.stringMatching(/^[a-z]$/),
        )
        .map(
          ([name, at, letter]) =>
            name.slice(0, at % name.length) + letter + name.slice((at % name.length) + 1),
        ),
    );
    fc.assert(
      fc.property(local, domain, (name, where) => {
        const instead = suggestEmail(`${name}@${where}`);
        if (instead === null) return;
        expect(instead.startsWith(`${name}@`)).toBe(true);
        if (isEmailAddress(`${name}@${where}`)) expect(isEmailAddress(instead)).toBe(true);
        expect(suggestEmail(instead)).toBeNull();
        expect(instead).not.toBe(`${name}@${where}`);
      }),
    );
  });

  it('asks after every missing, doubled or swapped letter of gmail.com but where that is another provider', () => {
    const real = new Set(['mail.com']);
    for (let at = 0; at < 'gmail'.length; at += 1) {
      const [name, next] = ['gmail'[at] ?? '', 'gmail'[at + 1] ?? ''];
      const missing = `${'gmail'.slice(0, at)}${'gmail'.slice(at + 1)}.com`;
      const doubled = `${'gmail'.slice(0, at)}${name}${'gmail'.slice(at)}.com`;
      const swapped = `${'gmail'.slice(0, at)}${next}${name}${'gmail'.slice(at + 2)}.com`;
      for (const domain of [missing, doubled, swapped]) {
        if (real.has(domain) || domain === 'gmail.com') continue;
        expect([domain, suggestEmail(`anna@${domain}`)]).toEqual([domain, 'anna@gmail.com']);
      }
    }
  });
});
