import { expect, test } from 'vitest';
import { everyRow } from '~/base/cursor.ts';
import { csvDownload } from './csv.server.ts';

test('a download that is cancelled ends the reading', async () => {
  let isEnded = false;
  async function* rows() {
    try {
      for (;;) yield 'a'.repeat(1000);
    } finally {
      isEnded = true;
    }
  }
  const reader = csvDownload('x', { a: (row) => row }, rows()).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  expect(isEnded).toBe(true);
});

test('a long file is sent while it is read, no faster than it is received, each line once', async () => {
  const ROWS = 12_345;
  let readings = 0;
  const rows = everyRow<number>(async (after, limit) => {
    readings += 1;
    const first = after === null ? 0 : after + 1;
    return Array.from({ length: Math.min(limit, ROWS - first) }, (_, index) => first + index);
  });
  const file = csvDownload('x', { number: (row) => row, text: () => 'a'.repeat(20) }, rows);
  const reader = file.body?.getReader();
  if (!reader) throw new Error('A body');
  const bytes = new TextDecoder();
  let text = '';
  const take = async () => {
    const { done, value } = await reader.read();
    text += bytes.decode(value, { stream: !done });
    return !done;
  };
  await take();
  await take();
  expect(text.split('\r\n').length).toBeGreaterThan(50);
  // The reader pauses: only the first of a dozen pages was needed so far.
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(readings).toBeLessThanOrEqual(2);
  while (await take());
  const lines = text.replace('\ufeff', '').trim().split('\r\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual([
    'number',
    ...Array.from({ length: ROWS }, (_, index) => String(index)),
  ]);
});
