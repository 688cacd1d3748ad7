import { zstdDecompressSync } from 'node:zlib';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { compress, compressed } from './compress.server.ts';
import { jsonText } from './json-text.server.ts';

const small = { number: 'TRV1' };
const large = { text: 'Türkiye '.repeat(500) };

const app = new Hono();
app.use(compress());
app.get('/small', (c) => {
  const { text, headers } = jsonText(small);
  return c.body(text, 201, headers);
});
app.get('/large', (c) => {
  const { text, headers } = jsonText(large);
  return c.body(text, 200, { ...headers, Vary: 'Accept-Language' });
});

const ask = (path: string) => app.request(path, { headers: { 'accept-encoding': 'gzip, zstd' } });

test('what is small passes as it is', async () => {
  const answer = await ask('/small');
  expect(answer.status).toBe(201);
  expect(answer.headers.get('content-encoding')).toBeNull();
  expect(answer.headers.get('content-length')).toBe(String(JSON.stringify(small).length));
  expect(await answer.json()).toEqual(small);
});

test('what is compressed says that it depends on the reader, beside what it depends on already, and no longer its length', async () => {
  const answer = await ask('/large');
  expect(answer.headers.get('content-encoding')).toBe('zstd');
  expect(answer.headers.get('vary')).toBe('Accept-Language, Accept-Encoding');
  expect(answer.headers.get('content-length')).toBeNull();
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(JSON.parse(zstdDecompressSync(bytes).toString())).toEqual(large);
});

test.each([1000, 50_000, 131_072, 131_073, 400_000])(
  'answers of %d characters at the same time keep their own text',
  async (length) => {
    const texts = ['ü', 'ş', 'x'].map((letter) => letter.repeat(length));
    const answers = await Promise.all(
      texts.map((text) => compressed(text, 'zstd', { status: 200, headers: new Headers() })),
    );
    for (const [index, answer] of answers.entries()) {
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(zstdDecompressSync(bytes).toString() === texts[index]).toBe(true);
    }
  },
);

test('a text that is not compressed keeps its bytes', async () => {
  const plain = (text: string) => compressed(text, null, { status: 200, headers: new Headers() });
  const [first, second] = await Promise.all([plain('ü'.repeat(1000)), plain('x'.repeat(1000))]);
  expect([await first.text(), await second.text()]).toEqual(['ü'.repeat(1000), 'x'.repeat(1000)]);
});
