import { describe, expect, test } from 'vitest';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { descriptionOf, findTexts, MOST_ROWS } from './find-texts.server.ts';

describe('a text', () => {
  test('is found by its key, its words in both languages and its description, in any case', () => {
    const key = 'gateway:cards.completed';
    for (const find of ['cards.COMPLETED', 'goes through. a participle']) {
      const { rows } = findTexts({ part: '', find, language: 'tr' });
      expect(rows.map((row) => `${row.part}:${row.key}`)).toContain(key);
    }
    const [row] = findTexts({ part: 'gateway', find: 'cards.completed', language: 'tr' }).rows;
    const turkish = row?.chosen[0]?.text ?? '';
    expect(turkish).not.toBe('');
    expect(findTexts({ part: 'gateway', find: turkish, language: 'tr' }).rows).toContainEqual(row);
    expect(findTexts({ part: 'visa', find: 'cards.completed', language: 'tr' }).rows).toEqual([]);
  });

  test('comes with all its plural forms', () => {
    const [row] = findTexts({ part: 'desk', find: 'detail.tripDays', language: 'ar' }).rows;
    expect(row?.english.map(({ form }) => form)).toEqual(['one', 'other']);
    expect(row?.chosen).toHaveLength(6);
  });

  test('is described by itself, by the smallest group around it, or not', () => {
    expect(descriptionOf('application', 'fact.none')).toContain('fact.document');
    expect(descriptionOf('application', 'fact.plan')).toContain('Name of a fact');
    expect(descriptionOf('staff', 'signOut')).toBeNull();
  });
});

test('without a filter there are more than a page shows', () => {
  const { rows, count } = findTexts({ part: '', find: '', language: 'de' });
  expect(rows).toHaveLength(MOST_ROWS);
  expect(count).toBeGreaterThan(2000);
});

describe('the page', async () => {
  const app = makeTestApp(await makeTestPlatform());
  const page = async (path: string) => {
    const html = await (await app.request(path)).text();
    return html.split('<script id="page-data"')[0] ?? '';
  };

  test('shows key, English, the chosen language and description, and keeps the filter', async () => {
    const html = await page('/texts?find=tag.allows&in=ar');
    expect(html).toContain('visa:tag.allows');
    expect(html).toContain('On the luggage tag, above the longest stay');
    expect(html).toContain('<div dir="rtl" lang="ar">');
    expect(html).toContain('value="tag.allows"');
    expect(html).toContain('<option value="ar" selected="">');
  });

  test('shows the language of the page beside English', async () => {
    expect(await page('/ar/texts?find=tag.allows')).toContain('<option value="ar" selected="">');
  });

  test('takes what it does not know for no filter', async () => {
    expect(await page('/texts?part=nothing&in=xx')).toContain('The first 500 are shown.');
  });
});
