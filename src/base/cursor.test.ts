import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf, readCursor, writeCursor, type Cursor } from './cursor.ts';

const at = new Date('2026-11-21T10:00:00.123Z');

test('a cursor is read as it was written', () => {
  const cursor = { at, id: 'f0c1-2' };
  expect(readCursor(writeCursor(cursor))).toEqual(cursor);
});

test.each([null, '', '1', '.', 'x.y', '1.', '1.a b', `9999999999999999.a`, '1.a;drop'])(
  '%j is no cursor',
  (text) => {
    expect(readCursor(text)).toBeNull();
  },
);

/** A store that sorts by moment and id, newest first. */
function readPage(
  all: readonly Cursor[],
  size: number,
  older: string | null,
  newer: string | null,
) {
  const cursor = readCursor(newer ?? older);
  const key = (row: Cursor) => row.at.getTime() * 1000 + Number(row.id);
  const sorted = all.toSorted((a, b) => key(b) - key(a));
  const found = !cursor
    ? sorted
    : newer === null
      ? sorted.filter((row) => key(row) < key(cursor))
      : sorted.filter((row) => key(row) > key(cursor)).toReversed();
  const backwards = newer !== null;
  return pageOf(found.slice(0, size + 1), (row) => row, { size, cursor, backwards });
}

test('reading forth and back shows every row once, in order', () => {
  const rows = fc.uniqueArray(fc.record({ at: fc.nat(5), id: fc.nat(99) }), {
    selector: ({ at: moment, id }) => `${moment}.${id}`,
    maxLength: 40,
  });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 7 }), (given, size) => {
      const all = given.map((row) => ({ at: new Date(row.at), id: String(row.id) }));
      const pages = [readPage(all, size, null, null)];
      for (let older = pages[0]?.older ?? null; older !== null;) {
        const page = readPage(all, size, older, null);
        pages.push(page);
        older = page.older;
      }
      expect(pages.flatMap((page) => page.rows)).toHaveLength(all.length);
      const back = [pages.at(-1)?.rows ?? []];
      for (let newer = pages.at(-1)?.newer ?? null; newer !== null;) {
        const page = readPage(all, size, null, newer);
        back.unshift(page.rows);
        newer = page.newer;
      }
      expect(back.flat()).toEqual(pages.flatMap((page) => page.rows));
    }),
  );
});
