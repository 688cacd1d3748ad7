import { describe, expect, test } from 'vitest';
import { MAX_EMAIL_BYTES, MAX_MESSAGE_LENGTH, readEmail } from './read-email.server.ts';

const FROM = 'From: Ada <ada@example.org>';
const TO = 'To: inbox+x@lale.example';

const read = (...lines: string[]) => readEmail(Buffer.from(lines.join('\r\n'), 'latin1'));
const textOf = async (...lines: string[]) => (await read(...lines))?.text;

/** A multipart with each part as its lines. */
const multipart = (kind: string, ...parts: string[][]) => [
  `Content-Type: multipart/${kind}; boundary=b${kind}`,
  '',
  ...parts.flatMap((lines) => [`--b${kind}`, ...lines]),
  `--b${kind}--`,
];
const HTML = [
  'Content-Type: text/html; charset=utf-8',
  '',
  '<head><style>p{color:red}</style></head><p>Hello &eacute; &amp; <b>goodbye</b></p>',
  '<script>alert(1)</script><img src="https://tracker.example/x.png"><br>Ada',
];

describe('an email', () => {
  test('is read with sender, recipients, subject and text', async () => {
    const incoming = await read(
      FROM,
      `${TO}, Team: b@example.org, c@example.org;`,
      'Delivered-To: <inbox+y@lale.example>',
      'Message-ID: <1@example.org>',
      'Subject: =?utf-8?B?xLB6aW4=?=',
      '',
      'Hello,',
      'Ada',
    );
    expect(incoming).toEqual({
      messageId: '<1@example.org>',
      from: 'ada@example.org',
      recipients: [
        'inbox+y@lale.example',
        'inbox+x@lale.example',
        'b@example.org',
        'c@example.org',
      ],
      subject: 'İzin',
      text: 'Hello,\nAda',
      isAutomatic: false,
      attachments: [],
    });
  });

  test('of HTML alone is text without tags, styles, scripts and pictures', async () => {
    const text = await textOf(FROM, TO, ...HTML);
    expect(text).toContain('Hello é & goodbye');
    expect(text).toContain('Ada');
    expect(text).not.toMatch(/[<>]|color|alert|tracker/);
  });

  test('of both kinds is its text', async () => {
    const plain = ['Content-Type: text/plain', '', 'Only this'];
    expect(await textOf(FROM, TO, ...multipart('alternative', plain, HTML))).toBe('Only this');
  });

  test('in another character set is read by it, and in a wrong one at all', async () => {
    const latin = 'Content-Type: text/plain; charset=iso-8859-9';
    expect(await textOf(FROM, latin, '', 'de\xf0i\xfeiklik')).toBe('değişiklik');
    const unknown = 'Content-Type: text/plain; charset=klingon';
    expect(await textOf(FROM, unknown, '', 'Hello')).toBe('Hello');
    const wrong = 'Content-Type: text/plain; charset=utf-8';
    expect(await textOf(FROM, wrong, '', 'a\xffb')).toMatch(/^a.*b$/);
  });

  test('loses control characters and those that turn the direction of a text', async () => {
    const utf8 = 'Content-Type: text/plain; charset=utf-8';
    const text = Buffer.from('a\u0000\u202eb\u2066c').toString('latin1');
    expect(await textOf(FROM, utf8, '', text)).toBe('abc');
  });

  test('that is long is cut', async () => {
    const text = await textOf(FROM, '', 'x'.repeat(MAX_MESSAGE_LENGTH + 1));
    expect(text).toHaveLength(MAX_MESSAGE_LENGTH);
    expect(text?.endsWith('…')).toBe(true);
  });

  test('has its attachments, and an email in it as one of them', async () => {
    const pdf = [
      'Content-Type: application/pdf',
      'Content-Disposition: attachment; filename="../../a.pdf"',
      '',
      '%PDF-',
    ];
    const inner = ['Content-Type: message/rfc822', '', FROM, '', 'Inner text'];
    const outer = ['Content-Type: text/plain', '', 'Outer text'];
    const incoming = await read(FROM, ...multipart('mixed', outer, pdf, inner));
    expect(incoming?.text).toBe('Outer text');
    expect(incoming?.attachments.map(({ name }) => name)).toEqual(['../../a.pdf', '']);
  });
});

describe('an email of a machine is told by', () => {
  test.each([
    ['Auto-Submitted: auto-replied', true],
    ['Auto-Submitted: no', false],
    ['Return-Path: <>', true],
    ['Return-Path: <ada@example.org>', false],
    ['X-Auto-Response: yes', true],
    ['X-Auto-Response-Suppress: All', false],
    ['Precedence: auto_reply', true],
    ['Content-Type: multipart/report; boundary=b', true],
  ])('%s: %s', async (header, isAutomatic) => {
    expect(await read(FROM, TO, header, '', 'Away')).toMatchObject({ isAutomatic });
  });
});

describe('a hostile email', () => {
  test('of parts in parts in parts is refused', async () => {
    const opened = Array.from({ length: 200 }, (_, depth) => [
      `Content-Type: multipart/mixed; boundary=b${depth}`,
      '',
      `--b${depth}`,
    ]).flat();
    expect(await read(FROM, ...opened, '', 'deep')).toBeNull();
  });

  test('with 10,000 headers is read or refused, and soon', async () => {
    const began = performance.now();
    const headers = Array.from({ length: 10_000 }, (_, index) => `X-${index}: ${'y'.repeat(40)}`);
    expect(await read(FROM, ...headers, '', 'Hello')).toBeNull();
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('of unclosed tags takes no time to speak of', async () => {
    const began = performance.now();
    const html = '<a <!-- &'.repeat(300_000);
    expect(await read(FROM, 'Content-Type: text/html', '', html)).not.toBeNull();
    expect(performance.now() - began).toBeLessThan(5000);
  });

  test('above the size is refused', async () => {
    expect(await readEmail(new Uint8Array(MAX_EMAIL_BYTES + 1))).toBeNull();
  });

  test.each([[''], ['\0\0\0'], ['no header at all'], ['Content-Type: multipart/mixed\r\n\r\n--']])(
    '%j names no application',
    async (source) => {
      expect((await read(source))?.recipients ?? []).toEqual([]);
    },
  );
});
