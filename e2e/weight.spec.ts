import { FONT_FILE_LIMIT, FONT_LIMIT, limits, STYLE_LIMIT, weigh } from '../bench/weights.ts';
import { chooseNationality } from './apply.ts';
import { findWholeChromium } from './chromium.ts';
import { expect, inMotion, isThorough, scriptsRun, test } from './lale.ts';

// Playwright disables the browser's back/forward cache by default.
test.use({
  ...inMotion,
  viewport: { width: 1280, height: 800 },
  launchOptions: {
    executablePath: findWholeChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
});

test('no page weighs more than promised', async ({ baseURL }) => {
  for (const { path, script } of limits) {
    const weight = await weigh(`${baseURL}${path}`);
    expect(weight.script).toBeLessThanOrEqual(script);
    expect(weight.script).toBeGreaterThan(0);
    expect(weight.font).toBeLessThanOrEqual(FONT_LIMIT);
    expect(weight.font).toBeGreaterThan(0);
    expect(weight.largestFont).toBeLessThanOrEqual(FONT_FILE_LIMIT);
    expect(weight.style).toBeLessThanOrEqual(STYLE_LIMIT);
    expect(weight.sheets, path).toBe(1);
  }
});

test('home fetches no font for letters that our texts do not have @nightly', async ({ page }) => {
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  for (const language of isThorough ? ['en', 'de', 'fr', 'es', 'tr'] : ['en', 'tr']) {
    await page.goto(`/${language}`);
    await page.evaluate(() => document.fonts.ready);
    if (language === 'en') expect(fonts.filter((url) => url.includes('accents'))).toEqual([]);
  }
  expect(fonts.length).toBeGreaterThan(0);
  expect(fonts.filter((url) => /-(more|extended|vietnamese)/.test(url))).toEqual([]);
});

for (const language of isThorough ? ['en', 'ar'] : ['en']) {
  test(`the first step begins its scripts once it is seen, with its first texts: ${language} @nightly`, async ({
    page,
  }) => {
    await page.addInitScript(() => {
      addEventListener('error', (event) =>
        document.documentElement.setAttribute('data-failed', event.message),
      );
    });
    await page.goto(`/${language}/application`);
    const rendered = await page.locator('main').innerText();
    await scriptsRun(page);
    const { styled, scripts } = await page.evaluate(() => {
      const files = performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming);
      // Nothing is painted before the style sheet is loaded.
      return {
        styled: files.find(({ name }) => name.includes('.css'))?.responseEnd ?? Infinity,
        scripts: files
          .filter(({ name }) => name.endsWith('.js'))
          .map(({ name, startTime }) => ({ name, startTime })),
      };
    });
    expect(scripts.length).toBeGreaterThan(3);
    expect(scripts.filter(({ startTime }) => startTime < styled)).toEqual([]);
    const texts = scripts.flatMap(({ name }) => /texts-\w+-\w+/.exec(name)?.[0] ?? []);
    expect(texts).toEqual([`texts-${language}-start`]);
    expect(await page.locator('main').innerText()).toBe(rendered);
    expect(await page.locator('html').getAttribute('data-failed')).toBeNull();
  });
}

test('every nationality is explained with the first texts alone @nightly', async ({ page }) => {
  await page.route(/texts-en-rest/, (route) => route.abort());
  await page.goto('/en/application');
  await scriptsRun(page);
  const notice = page.locator('main .notice').first();
  for (const code of ['EGY', 'DEU', 'ZAF', 'HKG']) {
    await chooseNationality(page, code);
    await expect(notice).toBeVisible();
    // A missing text shows its key.
    const text = (await page.locator('main').innerText()).replaceAll('evisa.gov.tr', '');
    expect(text).not.toMatch(/\b[a-z_]+[.:][a-zA-Z_]+/);
  }
});

test('content pages come back as they were left', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.setAttribute('data-kept', '');
    });
  });
  for (const path of ['/en', '/en/faq']) {
    await page.goto(path);
    await page.goto('/en/processing-times');
    await page.goBack({ waitUntil: 'commit' });
    await expect(page).toHaveURL(path);
    await expect(page.locator('html[data-kept]')).toHaveCount(1);
  }
});

test('the first step comes back as it was left @nightly', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.setAttribute('data-kept', '');
    });
  });
  await page.goto('/en/application');
  await page.goto('/en/faq');
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.locator('html[data-kept]')).toHaveCount(1);
});

test('one content page turns into the next @nightly', async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener('pagereveal', (event) => {
      document.documentElement.dataset.turned = String(
        Reflect.get(event, 'viewTransition') !== null,
      );
    });
  });
  await page.goto('/en/faq');
  await page.locator('footer a[href="/en/processing-times"]').click();
  await page.waitForURL('**/processing-times');
  await expect(page.locator('html')).toHaveAttribute('data-turned', 'true');
});

test('a content page is fetched while its link is pointed at @nightly', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  const fetched: string[] = [];
  session.on('Preload.prefetchStatusUpdated', ({ prefetchUrl, status }) => {
    if (status === 'Ready') fetched.push(new URL(prefetchUrl).pathname);
  });
  await session.send('Preload.enable');
  await page.goto('/en/faq');
  const link = page.locator('footer a[href="/en/processing-times"]');
  await expect(async () => {
    await page.mouse.move(0, 0);
    await link.hover();
    await expect.poll(() => fetched, { timeout: 2000 }).toContain('/en/processing-times');
  }).toPass({ timeout: 20_000 });
});
