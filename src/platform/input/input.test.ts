import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, describe, afterAll, beforeAll } from 'vitest';
import fc from 'fast-check';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import {
  MAX_FIELDS,
  readFormBody,
  MAX_JSON_DEPTH,
  MAX_MEMBERS,
  parseJson,
  readJson,
} from './read-body.server.ts';
import { limitBody } from './limit-body.server.ts';

describe('read form', () => {
  const URL_ENCODED = 'application/x-www-form-urlencoded';
  const MULTIPART = 'multipart/form-data; boundary=----part';

  const request = (body: BodyInit, type: string, path = '/insurance') =>
    new Request(`http://lale.example${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });

  const fields = (count: number) => Array.from({ length: count }, (_, at) => `a${at}=b`).join('&');
  const part = (head: string, content: string) =>
    `------part\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const parts = (...all: string[]) => `${all.join('')}------part--\r\n`;
  const file = part('name="photo"; filename="a.jpg"', 'x');

  test.each([
    ['as many fields as allowed', fields(MAX_FIELDS), URL_ENCODED, null],
    ['one field more', fields(MAX_FIELDS + 2), URL_ENCODED, 'too_many_fields'],
    ['the same as parts', parts(part('name="a"', 'b').repeat(1000)), MULTIPART, null],
    ['more parts', parts(part('name="a"', 'b').repeat(1001)), MULTIPART, 'too_many_fields'],
    ['text that a file alone may have', `a=${'b'.repeat(70_000)}`, URL_ENCODED, 'too_many_fields'],
    [
      'the same in a part',
      parts(part('name="a"', 'b'.repeat(70_000))),
      MULTIPART,
      'too_many_fields',
    ],
    ['a file as large', parts(part('name="a"; filename="a"', 'b'.repeat(70_000))), MULTIPART, null],
    ['a head without an end', parts(part('a\r\n'.repeat(3000), '')), MULTIPART, 'not_a_form'],
    ['no boundary', parts(file), 'multipart/form-data', 'not_a_form'],
  ])('a form of %s', async (_, body, type, error) => {
    const read = await readFormBody(request(body, type));
    expect(read.ok ? null : read.error).toBe(error);
  });

  test('a form of parts is read as the platform reads it', async () => {
    const form = new FormData();
    form.append('name', 'Zoë \r\n--x');
    form.append('name', '');
    form.append('a "quoted"\nname', '"');
    form.append(
      'photo',
      new File([Buffer.from([0, 13, 10, 45, 45, 255])], 'é "x".jpg', { type: 'image/jpeg' }),
    );
    form.append('none', new File([], ''));
    const sent = new Request('http://lale.example/insurance', { method: 'POST', body: form });
    const expected = await sent.clone().formData();
    const read = await readFormBody(sent);
    const told = async (one: FormData) =>
      Promise.all(
        [...one].map(async ([name, value]) =>
          typeof value === 'string'
            ? [name, value]
            : [
                name,
                value.name,
                value.type,
                Buffer.from(await value.arrayBuffer()).toString('hex'),
              ],
        ),
      );
    expect(read.ok && (await told(read.value))).toEqual(await told(expected));
  });

  test('an address that takes no files gets none', async () => {
    const body = parts(part('name="a"', 'b'), file);
    const namesAt = async (path: string) => {
      const read = await readFormBody(request(body, MULTIPART, path));
      return read.ok ? [...read.value.keys()] : [];
    };
    expect(await namesAt('/tr/insurance.data')).toEqual(['a', 'photo']);
    expect(await namesAt('/status')).toEqual(['a']);
  });

  const MEGABYTES = 27 * 1024 * 1024;
  const filled = (unit: string) => Buffer.alloc(MEGABYTES, unit);

  test.each([
    ['parts', filled(part('name="a"', 'b')), MULTIPART],
    ['lines of one head', filled('------part\r\na: b\r\na: b\r\na: b\r\n'), MULTIPART],
    ['fields', filled('a=b&'), URL_ENCODED],
    [
      'one file',
      Buffer.from(parts(part('name="a"; filename="a"', 'x'.repeat(MEGABYTES)))),
      MULTIPART,
    ],
  ])('27 MB of %s take little processor', async (_, body, type) => {
    const processorMs = async (work: () => unknown) => {
      const began = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(began);
      return (user + system) / 1000;
    };
    const ratios: number[] = [];
    // Again where something else took the processor meanwhile.
    while (ratios.length < 3 && !ratios.some((ratio) => ratio < 12)) {
      const sent = request(body, type);
      // Beside it the hash of the same bytes, which a busy or slow machine takes longer for as well.
      const reference = await processorMs(() => createHash('sha256').update(body).digest());
      ratios.push((await processorMs(() => readFormBody(sent))) / reference);
    }
    // A hash takes a sixtieth of a second on a machine with nothing else to do: a fifth of a second at most.
    expect(Math.min(...ratios)).toBeLessThan(12);
  });
});

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const list = (members: number) => `[${Array.from({ length: members }, () => 1).join()}]`;
const object = (members: number) =>
  `{${Array.from({ length: members }, (_, at) => `"${at}":1`).join()}}`;

test('whatever JSON can say is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: MAX_JSON_DEPTH - 1, stringUnit: 'grapheme' }), (text) => {
      expect(parseJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test.each([
  [nested(MAX_JSON_DEPTH), { ok: true }],
  [nested(MAX_JSON_DEPTH + 1), { ok: false, error: 'too_deep' }],
  [nested(3_000_000), { ok: false, error: 'too_deep' }],
  ['['.repeat(1_000_000), { ok: false, error: 'too_deep' }],
  [`"${'['.repeat(100)}"`, { ok: true }],
  [String.raw`"\"${'['.repeat(100)}"`, { ok: true }],
  [String.raw`["\\",${nested(100)}]`, { ok: false, error: 'too_deep' }],
  ['"\\'.repeat(20_000), { ok: false, error: 'not_json' }],
  ['"\\'.repeat(200_000), { ok: false, error: 'too_many_fields' }],
  [`"${'\\'.repeat(50_000)}"`, { ok: true }],
  [`"${'\\'.repeat(1_000_000)}"`, { ok: false, error: 'too_many_fields' }],
  [`"${String.raw`\/`.repeat(500_000)}"`, { ok: true }],
  ['', { ok: false, error: 'not_json' }],
  [String.raw`{"a":"\u0000"}`, { ok: false, error: 'bad_characters' }],
  [String.raw`{"a":[{"\u0000":1}]}`, { ok: false, error: 'bad_characters' }],
  [String.raw`"\ud83d"`, { ok: false, error: 'bad_characters' }],
  [String.raw`"\ud83d\ude00"`, { ok: true }],
  [String.raw`"\\u0000"`, { ok: true }],
  [list(MAX_MEMBERS), { ok: true }],
  [list(MAX_MEMBERS + 1), { ok: false, error: 'too_many_fields' }],
  [`[${list(500)},${list(500)}]`, { ok: false, error: 'too_many_fields' }],
  [object(MAX_MEMBERS - 1), { ok: true }],
  [object(1_900_000), { ok: false, error: 'too_many_fields' }],
  [`{"a":"${',[{'.repeat(1_000_000)}"}`, { ok: true }],
])('%.40s', (text, expected) => {
  const began = process.cpuUsage();
  expect(parseJson(Buffer.from(text))).toMatchObject(expected);
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});

test('a body that breaks off is told from one that is not JSON', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new Error('gone')) });
  const init = { method: 'POST', body, duplex: 'half' };
  const request = new Request('http://lale.example/', init);
  expect(await readJson(request)).toEqual({ ok: false, error: 'broken_off' });
});

const MEGABYTES = 27 * 1024 * 1024;
const filled = (unit: string) => unit.repeat(MEGABYTES / unit.length);

function processorMs(work: () => unknown): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

test.each([
  ['members', `{${filled('"a":1,')}`],
  ['lists', filled('[')],
  ['blanks', filled(' ')],
  ['digits', filled('1')],
  ['strings', filled('""')],
  ['escaped quotes', `"${filled('\\"')}"`],
  ['backslashes', `"${filled('\\\\')}"`],
  ['one text', `{"a":"${filled('x')}"}`],
  ['escaped slashes', `{"a":"${filled('\\/')}"}`],
  ['as many as are read', `{"a":"${'\\/'.repeat(1_000_000)}${'x'.repeat(MEGABYTES - 2_000_000)}"}`],
  ['escapes', `{"a":"${filled('\\u0041')}"}`],
])('27 MB of %s take little processor', (_, text) => {
  // Beside it the hash of the same text, which a busy or slow machine takes longer for as well.
  const bytes = Buffer.from(text);
  const ratios: number[] = [];
  while (ratios.length < 3 && !ratios.some((ratio) => ratio < 12)) {
    const reference = processorMs(() => createHash('sha256').update(bytes).digest());
    ratios.push(processorMs(() => parseJson(bytes)) / reference);
  }
  // A hash takes a sixtieth of a second on a machine with nothing else to do: a fifth of a second at most.
  expect(Math.min(...ratios)).toBeLessThan(12);
});

describe('limit body', () => {
  const app = new Hono();
  app.use(limitBody({ maxSize: 10, onError: (c) => c.text('too large', 413) }));
  app.all('*', async (c) => c.text(`read ${(await c.req.text()).length}`));

  let server: ReturnType<typeof serve>;
  beforeAll(async () => {
    await new Promise<AddressInfo>((resolve) => {
      server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, resolve);
    });
  });
  afterAll(() => server.close());

  /** With a length only where it is named: otherwise in chunks. */
  function send(body: string, headers: Record<string, string> = {}): Promise<string> {
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method: 'POST', headers }, (answer) => {
        text(answer).then((received) => resolve(`${answer.statusCode} ${received}`), reject);
      });
      sent.on('error', reject);
      for (const part of body.match(/.{1,4}/g) ?? []) sent.write(part);
      sent.end();
    });
  }

  test.each([
    ['as long as allowed', '0123456789', '200 read 10'],
    ['longer than allowed', '01234567890', '413 too large'],
  ])('a body %s is judged the same with its length and in chunks', async (_, body, expected) => {
    expect(await send(body, { 'content-length': String(body.length) })).toBe(expected);
    expect(await send(body)).toBe(expected);
  });

  test('without a server between, bytes are counted', async () => {
    const ask = (body: string) => app.request('/', { method: 'POST', body });
    expect((await ask('0123456789')).status).toBe(200);
    expect((await ask('01234567890')).status).toBe(413);
  });

  test('what has no body passes', async () => {
    expect((await app.request('/')).status).toBe(200);
    expect((await app.request('/', { method: 'POST' })).status).toBe(200);
  });
});
