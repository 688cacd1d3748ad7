import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, it } from 'vitest';
import { languages, type Language, languageCodes } from '~/base/languages.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import { cardBrands } from '~/platform/config/sample-operator.ts';
import {
  findEnglishTexts,
  findPlaceholders,
  htmlTexts,
  unfilled,
} from '../../../test/page-checks.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { listedPages, listedPageByPath, navigationKey, isContentPage } from './listed-pages.ts';
import type { Article } from './information/article.ts';
import { breadcrumbs, toScriptJson, organization, questions } from './document/structured-data.tsx';
import { languagePath, isCurrentPage, mainPages } from './navigation.ts';
import { securityText } from './api.server.ts';

describe('every page', async () => {
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
  const pages = [...listedPages, '/apply', '/insurance-simple', '/refund', ...unlisted];

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
        expect(findPlaceholders(htmlTexts(htmlOf(code, page)))).toEqual([]);
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
        findEnglishTexts(code, htmlOf(code, page), htmlOf('en', page)).filter(
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
});

const operator = {
  legalName: '[Operator legal name]',
  address: '1 Street, Town',
  taxNumber: '[Operator tax number]',
  supportEmail: 'support@operator.example',
  supportPhone: '[Support phone]',
};

describe('structured data', () => {
  it('says of the operator only what was filled in', () => {
    const written = JSON.parse(
      toScriptJson(
        organization({ origin: 'https://lale.example', operator, year: 2026, testMode: null }),
      ),
    );
    expect(written).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Organization',
      name: 'Lale',
      url: 'https://lale.example/',
      logo: 'https://lale.example/icon-512.png',
      address: '1 Street, Town',
      contactPoint: {
        '@type': 'ContactPoint',
        contactType: 'customer support',
        email: 'support@operator.example',
      },
    });
  });

  it('numbers the steps of a way', () => {
    const { itemListElement } = breadcrumbs([
      { name: 'Lale', address: 'https://lale.example/tr' },
      { name: 'SSS', address: 'https://lale.example/tr/faq' },
    ]);
    expect(itemListElement).toMatchObject([
      { position: 1, item: 'https://lale.example/tr' },
      { position: 2, name: 'SSS' },
    ]);
  });

  it('contains questions and answers without direction marks', () => {
    const article: Article = {
      title: 'Questions',
      lead: [],
      sections: [
        {
          id: 'section-1',
          title: 'How long?',
          blocks: [
            { kind: 'paragraph', children: [{ kind: 'text', text: '\u20662–3\u2069 days.' }] },
            {
              kind: 'list',
              ordered: false,
              items: [[{ kind: 'strong', children: [{ kind: 'text', text: 'Soon' }] }]],
            },
          ],
        },
      ],
    };
    expect(questions(article, 'en')['mainEntity']).toEqual([
      {
        '@type': 'Question',
        name: 'How long?',
        acceptedAnswer: { '@type': 'Answer', text: '2–3 days. Soon' },
      },
    ]);
  });

  it('cannot end the element it stands in', () => {
    const written = toScriptJson(breadcrumbs([{ name: '</script><script>', address: '' }]));
    expect(written).not.toContain('<');
    expect(JSON.parse(written).itemListElement[0].name).toBe('</script><script>');
  });
});

describe('a page that is the same for everybody', () => {
  it.each([
    ['/', undefined, true],
    ['/tr', 'tr', true],
    ['/ar/faq', 'ar', true],
    ['/faq', undefined, true],
    ['/status', undefined, false],
    ['/tr/application', 'tr', false],
    ['/faq/more', undefined, false],
  ] as const)('%s is asked for: %s %s', (pathname, prefix, expected) => {
    expect(isContentPage({ pathname, search: '' }, prefix)).toBe(expected);
  });

  it('is not the answer to somebody’s question', () => {
    expect(isContentPage({ pathname: '/', search: '?countryId=MEX' }, undefined)).toBe(false);
  });
});

describe('the page that search engines may list', () => {
  it.each([
    ['/', '/'],
    ['/apply', '/application'],
    ['/insurance-simple', '/insurance'],
    ['/refund', '/cancellation-policy'],
    ['/faq', '/faq'],
    ['/application/details', undefined],
    ['/payment-success', undefined],
    ['/nothing', undefined],
  ])('at %s is %s', (pathname, page) => {
    expect(listedPageByPath(pathname)).toBe(page);
  });

  it('is named once', () => {
    expect(new Set(listedPages.map(navigationKey)).size).toBe(listedPages.length);
  });
});

describe('the current part of the site', () => {
  it.each([
    ['/', 'home'],
    ['/application', 'apply'],
    ['/application/arrival', 'apply'],
    ['/apply/details', 'apply'],
    ['/insurance-simple', 'insurance'],
    ['/status', 'status'],
  ])('%s lies under %s alone', (pathname, key) => {
    expect(
      mainPages.filter((page) => isCurrentPage(page, pathname)).map((page) => page.key),
    ).toEqual([key]);
  });

  it.each(['/applications', '/statuses'])('%s lies under none', (pathname) => {
    expect(mainPages.some((page) => isCurrentPage(page, pathname))).toBe(false);
  });
});

describe('the same page in another language', () => {
  it.each([
    ['/', '', '/tr'],
    ['/', '?nationality=MEX', '/tr?nationality=MEX'],
    ['/status', '?ref=TRV', '/tr/status?ref=TRV'],
  ])('of %s%s is %s', (pathname, search, address) => {
    expect(languagePath('tr', pathname, search)).toBe(address);
  });
});

const at = { publicUrl: 'https://lale.example', now: new Date('2026-11-22T13:00:00Z') };

test('names a contact, and expires within a year', () => {
  const operator = { supportEmail: 'help@lale.example', contactUrl: 'https://lale.example/write' };
  expect(securityText(operator, at)).toBe(
    [
      'Contact: mailto:help@lale.example',
      'Contact: https://lale.example/write',
      'Expires: 2027-05-21T00:00:00.000Z',
      'Preferred-Languages: en, tr, fr, de, es, ar',
      'Canonical: https://lale.example/.well-known/security.txt',
      'Policy: https://lale.example/security',
      '',
    ].join('\n'),
  );
});

test('does not exist without a contact', async () => {
  expect(securityText({ supportEmail: '[Support e-mail]' }, at)).toBeNull();
  const platform = await makeTestPlatform();
  const operator = { ...platform.config.operator, supportEmail: '[Support e-mail]' };
  const placeholders = makeTestApp({ ...platform, config: { ...platform.config, operator } });
  expect((await placeholders.request('/.well-known/security.txt')).status).toBe(404);
});

test('is served from the configuration', async () => {
  const variables = { OPERATOR_SUPPORT_EMAIL: 'help@lale.example' };
  const app = makeTestApp(await makeTestPlatform({ variables }));
  const response = await app.request('/.well-known/security.txt');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toContain('Contact: mailto:help@lale.example\n');
});

test('every card has its view in the drawing of all, and none is left over', () => {
  const drawn = readFileSync(join(projectRoot, 'public/cards.svg'), 'utf8');
  const views = [...drawn.matchAll(/<view id="(\w+)"/g)].map(([, id]) => id);
  expect(views.toSorted()).toEqual(cardBrands.toSorted());
});
