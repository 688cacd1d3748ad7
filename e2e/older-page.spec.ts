import { choose, chooseNationality, next } from './apply.ts';
import { expect, scriptsRun, signIn, test, type Page } from './lale.ts';

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
