import { beforeAll, describe, expect, test } from 'vitest';
import { languages, type Language, languageCodes } from '~/base/languages.ts';
import { leftInEnglish, placeholdersIn, textsOf, unfilled } from '../../../test/page-checks.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { listedPages } from './listed-pages.ts';

const ORIGIN = 'https://lale.example';
const platform = await makeTestPlatform({ variables: { PUBLIC_URL: ORIGIN } });
const app = makeTestApp(platform);

/** Pages that can be opened without earlier steps. */
const unlisted = [
  '/verify/ABCD',
  '/test-mode',
  '/insurance/terms/1',
  '/download',
  '/payment-cancel',
  '/gpay-checkout',
  '/nothing/here',
];
const pages = [...listedPages, '/apply', '/insurance-simple', ...unlisted];

const addressOf = (language: Language, page: string) => `/${language}${page === '/' ? '' : page}`;
const seen = new Map<string, { status: number; html: string }>();
const look = (language: Language, page: string) => seen.get(addressOf(language, page));
const htmlOf = (language: Language, page: string) => look(language, page)?.html ?? '';

beforeAll(async () => {
  await seedAll(platform.db, seeders, platform.now());
  for (const language of languageCodes) {
    for (const page of pages) {
      const address = addressOf(language, page);
      const answer = await app.request(address);
      seen.set(address, { status: answer.status, html: await answer.text() });
    }
  }
}, 180_000);

const only = (pattern: RegExp, html: string): string | undefined => {
  const found = [...html.matchAll(pattern)];
  expect(found.length, `${pattern} once`).toBe(1);
  return found[0]?.[1];
};

const countries = new Set(['Türkiye', ...referenceCountries.map(({ name }) => name)]);

describe.each(languages.map(({ code, direction }) => ({ code, direction })))(
  'in $code',
  ({ code, direction }) => {
    test.each(pages)('%s is there, in its language and direction', (page) => {
      const html = htmlOf(code, page);
      expect(look(code, page)?.status).toBe(look('en', page)?.status);
      if (!unlisted.includes(page)) expect(look(code, page)?.status).toBe(200);
      expect(html).toContain(`<html lang="${code}" dir="${direction}"`);
    });

    test.each(pages)('%s has one headline and a title', (page) => {
      const html = htmlOf(code, page);
      expect(html.match(/<h1\b/g)).toHaveLength(1);
      const title = only(/<title>([^<]*)<\/title>/g, html) ?? '';
      expect(title).toMatch(/Lale|لاله/);
      expect(title.length).toBeGreaterThan(10);
    });

    test.each(pages)('%s shows no key, placeholder or error', (page) => {
      expect(unfilled(htmlOf(code, page))).toEqual([]);
    });

    test.each(pages)('%s leaves no place open and says nothing to the operator', (page) => {
      expect(placeholdersIn(textsOf(htmlOf(code, page)))).toEqual([]);
      // One banner links to the page about test mode.
      expect(htmlOf(code, page).match(/class="test-mode /g)).toHaveLength(1);
    });

    test.each(listedPages)('%s tells search engines and shared links what it is', (page) => {
      const html = htmlOf(code, page);
      const description = only(/<meta content="([^"]*)" name="description"\/>/g, html) ?? '';
      expect(description.length).toBeGreaterThan(40);
      expect(only(/<link href="([^"]*)" rel="canonical"\/>/g, html)).toBe(
        ORIGIN + addressOf(code, page),
      );
      const others = [
        ...html.matchAll(/<link href="([^"]*)" hrefLang="([^"]*)" rel="alternate"\/>/g),
      ].map(([, href, language]) => `${language} ${href}`);
      expect(others).toEqual([
        ...languageCodes.map((other) => `${other} ${ORIGIN}${addressOf(other, page)}`),
        `x-default ${ORIGIN}${addressOf('en', page)}`,
      ]);
      expect(html).toContain(`content="${ORIGIN}/sharing/${code}.png" property="og:image"`);
      expect(html).not.toContain('noindex');
    });

    test.each(unlisted)('%s is kept from search engines', (page) => {
      expect(htmlOf(code, page)).toContain('<meta content="noindex" name="robots"/>');
      expect(htmlOf(code, page)).not.toContain('rel="canonical"');
    });
  },
);

test.each(['/apply', '/insurance-simple'])('%s stands for the page it repeats', (page) => {
  const html = htmlOf('fr', page);
  const first = page === '/apply' ? '/application' : '/insurance';
  expect(html).toContain(`<link href="${ORIGIN}/fr${first}" rel="canonical"/>`);
});

test.each(languageCodes.filter((code) => code !== 'en'))(
  'nothing is left in English, in %s',
  (code) => {
    const left = pages.flatMap((page) =>
      leftInEnglish(code, htmlOf(code, page), htmlOf('en', page)).filter(
        (text) => !countries.has(text),
      ),
    );
    expect([...new Set(left)], left.join(' | ')).toEqual([]);
  },
);

test('titles and descriptions differ from page to page', () => {
  for (const code of languageCodes) {
    for (const pattern of [/<title>([^<]*)/, /<meta content="([^"]*)" name="description"/]) {
      const found = listedPages.map((page) => pattern.exec(htmlOf(code, page))?.[1]);
      expect(new Set(found).size, `${code} ${pattern}`).toBe(listedPages.length);
    }
  }
});

test('every link leads somewhere', async () => {
  const links = new Map<string, string>();
  for (const [address, { html }] of seen) {
    for (const [, href = ''] of html.matchAll(/<a [^>]*href="([^"]+)"/g)) {
      const target = href.replaceAll('&amp;', '&');
      if (target.startsWith('/')) links.set(target.replace(/#.*/, ''), address);
      else if (target.startsWith('#')) {
        expect(html, `${address}${target}`).toContain(`id="${target.slice(1)}"`);
      } else expect(target, address).toMatch(/^(mailto:|https:\/\/www\.evisa\.gov\.tr\/)/);
    }
  }
  const dead: string[] = [];
  for (const [target, from] of links) {
    if (seen.has(target)) continue;
    const { status } = await app.request(target);
    if (status >= 400) dead.push(`${status} ${target} on ${from}`);
  }
  expect(dead, dead.join('\n')).toEqual([]);
});
