import { languageCodes } from '../src/base/languages.ts';
import { listedPages } from '../src/features/site/listed-pages.ts';
import { labPages, paypalScreenByPath } from '../src/lab/paypal-page/variants.ts';
import { expectKeyboardWay, movingParts, shapelessControls, smallTargets } from './barriers.ts';
import { buyByCalls, southAfrican, walkToReview } from './apply.ts';
import { adult, fillInsured, fillTrip, pressNext } from './insure.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inTextSize,
  isThorough,
  scriptsRun,
  test,
  type Page,
} from './lale.ts';

/**
 * Every public page in every language, checked for accessibility and overflow: `THOROUGH=1 npm test -- --only e2e pages`. `npm test` checks
 * each page in one language, changing from page to page, and by axe at one width, the next page at the other;
 * every second one by keyboard.
 */
const unlisted = [
  '/download',
  '/payment-cancel',
  '/gpay-checkout',
  '/nothing/here',
  '/mobile-test',
  ...(isThorough
    ? labPages.map(({ path }) => path).filter((path) => !paypalScreenByPath(path))
    : []),
];
const pages = [...listedPages, ...unlisted];
const widths = [390, 1280];

/** Makes every text two fifths longer, as another language might. */
async function lengthenTexts(page: Page) {
  await page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const skipped = 'script, style, option, bdi, code, .mono, [dir="ltr"], .sr-only';
    while (texts.nextNode()) {
      const { parentElement, nodeValue } = texts.currentNode;
      const words = nodeValue?.trim() ?? '';
      if (!parentElement || parentElement.closest(skipped) || !/\p{L}{2}/u.test(words)) continue;
      texts.currentNode.nodeValue = `${nodeValue} ${words.slice(0, Math.ceil(words.length * 0.4)).trim()}`;
    }
  });
}

/** With the space between lines, letters, words and paragraphs that some need to read (WCAG 1.4.12). */
const spaceTexts = (page: Page, isSpaced: boolean) =>
  page.evaluate((spaced) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-block-end: 2em !important }`,
    );
    document.adoptedStyleSheets = spaced ? [sheet] : [];
  }, isSpaced);

/**
 * At every width from the narrowest phone to a wide screen, with the text twice as large and with wide spaces in it. Text
 * grows in two ways: that of the browser's settings moves the breakpoints too, a style sheet of one's own does not.
 */
async function expectNothingRunsOver(page: Page) {
  for (const width of [320, 640, 768, 900, 1024, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await inTextSize(page, 32, () => expectNoSidewaysScroll(page));
  await page.setViewportSize({ width: 320, height: 900 });
  await spaceTexts(page, true);
  await expectNoSidewaysScroll(page);
  await spaceTexts(page, false);
}

/** Texts that their box cuts off. */
const cutOff = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('h1,h2,h3,p,a,button,label,dt,dd,th,td,li,summary')]
      .filter((element) => {
        const { overflowX, overflowY, clipPath } = getComputedStyle(element);
        if (clipPath !== 'none' || element.clientWidth <= 1) return false;
        const wide = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
        const high = overflowY !== 'visible' && element.scrollHeight > element.clientHeight + 1;
        return wide || high;
      })
      .map((element) => element.outerHTML.slice(0, 120)),
  );

test('the longest name and address that the form takes run over on no page @nightly', async ({
  page,
}) => {
  const traveller = {
    ...southAfrican(),
    lastName: 'Wolfeschlegelsteinhausenbergerdorff',
    email: `${'averyveryverylongaddress.with.many.parts'.padEnd(64, 'x')}@subdomain.example-organisation.example`,
  };
  await walkToReview(page, traveller, {
    prefix: '/de',
    onScreen: () => expectNothingRunsOver(page),
  });
  await page.goto('/ar/application/review');
  await expectNothingRunsOver(page);
  const number = await buyByCalls(page, traveller);
  await expectNothingRunsOver(page);
  for (const path of [`/de/status?ref=${number}`, `/ar/status/cancel?ref=${number}`]) {
    await page.goto(path);
    await expectNothingRunsOver(page);
  }
});

test('who has set larger text gets the header of a narrow screen @nightly', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  const links = page.locator('header nav').first();
  for (const code of ['de', 'ar']) {
    await page.goto(`/${code}/faq`);
    await expect(links).toBeVisible();
    await inTextSize(page, 32, async () => {
      await expect(links).toBeHidden();
      await expect(page.locator('header button[popovertarget="mobile-menu"]')).toBeVisible();
      await expectNoSidewaysScroll(page);
    });
  }
});

test('the review of an insurance runs over in no language @nightly', async ({ page }) => {
  await page.goto('/de/insurance');
  await scriptsRun(page);
  await fillTrip(page);
  await page.locator('[name="productId"]:checked').waitFor({ state: 'attached' });
  await fillInsured(page, adult());
  await pressNext(page);
  await page.waitForURL('**/insurance/review');
  for (const code of languageCodes) {
    await page.goto(`/${code}/insurance/review`);
    await expectNothingRunsOver(page);
  }
});

test('on the home page text stands on the first four bands of the drawing alone @nightly', async ({
  page,
}) => {
  for (const code of languageCodes) {
    await page.goto(`/${code}`);
    for (const width of [320, 390, 768, 900, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const below = await page.evaluate(() => {
        const art = document.querySelector('.hero-art');
        const texts = art?.closest('section')?.querySelectorAll('h1, h1 ~ p') ?? [];
        if (!art || texts.length < 3) return 'the hero has no drawing or no text';
        const { width: wide, height, bottom } = art.getBoundingClientRect();
        // The drawing of 1600 × 1000 covers its box from below; its fifth band begins at 600.
        const fifthBand = bottom - 400 * Math.max(wide / 1600, height / 1000);
        return [...texts]
          .filter((text) => text.getBoundingClientRect().bottom > fifthBand + 2)
          .map((text) => text.textContent);
      });
      expect(below, `${code} at ${width} px`).toEqual([]);
    }
  }
});

for (const code of languageCodes) {
  test(`pages in ${code} have no barrier, nothing runs over, and the keyboard leads through them`, async ({
    page,
  }) => {
    test.slow();
    for (const [index, path] of pages.entries()) {
      if (!isThorough && languageCodes[index % languageCodes.length] !== code) continue;
      await test.step(path, () => checkPage(page, { path, code, index }));
    }
  });
}

/** `index` is that of the page in the list, by which `npm test` chooses how it is looked at. */
async function checkPage(
  page: Page,
  { path, code, index }: { path: string; code: string; index: number },
) {
  await page.setViewportSize({ width: 1280, height: 900 });
  // A broken checkout link goes home by itself, in the middle of the checks on a slow machine: "no content" keeps the page.
  if (path === '/gpay-checkout') {
    await page.route(`**/${code}`, (route) => route.fulfill({ status: 204 }));
  }
  await page.goto(`/${code}${path === '/' ? '' : path}`);
  const isListed = listedPages.some((listed) => listed === path);
  if (isListed && (isThorough || index % 2 === 0)) await expectKeyboardWay(page);
  for (const [turn, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 });
    if (isThorough || index % widths.length === turn) await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  }
  await expectNothingRunsOver(page);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await smallTargets(page)).toEqual([]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await movingParts(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: null });
  expect(await shapelessControls(page)).toEqual([]);
  await page.emulateMedia({ forcedColors: null, reducedMotion: 'reduce' });
  await lengthenTexts(page);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    expect(await cutOff(page)).toEqual([]);
  }
}
