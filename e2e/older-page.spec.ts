import { choose, chooseNationality, next } from './apply.ts';
import { expect, scriptsRun, signIn, test, type Page, inMotion } from './lale.ts';
import { fillTrip } from './insure.ts';

// A page that was opened before a release, whose files no longer exist.

/** Answers requests for files of the build with 404 from now on; returns a function that ends that. */
async function removeFiles(page: Page, files: RegExp): Promise<() => Promise<void>> {
  const addresses = new RegExp(`/assets/(${files.source})-[\\w-]+\\.js$`);
  await page.route(addresses, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  return () => page.unroute(addresses);
}

/** Counts the documents that a page opens from now on. */
function countDocuments(page: Page): () => number {
  let documents = 0;
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) documents += 1;
  });
  return () => documents;
}

const PARTS = /toast-area|eligibility-notice|browser-checks|country-picker|error-page/;

test('goes on without the parts that it can do without @nightly', async ({ page }) => {
  await page.goto('/application');
  await scriptsRun(page);
  await removeFiles(page, PARTS);
  const documents = countDocuments(page);
  await next(page);
  await expect(page.locator('.error-summary')).toBeVisible();
  await chooseNationality(page, 'ZAF');
  // Time for the toast, the notice and the checks, which fail to load.
  await page.waitForLoadState('networkidle');
  await expect(page.locator('h1')).toBeVisible();
  expect(documents()).toBe(0);
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
});

test('is sent by the browser where its own script is gone', async ({ page }) => {
  await removeFiles(page, /nationality/);
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
});

/** Two tabs answer the same question; the second, whose scripts run, is told. */
async function answerInTwoTabs(page: Page, other: Page): Promise<void> {
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
  await other.goto('/application/what-it-allows');
  await scriptsRun(other);
  await choose(page, 'purpose', 'trade');
  await next(page);
  await page.waitForURL('**/application/arrival');
  await choose(other, 'purpose', 'tourism');
}

const replacedNotice = (page: Page) => page.getByText('in another tab').first();

test('leaves its form to the browser where it could not show the answer @nightly', async ({
  page,
  context,
}) => {
  const other = await context.newPage();
  await answerInTwoTabs(page, other);
  await removeFiles(other, /replaced-notice/);
  const documents = countDocuments(other);
  await next(other);
  // Rendered by the server; it stays where scripts do not find their file either.
  await expect(replacedNotice(other)).toBeVisible();
  await other.waitForLoadState('networkidle');
  await expect(replacedNotice(other)).toBeVisible();
  expect(documents()).toBe(1);
  await next(other);
  await other.waitForURL('**/application/arrival');
});

test('that fails in the browser is loaded again where there are no texts for it, once', async ({
  page,
}) => {
  let sent = 0;
  await page.route(/\/assets\/nationality-[\w-]+\.js$/, async (route) => {
    await route.fulfill({
      contentType: 'text/javascript',
      body: 'export default function Page() { throw new Error("broken"); }',
    });
    sent += 1;
  });
  await removeFiles(page, /error-page/);
  const documents = countDocuments(page);
  await page.goto('/application');
  await expect.poll(documents).toBe(2);
  await expect.poll(() => sent).toBe(2);
  await page.waitForLoadState('networkidle');
  expect(documents()).toBe(2);
});

test('of today says in place what another tab has changed @nightly', async ({ page, context }) => {
  const other = await context.newPage();
  await answerInTwoTabs(page, other);
  const documents = countDocuments(other);
  await next(other);
  await expect(replacedNotice(other)).toBeVisible();
  expect(documents()).toBe(0);
  await next(other);
  await other.waitForURL('**/application/arrival');
});

test('of the desk is opened anew, and leads on then', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await scriptsRun(page);
  const release = await removeFiles(page, /for-you/);
  const documents = countDocuments(page);
  const link = page.locator('a[href="/admin/for-you"]').first();
  await link.click();
  await expect.poll(documents).toBe(1);
  await release();
  await scriptsRun(page);
  await link.click();
  await page.waitForURL('**/admin/for-you**');
  await expect(page.locator('h1')).toBeVisible();
});

test.describe('slow connection', () => {
  test.use(inMotion);

  /** Opens a page while its scripts are held back; returns a function that lets them through. */
  async function openBeforeScripts(page: Page, path: string): Promise<() => Promise<void>> {
    let arrive = () => undefined as void;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/\.js(\?|$)/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto(path, { waitUntil: 'commit' });
    await page.locator('main form button[type="submit"]').first().waitFor();
    return async () => {
      arrive();
      await page.waitForLoadState('load');
      await scriptsRun(page);
    };
  }

  /** Once everything moved by scripts has come to rest. */
  const movedThere = (page: Page) =>
    page.evaluate(async () => {
      const drawn = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await drawn();
      await drawn();
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
      await Promise.allSettled(ending.map(({ finished }) => finished));
    });

  test('a nationality chosen before the scripts came is known once they did', async ({ page }) => {
    const scriptsArrive = await openBeforeScripts(page, '/application');
    await chooseNationality(page, 'CUB');
    await scriptsArrive();
    await next(page);
    await page.getByRole('dialog').getByRole('link', { name: 'Get Travel Insurance' }).click();
    await page.waitForURL('**/insurance?country=CUB');
  });

  test('travel dates typed before the scripts came find their plan @nightly', async ({ page }) => {
    const scriptsArrive = await openBeforeScripts(page, '/insurance');
    await fillTrip(page);
    await scriptsArrive();
    await expect(page.locator('[name="productId"]:checked')).toHaveValue('14-days');
  });

  test('a press of Next that the scripts’ arrival falls into is not lost', async ({ page }) => {
    const scriptsArrive = await openBeforeScripts(page, '/application');
    await chooseNationality(page, 'CUB');
    const button = page.locator('main form button[type="submit"]').first();
    await button.hover();
    await page.mouse.down();
    await scriptsArrive();
    await movedThere(page);
    await page.mouse.up();
    await expect(page.getByRole('dialog')).toBeVisible();
  });

  test('a press on the dialog’s link, while the scripts lift the dialog, leads there @nightly', async ({
    page,
  }) => {
    const scriptsArrive = await openBeforeScripts(page, '/application');
    await chooseNationality(page, 'CUB');
    await next(page);
    await page.getByRole('link', { name: 'Get Travel Insurance' }).first().hover();
    await page.mouse.down();
    await scriptsArrive();
    await movedThere(page);
    await page.mouse.up();
    await page.waitForURL('**/insurance?country=CUB');
  });
});

/** Scripts whose address fits are lost on the way, or cannot be read, as by a browser that is too old. */
async function lose(page: Page, files: RegExp, how: 'lost' | 'unreadable'): Promise<void> {
  await page.route(files, (route) =>
    how === 'lost'
      ? route.abort()
      : route.fulfill({ contentType: 'text/javascript', body: 'const a = /(?<=/;' }),
  );
}

const failed = (page: Page) => expect(page.locator('html')).toHaveClass(/unscripted/);

const ALL = /\/assets\/.*\.js/;
for (const [how, files] of [
  ['lost', ALL],
  ['unreadable', ALL],
  ['lost', /\/assets\/(?:insurance|arrival|nationality|what-it-allows)-.*\.js/],
] as const) {
  const when = how === 'lost' && files.source === ALL.source ? '' : ' @nightly';
  test(`a page whose scripts (${files.source}) are ${how} is one without scripts${when}`, async ({
    page,
  }) => {
    await lose(page, files, how);
    await page.goto('/insurance');
    await failed(page);
    await fillTrip(page);
    await page.getByRole('button', { name: 'Show the plans for these dates' }).click();
    await expect(page.locator('[name="productId"]:checked')).toHaveValue('14-days');

    await page.goto('/application');
    await chooseNationality(page, 'ZAF');
    await next(page);
    await page.waitForURL('**/application/what-it-allows');
    await page.locator('input[name="purpose"][value="tourism"]').check();
    await next(page);
    await page.waitForURL('**/application/arrival');
    await failed(page);
    await expect(page.getByRole('button', { name: 'calendar' })).toBeHidden();
  });
}

test('a page whose scripts run shows nothing for those without @nightly', async ({ page }) => {
  await page.goto('/insurance');
  await expect(page.locator('html')).not.toHaveClass(/unscripted/);
  await expect(page.getByRole('button', { name: 'Show the plans for these dates' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'calendar' }).first()).toBeVisible();
});

test('a form goes on where every request of scripts is blocked @nightly', async ({ page }) => {
  await page.route(
    () => true,
    (route) => (route.request().resourceType() === 'fetch' ? route.abort() : route.continue()),
  );
  await page.goto('/application');
  await scriptsRun(page);
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
});

test('a form says that there is no connection where nothing gets through @nightly', async ({
  page,
}) => {
  await page.goto('/application');
  await scriptsRun(page);
  await chooseNationality(page, 'ZAF');
  // The first use of a page fetches what answers may need.
  await page.locator('h1').click();
  await page.waitForLoadState('networkidle');
  await page.route(
    () => true,
    (route) => route.abort(),
  );
  await next(page);
  await expect(page.getByText('Lale could not be reached').first()).toBeVisible();
  await expect(page.locator('select[name="countryId"]')).toHaveValue('ZAF');
});

test('answers survive back, reload and a second tab', async ({ page, context }) => {
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
  await page.goBack();
  await expect(page.locator('select[name="countryId"]')).toHaveValue('ZAF');
  await page.reload();
  await expect(page.locator('select[name="countryId"]')).toHaveValue('ZAF');
  const other = await context.newPage();
  await other.goto('/application/what-it-allows');
  await expect(other.locator('[name="purpose"]').first()).toBeVisible();
});
