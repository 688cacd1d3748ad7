import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test, describe, it } from 'vitest';
import { readCursor, readPage, writeCursor, type Cursor } from './cursor.ts';
import { csvLine } from './csv.ts';
import { usd } from './money.ts';
import { defineMachine } from './machine.ts';
import { QueueFull, workQueue } from './work-queue.ts';
import { ok, refused, type Outcome } from './outcome.ts';

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

/** A page of a store that sorts by moment and id, newest first. */
function pageIn(all: readonly Cursor[], size: number, place: Record<string, string> = {}) {
  const key = (row: Cursor) => row.at.getTime() * 1000 + Number(row.id);
  const sorted = all.toSorted((a, b) => key(b) - key(a));
  return readPage(
    new URLSearchParams(place),
    async ({ cursor, backwards, limit }) => {
      const beyond = sorted.filter(
        (row) => !cursor || (backwards ? key(row) > key(cursor) : key(row) < key(cursor)),
      );
      return (backwards ? beyond.toReversed() : beyond).slice(0, limit);
    },
    (row) => row,
    size,
  );
}

test('reading forth and back shows every row once, in order', async () => {
  const rows = fc.uniqueArray(fc.record({ at: fc.nat(5), id: fc.nat(99) }), {
    selector: ({ at: moment, id }) => `${moment}.${id}`,
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 7 }), async (given, size) => {
      const all = given.map((row) => ({ at: new Date(row.at), id: String(row.id) }));
      const pages = [await pageIn(all, size)];
      for (let older = pages[0]?.older ?? null; older !== null;) {
        const page = await pageIn(all, size, { older });
        pages.push(page);
        older = page.older;
      }
      expect(pages.flatMap((page) => page.rows)).toHaveLength(all.length);
      const back = [pages.at(-1)?.rows ?? []];
      for (let newer = pages.at(-1)?.newer ?? null; newer !== null;) {
        const page = await pageIn(all, size, { newer });
        back.unshift(page.rows);
        newer = page.newer;
      }
      expect(back.flat()).toEqual(pages.flatMap((page) => page.rows));
    }),
  );
});

test.each([
  [['a', 1, null, '94.00'], 'a,1,,94.00'],
  [['a,b', 'say "no"', 'two\nlines'], '"a,b","say ""no""","two\nlines"'],
  [['=1+1'], `"'=1+1"`],
  [['+90 555'], `"'+90 555"`],
  [['-2'], `"'-2"`],
  [['@SUM(A1)'], `"'@SUM(A1)"`],
  [['\t=1'], `"'\t=1"`],
  [[' =1'], `"' =1"`],
  [['＝1'], `"'＝1"`],
  [[-2], '-2'],
  [[usd(-25_00), usd(7)], '-25.00,0.07'],
  [[''], ''],
] as const)('%j', (cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
});

/** What a reader of RFC 4180 finds in one line. */
function read(line: string): string[] {
  const cells = [''];
  let quoted = false;
  const body = line.slice(0, -2);
  for (let at = 0; at < body.length; at++) {
    const sign = body.charAt(at);
    if (sign === '"' && quoted && body.charAt(at + 1) === '"') at++;
    else if (sign === '"') {
      quoted = !quoted;
      continue;
    } else if (sign === ',' && !quoted) {
      cells.push('');
      continue;
    }
    cells.push(`${cells.pop() ?? ''}${sign}`);
  }
  return cells;
}

test('any texts are read back, and none begins like a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (cells) => {
      const back = read(csvLine(cells));
      expect(back.map((cell) => cell.replace(/^'/, ''))).toEqual(
        cells.map((cell) => cell.replace(/^'/, '')),
      );
      for (const cell of back) expect(cell).not.toMatch(/^\s*[=+\-@]/);
    }),
  );
});

const door = defineMachine(['shut', 'open', 'broken'], ['push', 'pull', 'kick'], {
  shut: { push: 'open', kick: 'broken' },
  open: { pull: 'shut' },
  broken: {},
});

describe('a machine', () => {
  test.each([
    ['shut', 'push', 'open'],
    ['shut', 'pull', null],
    ['shut', 'kick', 'broken'],
    ['open', 'push', null],
    ['open', 'pull', 'shut'],
    ['open', 'kick', null],
    ['broken', 'push', null],
    ['broken', 'pull', null],
    ['broken', 'kick', null],
  ] as const)('%s, %s: %s', (state, event, after) => {
    expect(door.next(state, event)).toBe(after);
  });

  it('knows what can be reached, over several steps and around circles', () => {
    expect(door.canReach('open', 'broken')).toBe(true);
    expect(door.canReach('open', 'open')).toBe(true);
    expect(door.canReach('broken', 'broken')).toBe(true);
    expect(door.canReach('broken', 'shut')).toBe(false);
  });

  it('lists its states and events in the given order', () => {
    expect(door.states).toEqual(['shut', 'open', 'broken']);
    expect(door.events).toEqual(['push', 'pull', 'kick']);
  });
});

test('never does more at once than it may, refuses whom it has no place for, and is free in the end', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.record({ turns: fc.nat(4), fails: fc.boolean() }), { maxLength: 20 }),
      async (atOnce, waiting, works) => {
        const inTurn = workQueue({ atOnce, waiting });
        let working = 0;
        let most = 0;
        const results = await Promise.allSettled(
          works.map(({ turns, fails }) =>
            inTurn(async () => {
              working += 1;
              most = Math.max(most, working);
              for (let done = 0; done < turns; done += 1) await turn();
              working -= 1;
              if (fails) throw new Error('work failed');
            }),
          ),
        );
        expect(most).toBeLessThanOrEqual(atOnce);
        const full = results.filter(
          (one) => one.status === 'rejected' && one.reason instanceof QueueFull,
        );
        expect(full).toHaveLength(Math.max(0, works.length - atOnce - waiting));
        // Every place is free again.
        const again = Array.from({ length: atOnce + waiting }, () => inTurn(turn));
        await expect(Promise.all(again)).resolves.toHaveLength(atOnce + waiting);
      },
    ),
    { numRuns: 60 },
  );
});

it('tells the value from the reason', () => {
  const half = (whole: number): Outcome<number, 'odd'> =>
    whole % 2 === 0 ? ok(whole / 2) : refused('odd');
  expect(half(4)).toEqual({ ok: true, value: 2 });
  expect(half(3)).toEqual({ ok: false, error: 'odd' });
});
