import { beforeAll, describe, expect, test } from 'vitest';
import { languages } from '~/base/languages.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { informationPages } from './pages.ts';

const platform = await makeTestPlatform({ now: new Date('2026-11-23T10:00:00Z') });
const app = makeTestApp(platform);
const get = async (path: string) => (await app.request(path)).text();

beforeAll(async () => {
  await seedAll(platform.db, [seedCatalog], platform.now());
});

describe.each(languages.map(({ code, direction }) => ({ code, direction })))(
  'in $code',
  ({ code, direction }) => {
    test.each(informationPages)('%s is a whole page without framework script', async (page) => {
      const html = await get(`/${code}/${page}`);
      expect(html).toContain(`<html lang="${code}" dir="${direction}"`);
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(html).toMatch(/<title>[^<]+ · Lale<\/title>/);
      expect(html).toMatch(/<meta content="[^"]{40,}" name="description"\/>/);
      expect(html).not.toContain('page-data');
      expect(html).not.toMatch(/\{\{|>information[.:]|>units\./);
    });
  },
);

test('prices are counted from the moment of the request', async () => {
  const html = await get('/en/processing-times');
  // 48 working hours from Monday 10:00, at nine a day.
  expect(html).toContain('Mon 30 Nov, 13:00');
  for (const total of [
    '94',
    '144',
    '244',
    '364',
    '119',
    '184',
    '234',
    '349',
    '399',
    '479',
    '714',
  ]) {
    expect(html).toContain(`$${total}.00`);
  }
});

test('eligible nationalities are named in the language of the page', async () => {
  const html = await get('/de/requirements');
  for (const name of ['Südafrika', 'Mexiko', 'Indien', 'Ägypten']) expect(html).toContain(name);
  expect(html).not.toContain('South Africa');
});

test('questions open without script', async () => {
  const html = await get('/en/faq');
  expect(html.match(/<details class="question /g)).toHaveLength(8);
  expect(html).toContain(`mailto:${platform.config.operator.supportEmail}`);
});
