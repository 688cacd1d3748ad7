import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';
import { usd } from './money.ts';

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
