import { describe, expect, test } from 'vitest';
import { readArticle } from './texts.server.ts';

const read = (body: string) =>
  readArticle(`# Title\n\nLead.\n\n## Section\n\n${body}\n`, (text) => text);
const blocksOf = (body: string) => read(body).sections[0]?.blocks;

describe('a text', () => {
  test('has a title, a lead and sections with ids that no language changes', () => {
    const { title, lead, sections } = readArticle('# T\n\nL\n\n## A\n\na\n\n## B\n\nb\n', (t) => t);
    expect(title).toBe('T');
    expect(lead).toEqual([{ kind: 'text', text: 'L' }]);
    expect(sections.map(({ id, title }) => [id, title])).toEqual([
      ['section-1', 'A'],
      ['section-2', 'B'],
    ]);
  });

  test('holds figures as paragraphs of their own', () => {
    expect(blocksOf('{{figure.stages}}')).toEqual([{ kind: 'figure', name: 'stages' }]);
  });

  test('fills words and addresses', () => {
    const fill = (text: string) => text.replace('{{mail}}', 'mailto:a@b.example');
    const { lead } = readArticle('# T\n\n[a]({{mail}})\n', fill);
    expect(lead).toMatchObject([{ kind: 'link', href: 'mailto:a@b.example' }]);
  });

  test.each([
    ['HTML', '<p>no</p>'],
    ['HTML in a line', 'a <b>no</b>'],
    ['a script', '<script>alert(1)</script>'],
    ['a picture', '![no](/no.png)'],
    ['code', '`no`'],
    ['a script behind a link', '[no](javascript:alert(1))'],
    ['another host without a scheme', '[no](//example.org)'],
    ['an unknown figure', '{{figure.no}}'],
    ['lists in lists', '- a\n  - b'],
  ])('refuses %s', (_, body) => {
    expect(() => read(body)).toThrow();
  });

  test.each([['no title'], ['# T'], ['# T\n\n## No lead'], ['# T\n\nL\n\nNo section']])(
    'refuses %j',
    (text) => {
      expect(() => readArticle(text, (same) => same)).toThrow();
    },
  );
});
