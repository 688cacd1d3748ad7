import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEEPEST_JSON, parseJson, readJson } from './read-json.server.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

test('whatever JSON can say is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: DEEPEST_JSON - 1, stringUnit: 'grapheme' }), (text) => {
      expect(parseJson(text)).toEqual({ ok: true, value: JSON.parse(text) });
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
  ['"\\'.repeat(200_000), { ok: false, error: 'not_json' }],
  [`"${'\\'.repeat(1_000_000)}"`, { ok: true }],
  ['', { ok: false, error: 'not_json' }],
  [String.raw`{"a":"\u0000"}`, { ok: false, error: 'bad_characters' }],
  [String.raw`{"a":[{"\u0000":1}]}`, { ok: false, error: 'bad_characters' }],
  [String.raw`"\ud83d"`, { ok: false, error: 'bad_characters' }],
  [String.raw`"\ud83d\ude00"`, { ok: true }],
  [String.raw`"\\u0000"`, { ok: true }],
])('%.40s', (text, expected) => {
  const began = process.cpuUsage();
  expect(parseJson(text)).toMatchObject(expected);
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});

test('a body that breaks off is told from one that is not JSON', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new Error('gone')) });
  const init = { method: 'POST', body, duplex: 'half' };
  const request = new Request('http://lale.example/', init);
  expect(await readJson(request)).toEqual({ ok: false, error: 'broken_off' });
});
