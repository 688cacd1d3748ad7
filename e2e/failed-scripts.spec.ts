import { chooseNationality, next } from './apply.ts';
import { fillTrip } from './insure.ts';
import { expect, scriptsRun, test, type Page } from './lale.ts';

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

test('a form goes on where every request of scripts is blocked', async ({ page }) => {
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
