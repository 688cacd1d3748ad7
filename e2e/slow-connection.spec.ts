import { chooseNationality, next } from './apply.ts';
import { fillTrip } from './insure.ts';
import { expect, inMotion, scriptsRun, test, type Page } from './lale.ts';

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
