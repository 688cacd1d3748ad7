import { expect, test } from 'vitest';
import { matching } from './match.ts';

const commands = [
  'Queue',
  'Refunds',
  'Zurückerstattungen',
  'Ödemeler',
  'Ilk sıra',
  'المدفوعات',
].map((name) => ({ id: name, name, group: 'Page' }));

test.each([
  ['', commands.map(({ name }) => name)],
  ['ref', ['Refunds']],
  ['UCKERST', ['Zurückerstattungen']],
  ['odeme', ['Ödemeler']],
  ['ilk SIRA', ['Ilk sıra']],
  ['مدفوع', ['المدفوعات']],
  ['page que', ['Queue']],
  ['er', ['Zurückerstattungen', 'Ödemeler']],
  ['nothing', []],
])('“%s” finds %j', (typed, names) => {
  expect(matching(commands, typed).map(({ name }) => name)).toEqual(names);
});

test('a name that begins so comes first', () => {
  const two = [
    { id: '1', name: 'Open refunds', group: '' },
    { id: '2', name: 'Refunds', group: '' },
  ];
  expect(matching(two, 'refunds').map(({ id }) => id)).toEqual(['2', '1']);
});
