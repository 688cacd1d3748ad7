import { describe, expect, test, beforeAll } from 'vitest';
import { languageCodes, languages } from '~/base/languages.ts';
import { entryRule } from '~/features/application/entry-rule.ts';
import { referenceCountries } from '~/features/catalog/reference-data.ts';
import { plans } from '~/features/insurance/rules/plans.ts';
import { firstPriceList } from '~/features/visa/testing/first-price-list.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { firstOffice } from '~/base/dates/office.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { retentionYears } from '../retention.ts';
import { informationPages, relatedPages } from '../pages.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { readArticle, informationArticle, textFiles, informationText } from './texts.server.ts';
import type { Article, ArticleBlock, Inline } from './article.ts';
import { placeholderValues, type SiteFacts } from './values.server.ts';
import { makeFill } from './fill.ts';

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

const facts: SiteFacts = {
  operator: {
    legalName: 'Operator Ltd',
    address: '1 Street, Town',
    taxNumber: '000',
    supportEmail: 'support@operator.example',
    supportPhone: '+000',
  },
  countries: referenceCountries,
  plans,
  prices: firstPriceList,
  office: firstOffice,
  retention: retentionYears,
  waysToPay: 'both',
};

const written = (parts: readonly Inline[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : written(part.children))).join('');

function blockText(block: ArticleBlock): string {
  switch (block.kind) {
    case 'list':
      return block.items.map(written).join('\n');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(written).join(' | ')).join('\n');
    case 'figure':
      return '';
    default:
      return written(block.children);
  }
}

const plainText = ({ title, lead, sections }: Article): string =>
  [title, written(lead), ...sections.flatMap((one) => [one.title, ...one.blocks.map(blockText)])]
    .join('\n')
    .replace(/[\u2066-\u2069]/g, '')
    .replaceAll('\u2011', '-');

const english = (page: (typeof informationPages)[number]) =>
  plainText(informationArticle(page, 'en', facts));

test('every page has a text in every language, and nothing else is there', () => {
  const wanted = languageCodes.flatMap((code) =>
    informationPages.map((page) => `${code}/${page}.md`),
  );
  expect(textFiles.toSorted()).toEqual(wanted.toSorted());
});

test.each(['privacy', 'kvkk'] as const)('the text of %s lists what the form asks', (page) => {
  // Another list is another meaning: renew the page's date in `lastChanged` (`pages.ts`) as well.
  expect(english(page)).toContain(
    'nationality, travel document, supporting document, purpose of visit, arrival date, last name, first name, ' +
      'passport number, date of birth, place of birth, passport issue date, passport expiry date, mother’s name, ' +
      'father’s name, email address, phone number and address',
  );
});

describe.each(informationPages)('the text of %s', (page) => {
  const shape = (code: (typeof languageCodes)[number]) => {
    const { lead, sections } = informationArticle(page, code, facts);
    return { links: linksOf(lead), sections: sections.map(({ blocks }) => blocks.map(shapeOf)) };
  };

  test.each(languageCodes)('is named in the footer as it names itself in %s', (code) => {
    const name = makeTranslate(code)(`site:nav.${page}`);
    expect(informationArticle(page, code, facts).title).toBe(name);
  });

  test.each(languageCodes)('finds every value in %s', (code) => {
    const text = plainText(informationArticle(page, code, facts));
    expect(text).not.toMatch(/\{\{|\}\}|undefined|NaN/);
  });

  test.each(languageCodes)('has the same sections, lists, tables and links in %s', (code) => {
    expect(shape(code)).toEqual(shape('en'));
  });

  test.each(languageCodes)('uses the same values in %s', (code) => {
    const names = (text: string) =>
      [...new Set(text.match(/(?<=\{\{\s*)[\w.]+/g) ?? [])].toSorted();
    expect(names(informationText(page, code))).toEqual(names(informationText(page, 'en')));
  });

  test.each(languageCodes)('types no figure that has a place in the code, in %s', (code) => {
    const prose = informationText(page, code)
      .replace(/\{\{[^}]*\}\}/g, '')
      .replace(/^\d\. /gm, '')
      // Names that contain figures: laws, their articles, ciphers.
      .replace(/6698|6458|AES-256|Argon2|3-D Secure/g, '')
      .replace(page === 'kvkk' ? /\b(5|8|9|11)\b/g : '', '');
    expect(prose.match(/.*\d.*/g) ?? []).toEqual([]);
  });
});

/** The official site's address in any language; it does not have all of ours. */
const OFFICIAL_SITE = /(?<=^https:\/\/www\.evisa\.gov\.tr\/)\w+/;

const linksOf = (parts: readonly Inline[]): string[] =>
  parts.flatMap((part) => {
    if (part.kind === 'text') return [];
    return [
      ...(part.kind === 'link' ? [part.href.replace(OFFICIAL_SITE, '')] : []),
      ...linksOf(part.children),
    ];
  });

function shapeOf(block: ArticleBlock) {
  switch (block.kind) {
    case 'list':
      return { kind: block.kind, items: block.items.length, links: block.items.flatMap(linksOf) };
    case 'table':
      return { kind: block.kind, rows: block.rows.length, cells: block.head.length };
    case 'figure':
      return block;
    default:
      return { kind: block.kind, links: linksOf(block.children).toSorted() };
  }
}

test('related pages do not lead back to the page', () => {
  for (const page of informationPages) expect(relatedPages[page]).not.toContain(page);
});

/** The figures of the customer's specification, as decided where its pages differ, checked on each page. */
test.each([
  ['processing-times', ['$69.00', '$25.00 to $295.00', '$50.00 to $645.00', '9:00 to 18:00 UTC']],
  ['processing-times', ['$94.00 to $364.00', '$119.00 to $714.00', '$114.00 for 7 days']],
  ['terms', ['$69.00', '$94.00 to $714.00', 'under 18', '7 business days']],
  ['terms', ['cannot be extended', 'Cancelling and refunds is part of these terms']],
  ['requirements', ['38 nationalities', '30 or 90 days in any 180 days', '180 days from']],
  ['requirements', ['at least 6 months', 'within 3 months', 'last 3 months']],
  ['requirements', ['JPEG, at most 1 MB', '300 DPI', '50 × 60 mm', 'last 6 months']],
  ['requirements', ['hotel reservation', 'flight tickets', 'bank statement', 'recommended']],
  ['cancellation-policy', ['Within 1 hour of payment, even if we’ve already sent', '| 100%']],
  ['cancellation-policy', ['within 24 hours of payment, if we have not sent it yet | 80%']],
  [
    'cancellation-policy',
    ['once we’ve sent it, or after 24 hours | 0%', 'We do not refund the e-visa fee'],
  ],
  ['cancellation-policy', ['48 hours or more before the cover starts | 90%', 'After that | 0%']],
  ['cancellation-policy', ['24 hours or more before the cover starts | 70%']],
  ['cancellation-policy', ['illness', 'a refused visa', 'disaster', 'doctor’s letter']],
  ['cancellation-policy', ['100% of the processing price', 'ready-by time', 'serious mistake']],
  ['cancellation-policy', ['charged twice', 'pay too much', 'our systems failed']],
  ['cancellation-policy', ['not available', 'refuse', 'wrong', 'missing', 'plans change']],
  ['cancellation-policy', ['cause delays', 'we met the ready-by time', 'currency conversion']],
  ['cancellation-policy', ['within 30 days', '48 hours, or 24 hours', '7 business days']],
  ['cancellation-policy', ['2–3 business days', '5–10 business days', '3–5 business days']],
  ['privacy', ['Visa applications | 5 years', 'certificates | 10 years', 'us | 2 years']],
  ['privacy', ['logs | 1 year', 'by Turkish tax and commercial law | 10 years', 'within 30 days']],
  ['privacy', ['stays on your device and is not sent to us', 'same data about each traveller']],
  [
    'privacy',
    ['sees everyone’s name', 'change everyone’s answers', 'receipt, which name everyone'],
  ],
  ['kvkk', ['read on your device and is not sent to us', 'names, statuses and documents']],
  ['kvkk', ['Visa data | 5 years', 'Insurance data | 10 years', 'Communication | 2 years']],
  [
    'kvkk',
    [
      'Logs | 1 year',
      'by Turkish tax and commercial law | 10 years',
      'within 30 days',
      'Law No. 6698',
    ],
  ],
  ['security', ['3-D Secure', 'within 24 hours', 'within 72 hours', 'encrypted connections']],
  ['faq', ['$94.00 to $714.00', '$69.00', '38 nationalities', 'support@operator.example']],
] as const)('%s names %j', (page, facts) => {
  for (const fact of facts) expect(english(page)).toContain(fact);
});

test.each(informationPages)('French signs keep their words on %s', (page) => {
  expect(informationText(page, 'fr')).not.toMatch(/ [:;?!»](?!-)|« /);
});

test('claims no certificate', () => {
  for (const page of informationPages) {
    expect(english(page)).not.toMatch(/PCI|ISO ?27001|SSL certificate|penetration/i);
  }
});

test('asks eight questions', () => {
  expect(informationArticle('faq', 'en', facts).sections).toHaveLength(8);
});

test.each(languageCodes)('every value is written somewhere, in %s', (code) => {
  const used = informationPages.map((page) => informationText(page, code)).join('\n');
  const unused = [...placeholderValues(facts, code).keys()].filter(
    (name) => !used.includes(`{{${name}}}`) && !used.includes(`{{${name}:`),
  );
  expect(unused).toEqual([]);
});

test.each(languageCodes)(
  'the requirements say the rule of entry in %s as other pages do',
  (code) => {
    const spaces = (text: string) => text.replaceAll('\u00a0', ' ').replaceAll('\u2011', '-');
    const rule = entryRule(makeTranslate(code, 'application'), code, null);
    expect(spaces(plainText(informationArticle('requirements', code, facts)))).toContain(
      spaces(rule),
    );
  },
);

const values = new Map([
  ['refund.review', { text: '2–3', count: 3 }],
  ['operator.name', { text: 'Lale e-visa Ltd' }],
]);
const fill = makeFill(values, (unit, value, count) => {
  if (unit !== 'day') throw new Error(`There is no unit ${unit}`);
  return `${value} ${count === 1 ? 'day' : 'days'}`;
});

describe('filling a text', () => {
  test('writes values, and words in their right form', () => {
    expect(fill('Within {{refund.review: day}}, {{ operator.name }}')).toBe(
      'Within 2–3 days, Lale e-visa Ltd',
    );
  });

  test('keeps e-visa and e-mail on one line, but leaves values as they are', () => {
    expect(fill('E-visas by e-mail')).toBe('E\u2011visas by e\u2011mail');
    expect(fill('{{operator.name}}')).toBe('Lale e-visa Ltd');
  });

  test.each([
    ['{{refund.reveiw}}', 'There is no value refund.reveiw'],
    ['{{refund.review: dya}}', 'There is no unit dya'],
    ['{{operator.name: day}}', 'operator.name cannot be counted'],
    ['{{refund.review', 'A placeholder is left over'],
    ['{{refund review}}', 'A placeholder is left over'],
  ])('refuses %s', (text, message) => {
    expect(() => fill(text)).toThrow(message);
  });
});

describe('information', async () => {
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
});
