import { indian, payByCard, southAfrican, walkToReview } from './apply.ts';
import { languageCodes } from '../src/base/languages.ts';
import { expect, test, type Page } from './lale.ts';

/** The most words of English in `main`, without closed lists and folded parts. */
const limits: Record<string, number> = {
  home: 300,
  nationality: 75,
  'what-it-allows': 80,
  'supporting-document': 120,
  arrival: 140,
  'arrival, with document': 175,
  prerequisites: 100,
  details: 145,
  review: 250,
  'review, with document': 270,
  success: 150,
  status: 150,
  insurance: 250,
  'home to payment': 1000,
  'home to payment, with document': 1150,
};

/** Other languages may need more words. */
const MAX_RATIO = 1.15;

/** Of a phone, above the button that pays. */
const PHONE = { width: 390, height: 844 };
const MAX_SCREENS = 2;

/** What a reader sees: a run of characters with a letter or a digit. */
const visibleWords = (page: Page) =>
  page.locator('main').evaluate((main) => {
    const seen = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    let words = 0;
    for (let node = seen.nextNode(); node; node = seen.nextNode()) {
      const holder = node.parentElement;
      if (!holder || holder.closest('select, script, style, noscript, template')) continue;
      if (!holder.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }))
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { width, height } = range.getBoundingClientRect();
      // Texts for screen readers alone are cut to a pixel.
      const box = holder.getBoundingClientRect();
      if (width * height === 0 || (box.width <= 1 && box.height <= 1)) continue;
      words += node.textContent?.match(/\S*[\p{L}\p{N}]\S*/gu)?.length ?? 0;
    }
    return words;
  });

for (const language of languageCodes) {
  test(`no screen has more words than its limit in ${language}${language === 'en' ? '' : ' @nightly'}`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const prefix = `/${language}`;
    const counts: Record<string, number> = {};
    const count = async (name: string) => {
      counts[name] = await visibleWords(page);
    };
    await page.goto(prefix);
    await count('home');
    await page.goto(`${prefix}/insurance`);
    await count('insurance');
    const sum = { without: counts.home ?? 0, with: counts.home ?? 0 };
    for (const [way, traveller] of [
      ['with', indian()],
      ['without', southAfrican()],
    ] as const) {
      // A new visitor, whose first page is empty.
      await context.clearCookies();
      await walkToReview(page, traveller, {
        prefix,
        onScreen: async (name) => {
          const differs = way === 'with' && (name === 'arrival' || name === 'review');
          const screen = differs ? `${name}, with document` : name;
          await count(screen);
          sum[way] += counts[screen] ?? 0;
        },
      });
    }
    counts['home to payment'] = sum.without;
    counts['home to payment, with document'] = sum.with;
    const pay = page.locator('main form button[value="pay"]');
    if (language === 'en') {
      await page.setViewportSize(PHONE);
      const { y = Infinity } = (await pay.boundingBox()) ?? {};
      const banner =
        (await page.locator('body > * >> text=Test mode').first().boundingBox())?.height ?? 0;
      if (process.env.WORDS) console.log(y, banner);
      expect(y - banner).toBeLessThan(MAX_SCREENS * PHONE.height);
    }
    await pay.click();
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
    await count('success');
    const number = await page.getByTestId('application-number').first().textContent();
    await page.goto(`${prefix}/status?ref=${encodeURIComponent(number ?? '')}`);
    await count('status');
    if (process.env.WORDS) console.log(language, JSON.stringify(counts));
    const over = Object.entries(limits).filter(
      ([name, limit]) => (counts[name] ?? Infinity) > limit * (language === 'en' ? 1 : MAX_RATIO),
    );
    expect(Object.fromEntries(over.map(([name]) => [name, counts[name]]))).toEqual({});
  });
}
