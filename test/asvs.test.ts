import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../src/platform/config/root.server.ts';

/** Requirements that the first review found unmet or partly met, then those that the additions were measured against. */
const REVIEWED = (
  '2.2.1 2.4.1 3.3.1 3.3.3 3.5.3 4.2.1 5.2.1 5.2.2 5.4.3 6.2.1 6.2.4 6.2.12 6.3.3 6.5.2 7.5.1 ' +
  '8.2.2 12.3.1 13.4.5 14.3.2 16.3.2 ' +
  '1.2.10 2.3.4 2.3.5 3.5.1 6.3.4 6.3.5 6.3.7 6.3.8 6.4.4 6.7.2 6.8.1 6.8.2 6.8.4 7.1.3 ' +
  '7.2.4 7.4.2 7.4.3 7.5.3 7.6.1 7.6.2 8.3.2 9.1.2 9.1.3 9.2.1 9.2.2 9.2.3 10.1.1 10.1.2 ' +
  '10.2.1 10.2.2 10.2.3 10.5.1 10.5.2 10.5.3 10.5.4 10.5.5'
).split(' ');

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

const rows = read('docs/asvs.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, requirement = '', met = '', how = '', code = '', tests = ''] = cells;
    return { id: requirement.split(' ')[0] ?? '', met, how, code, tests };
  });

test('every requirement of the reviews has one row', () => {
  expect(rows.map(({ id }) => id)).toEqual(REVIEWED);
});

describe.each(rows)('$id', ({ met, how, code, tests }) => {
  test('says how far it is met', () => {
    expect(['yes', 'in part', 'no']).toContain(met);
    expect(how).not.toBe('');
  });

  test('names code and documents that are there', () => {
    const named = `${code} ${how}`.match(/`(?:src|docs|test)\/[^`]+`/g) ?? [];
    expect(code).toMatch(/^`/);
    for (const file of named)
      expect(existsSync(join(projectRoot, file.slice(1, -1))), file).toBe(true);
  });

  test('names tests that are there', () => {
    const named = [...tests.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)];
    expect(named.length).toBe(tests.split('"; ').length);
    for (const [, file = '', title = ''] of named) {
      const source = read(file);
      // As the title of a test, not elsewhere in the file.
      const at = source.indexOf(title);
      expect(at, `${file}: ${title}`).toBeGreaterThan(0);
      expect(`'"\``, `${file}: ${title}`).toContain(source[at - 1]);
    }
  });
});
