import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../src/platform/config/root.server.ts';

/** The requirements of levels 1 and 2 that apply. */
const REQUIRED = (
  '1.1.1 1.1.2 1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.2.9 1.3.2 1.3.3 1.3.4 1.3.6 1.3.7 1.3.10 ' +
  '1.3.11 1.4.2 1.5.2 2.1.1 2.1.2 2.1.3 2.2.1 2.2.2 2.2.3 2.3.1 2.3.2 2.3.3 2.3.4 2.4.1 3.2.1 ' +
  '3.2.2 3.3.1 3.3.2 3.3.3 3.3.4 3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 3.5.1 3.5.3 3.5.4 3.7.1 ' +
  '3.7.2 4.1.1 4.1.2 4.1.3 4.2.1 5.1.1 5.2.1 5.2.2 5.2.3 5.3.1 5.3.2 5.4.1 5.4.2 5.4.3 6.1.1 ' +
  '6.1.2 6.1.3 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.2.9 6.2.10 6.2.11 6.2.12 ' +
  '6.3.1 6.3.2 6.3.3 6.3.4 6.4.1 6.4.2 6.4.3 6.4.4 6.5.1 6.5.2 6.5.3 6.5.4 6.5.5 6.6.2 6.6.3 ' +
  '7.1.1 7.1.2 7.2.1 7.2.2 7.2.3 7.2.4 7.3.1 7.3.2 7.4.1 7.4.2 7.4.3 7.4.4 7.4.5 7.5.1 7.5.2 ' +
  '7.6.2 8.1.1 8.1.2 8.2.1 8.2.2 8.2.3 8.3.1 11.1.1 11.1.2 11.2.1 11.2.2 11.2.3 11.3.1 11.3.2 ' +
  '11.3.3 11.4.1 11.4.2 11.4.3 11.4.4 11.5.1 11.6.1 12.1.1 12.1.2 12.2.1 12.2.2 12.3.1 12.3.2 ' +
  '12.3.3 12.3.4 13.1.1 13.2.1 13.2.2 13.2.3 13.2.4 13.2.5 13.3.1 13.3.2 13.4.1 13.4.2 13.4.3 ' +
  '13.4.4 13.4.5 14.1.1 14.1.2 14.2.1 14.2.2 14.2.3 14.2.4 14.3.1 14.3.2 14.3.3 15.1.1 15.1.2 ' +
  '15.1.3 15.2.1 15.2.2 15.2.3 15.3.1 15.3.2 15.3.3 15.3.4 15.3.5 15.3.6 15.3.7 16.1.1 16.2.1 ' +
  '16.2.2 16.2.3 16.2.4 16.2.5 16.3.1 16.3.2 16.3.3 16.3.4 16.4.1 16.4.2 16.4.3 16.5.1 16.5.2 ' +
  '16.5.3'
).split(' ');

/** Those of level 3, and on sign-on and tokens, that the additions were measured against. */
const FURTHER = (
  '1.2.10 2.3.5 6.3.5 6.3.7 6.3.8 6.7.2 6.8.1 6.8.2 6.8.4 7.1.3 7.5.3 7.6.1 8.3.2 9.1.2 9.1.3 ' +
  '9.2.1 9.2.2 9.2.3 10.1.1 10.1.2 10.2.1 10.2.2 10.2.3 10.5.1 10.5.2 10.5.3 10.5.4'
).split(' ');

const MAX_OPEN = 5;

const read = (file: string) => readFileSync(join(projectRoot, file), 'utf8');

const rows = read('docs/asvs.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const [, requirement = '', level = '', met = '', how = '', tests = ''] = cells;
    return { id: requirement.split(' ')[0] ?? '', level, met, how, tests };
  });

test('every requirement has one row, in order', () => {
  expect(rows.map(({ id }) => id)).toEqual([...REQUIRED, ...FURTHER]);
});

test('no requirement of level 1 is open, and few of level 2', () => {
  const open = rows.filter(({ id, met }) => REQUIRED.includes(id) && met === 'open');
  expect(open.filter(({ level }) => level !== '2')).toEqual([]);
  expect(open.length).toBeLessThanOrEqual(MAX_OPEN);
});

describe.each(rows)('$id', ({ id, met, how, tests }) => {
  test('says whether it is met, and how or what is missing', () => {
    const answers = REQUIRED.includes(id)
      ? ['yes', 'not applicable', 'open']
      : ['yes', 'in part', 'no'];
    expect(answers).toContain(met);
    expect(how).not.toBe('');
    for (const [file] of how.matchAll(/(?<=`)(?:src|docs|test|deploy)\/[^`]+(?=`)/g))
      expect(existsSync(join(projectRoot, file)), file).toBe(true);
  });

  test('names tests that are there', () => {
    const named = [...tests.matchAll(/`([^`]+\.test\.tsx?)` "([^"]+)"/g)];
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
