import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, describe, expect, test } from 'vitest';
import { mailServerAccepts } from '~/platform/mail/mail.server.ts';
import {
  dkimCheck,
  dmarcCheck,
  mailCheck,
  spfCheck,
  type ResolveTxt,
} from './mail-checks.server.ts';
import type { Check } from './setup-check.ts';

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
const outcomeOf = ({ state, found }: Check) => [state, ...found.map(({ code }) => code)];

describe('SPF', () => {
  const check = (...texts: string[]) =>
    spfCheck({ mailFrom }, dns({ 'mail.tulip.travel': texts })).then(outcomeOf);

  test.each([
    ['v=spf1 include:_spf.provider.example -all', ['ok', 'spfGood']],
    ['v=spf1 ip4:192.0.2.1 ~all', ['ok', 'spfGood']],
    ['v=spf1 redirect=_spf.provider.example', ['ok', 'spfGood']],
    ['v=spf1 include:_spf.provider.example ?all', ['missing', 'spfOpen']],
    ['v=spf1 +all', ['missing', 'spfOpen']],
    ['v=spf1 all', ['missing', 'spfOpen']],
    ['v=spf1 a mx', ['missing', 'spfOpen']],
    ['v=spf10 -all', ['missing', 'spfNone']],
    ['google-site-verification=abc', ['missing', 'spfNone']],
  ])('%s', async (text, expected) => {
    expect(await check(text)).toEqual(expected);
  });

  test('two records count as none', async () => {
    expect(await check('v=spf1 -all', 'v=spf1 a -all')).toEqual(['missing', 'spfSeveral']);
  });

  test('a DNS that does not answer proves nothing', async () => {
    expect(outcomeOf(await spfCheck({ mailFrom }, away))).toEqual(['unknown', 'dnsAway']);
  });

  test('what is missing is said with the record to publish', async () => {
    const { mend } = await spfCheck({ mailFrom }, dns({}));
    expect(mend).toEqual([
      { kind: 'record', text: expect.stringMatching(/^mail\.tulip\.travel TXT "v=spf1 /) },
    ]);
  });
});

describe('DKIM', () => {
  const keyOf = (bits: number) =>
    generateKeyPairSync('rsa', { modulusLength: bits })
      .publicKey.export({ type: 'spki', format: 'der' })
      .toString('base64');
  const [good, short] = [keyOf(2048), keyOf(768)];
  const name = 's1._domainkey.mail.tulip.travel';
  const check = (text: string, dkimSelector: string | undefined = 's1') =>
    dkimCheck({ mailFrom, dkimSelector }, dns({ [name]: [text] })).then(outcomeOf);

  test.each([
    [`v=DKIM1; k=rsa; p=${good}`, ['ok', 'dkimGood']],
    [`p=${good.slice(0, 60)} ${good.slice(60)}`, ['ok', 'dkimGood']],
    [`v=DKIM1; k=ed25519; p=${Buffer.alloc(32, 7).toString('base64')}`, ['ok', 'dkimGood']],
    [`v=DKIM1; p=${short}`, ['missing', 'dkimShort']],
    ['v=DKIM1; p=', ['missing', 'dkimNone']],
    ['v=DKIM1; p=abcd', ['missing', 'dkimNone']],
    ['v=spf1 -all', ['missing', 'dkimNone']],
  ])('%.30s', async (text, expected) => {
    expect(await check(text)).toEqual(expected);
  });

  test('no such name, a DNS that does not answer, and no selector', async () => {
    const at = { mailFrom, dkimSelector: 's2' };
    expect(outcomeOf(await dkimCheck(at, dns({})))).toEqual(['missing', 'dkimNone']);
    expect(outcomeOf(await dkimCheck(at, away))).toEqual(['unknown', 'dnsAway']);
    const without = await dkimCheck({ mailFrom, dkimSelector: undefined }, dns({}));
    expect(outcomeOf(without)).toEqual(['unknown', 'dkimSelector']);
  });
});

describe('DMARC', () => {
  const check = (records: Record<string, string[]>) =>
    dmarcCheck({ mailFrom }, dns(records)).then(outcomeOf);
  const own = '_dmarc.mail.tulip.travel';
  const above = '_dmarc.tulip.travel';

  test.each<[string, Record<string, string[]>, string[]]>([
    ['its own', { [own]: ['v=DMARC1; p=reject'] }, ['ok', 'dmarcGood']],
    ['of the domain above', { [above]: ['v=DMARC1;p=quarantine'] }, ['ok', 'dmarcGood']],
    [
      'its own before that above',
      { [own]: ['v=DMARC1; p=none'], [above]: ['v=DMARC1; p=reject'] },
      ['missing', 'dmarcOpen'],
    ],
    [
      'that above, but not for names below it',
      { [above]: ['v=DMARC1; p=reject; sp=none'] },
      ['missing', 'dmarcOpen'],
    ],
    ['one without a policy', { [own]: ['v=DMARC1; rua=mailto:a@b.c'] }, ['missing', 'dmarcNone']],
    ['two', { [own]: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'] }, ['missing', 'dmarcNone']],
    [
      'two of its own, which end the search for that above',
      { [own]: ['v=DMARC1; p=reject', 'v=DMARC1; p=none'], [above]: ['v=DMARC1; p=reject'] },
      ['missing', 'dmarcNone'],
    ],
    [
      'one of its own with a wrong policy, which ends it too',
      { [own]: ['v=DMARC1; p=rejct'], [above]: ['v=DMARC1; p=reject'] },
      ['missing', 'dmarcNone'],
    ],
    [
      'one with a wrong policy for names below it',
      { [own]: ['v=DMARC1; p=reject; sp=rejct'] },
      ['missing', 'dmarcNone'],
    ],
    ['none', {}, ['missing', 'dmarcNone']],
  ])('%s', async (_, records, expected) => {
    expect(await check(records)).toEqual(expected);
  });

  test('a DNS that does not answer proves nothing', async () => {
    expect(outcomeOf(await dmarcCheck({ mailFrom }, away))).toEqual(['unknown', 'dnsAway']);
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
