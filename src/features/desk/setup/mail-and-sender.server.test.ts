import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { mailServerAccepts } from '~/platform/mail/mail.server.ts';
import { mailCheck, senderCheck, type ResolveTxt } from './reach-checks.server.ts';
import type { Result } from './setup-check.ts';

/** A DNS that has these records, and says of every other name that there is none. */
const dns =
  (records: Record<string, string[]>): ResolveTxt =>
  async (name) => {
    const found = records[name];
    if (!found) throw Object.assign(new Error('queryTxt'), { code: 'ENOTFOUND' });
    // Longer texts come in parts, cut anywhere.
    return found.map((text) => [text.slice(0, 5), text.slice(5)]);
  };
const away: ResolveTxt = async () => {
  throw Object.assign(new Error('queryTxt'), { code: 'ESERVFAIL' });
};

const mailFrom = 'Lale <no-reply@mail.tulip.travel>';
const outcomeOf = ({ state, found }: Result) => [state, ...found.map(({ code }) => code)];

describe('the sender in the DNS', () => {
  const own = 'mail.tulip.travel';
  const good = {
    [own]: ['v=spf1 include:_spf.provider.example -all'],
    [`s1._domainkey.${own}`]: ['v=DKIM1; k=rsa; p=MIIB IjAN'],
    [`_dmarc.${own}`]: ['v=DMARC1; p=reject'],
  };
  const check = (records: Record<string, string[]>, dkimSelector: string | undefined = 's1') =>
    senderCheck({ mailFrom, dkimSelector }, dns({ ...good, ...records }));
  const kindsMissing = ({ found }: Result) => found.map(({ values }) => values?.['kind']);

  test('that has all three records is in order', async () => {
    expect(outcomeOf(await check({}))).toEqual(['ok', 'senderGood']);
  });

  test.each<[string, string, string[]]>([
    ['SPF', own, ['v=spf1 include:_spf.provider.example ?all']],
    ['SPF', own, ['v=spf1 +all']],
    ['SPF', own, ['v=spf1 a mx']],
    ['SPF', own, ['v=spf10 -all']],
    ['SPF', own, ['google-site-verification=abc']],
    ['SPF', own, ['v=spf1 -all', 'v=spf1 a -all']],
    ['DKIM', `s1._domainkey.${own}`, ['v=DKIM1; p=']],
    ['DKIM', `s1._domainkey.${own}`, ['v=spf1 -all']],
    ['DMARC', `_dmarc.${own}`, ['v=DMARC1; p=none']],
    ['DMARC', `_dmarc.${own}`, ['v=DMARC1; sp=reject']],
    ['DMARC', `_dmarc.${own}`, ['v=DMARC1; p=reject', 'v=DMARC1; p=none']],
  ])('%s of %s: %j', async (kind, name, texts) => {
    const found = await check({ [name]: texts });
    expect(outcomeOf(found)).toEqual(['missing', 'recordMissing']);
    expect(kindsMissing(found)).toEqual([kind]);
  });

  test('is covered by the domain above, and by what SPF leads to', async () => {
    const above = {
      [own]: ['v=spf1 redirect=_spf.provider.example'],
      [`_dmarc.${own}`]: [],
      '_dmarc.tulip.travel': ['v=DMARC1;p=quarantine'],
    };
    expect(outcomeOf(await check(above))).toEqual(['ok', 'senderGood']);
    const none = { ...above, [`_dmarc.${own}`]: ['v=DMARC1; p=none'] };
    expect(kindsMissing(await check(none))).toEqual(['DMARC']);
  });

  test('that has no record is told each one to publish', async () => {
    const { mend } = await senderCheck({ mailFrom, dkimSelector: 's1' }, dns({}));
    expect(mend).toEqual([
      { kind: 'record', text: expect.stringMatching(/^mail\.tulip\.travel TXT "v=spf1 /) },
      { kind: 'record', text: expect.stringMatching(/^s1\._domainkey\.mail\.tulip\.travel TXT/) },
      { kind: 'record', text: expect.stringMatching(/^_dmarc\.mail\.tulip\.travel TXT/) },
    ]);
  });

  test('a DNS that does not answer proves nothing, and nobody can guess a selector', async () => {
    const silent = await senderCheck({ mailFrom, dkimSelector: 's1' }, away);
    expect(new Set(outcomeOf(silent))).toEqual(new Set(['unknown', 'dnsAway']));
    const without = await senderCheck({ mailFrom, dkimSelector: undefined }, dns(good));
    expect(outcomeOf(without)).toEqual(['unknown', 'dkimSelector']);
  });
});

describe('the mail server', async () => {
  /** Speaks as much SMTP as a sign-in takes, and lets one password in. */
  const server = createServer((socket: Socket) => {
    socket.write('220 mail.example ESMTP\r\n');
    socket.on('data', (bytes: Buffer) => {
      const [word = '', , given = ''] = bytes.toString().trim().split(' ');
      if (word === 'EHLO') socket.write('250-mail.example\r\n250 AUTH PLAIN\r\n');
      else if (word === 'AUTH') {
        const isRight = Buffer.from(given, 'base64').toString().endsWith('right-password');
        socket.write(isRight ? '235 ok\r\n' : '535 no\r\n');
      } else socket.end('221 bye\r\n');
    });
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const check = (mailUrl: string, mode: 'test' | 'live' = 'live') => {
    const config = { mailUrl, mailFrom, mode, dataDir: '' };
    return mailCheck(config, () => mailServerAccepts(config));
  };

  test('is in order once it lets our account in', async () => {
    expect(outcomeOf(await check(`smtp://lale:right-password@127.0.0.1:${port}`))).toEqual([
      'ok',
      'mailGood',
    ]);
  });

  test('is not where it refuses the account, and the password is not repeated', async () => {
    const refused = await check(`smtp://lale:wrong-password@127.0.0.1:${port}`);
    expect(outcomeOf(refused)).toEqual(['missing', 'mailBad']);
    expect(refused.found[0]?.values).toEqual({ host: '127.0.0.1', reason: 'EAUTH 535' });
    expect(JSON.stringify(refused)).not.toContain('wrong-password');
  });

  test('is not where nothing listens', async () => {
    const closed = await check('smtp://lale:right-password@127.0.0.1:1');
    expect(outcomeOf(closed)).toEqual(['missing', 'mailBad']);
  });
});
