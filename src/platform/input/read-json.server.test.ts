import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEEPEST_JSON, MAX_MEMBERS, parseJson, readJson } from './read-body.server.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

const list = (members: number) => `[${Array.from({ length: members }, () => 1).join()}]`;
const object = (members: number) =>
  `{${Array.from({ length: members }, (_, at) => `"${at}":1`).join()}}`;

test('whatever JSON can say is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: DEEPEST_JSON - 1, stringUnit: 'grapheme' }), (text) => {
      expect(parseJson(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text) });
    }),
  );
});

test.each([
  [nested(DEEPEST_JSON), { ok: true }],
  [nested(DEEPEST_JSON + 1), { ok: false, error: 'too_deep' }],
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
  const ratios = [1, 2, 3].map(() => {
    const reference = processorMs(() => createHash('sha256').update(bytes).digest());
    return processorMs(() => parseJson(bytes)) / reference;
  });
  // A hash takes a sixtieth of a second on a machine with nothing else to do: a fifth of a second at most.
  expect(Math.min(...ratios)).toBeLessThan(12);
});
