import {
  chooseNationality,
  fillDetails,
  next,
  southAfrican,
  walkToArrival,
  walkToReview,
} from './apply.ts';
import type { Locator } from '@playwright/test';
import { day, expect, fillDate, scriptsRun, test, type Page } from './lale.ts';

/** The id of the focused element, or its tag. */
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName.toLowerCase());

const summary = (page: Page) => page.locator('.error-summary');
const toast = (page: Page) => page.locator('.toast[data-state="open"]');

async function covers(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = [await one.boundingBox(), await other.boundingBox()];
  if (!a || !b) return false;
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

test('each step begins as a page of its own, and a refused one at its summary, every time', async ({
  page,
}) => {
  await page.goto('/application');
  await next(page);
  await expect(summary(page)).toBeFocused();
  await page.locator('main form button[value="next"]').focus();
  await page.keyboard.press('Enter');
  await expect(summary(page)).toBeFocused();
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
  // A document was loaded: screen readers say its title, and Tab begins at its top.
  await expect(page).toHaveTitle(/^What the e-visa allows|^What/);
  await expect.poll(() => focused(page)).toBe('body');
  await page.getByRole('button', { name: 'Previous' }).click();
  await page.waitForURL('**/application');
  await expect.poll(() => focused(page)).toBe('body');
});

test('a message goes when its field is mended, and its line in the summary with it @nightly', async ({
  page,
}) => {
  await page.goto('/application');
  await next(page);
  await expect(summary(page).getByRole('link')).toHaveCount(1);
  await expect(page).toHaveTitle(/^Error:/);
  const field = page
    .locator('.field.has-error, .has-error')
    .filter({ has: page.locator('#countryId') });
  await expect(field.first()).toBeVisible();
  await page.locator('select[name="countryId"]').selectOption('ZAF');
  await expect(field).toHaveCount(0);
  await expect(summary(page)).toHaveCount(0);
  await expect(page).not.toHaveTitle(/^Error:/);
});

test('a choice clears its message at once, and no toast repeats the summary @nightly', async ({
  page,
}) => {
  await page.goto('/application');
  await chooseNationality(page, 'IND');
  await next(page);
  await page.waitForURL('**/application/supporting-document');
  await next(page);
  await expect(summary(page)).toBeFocused();
  await expect(summary(page).getByRole('heading')).toHaveText(
    'Required Selection: select whether you have a supporting document',
  );
  await page.locator('[name="hasSupportingDocument"][value="no"]').check();
  await expect(page.locator('#hasSupportingDocument-error')).toHaveCount(0);
  await expect(summary(page)).toHaveCount(0);
  await expect(page.locator('.toast')).toHaveCount(0);
});

test('a change of nationality leads to what it opens @nightly', async ({ page }) => {
  await walkToReview(page, southAfrican());
  await page.goto('/application?then=review');
  await scriptsRun(page);
  await chooseNationality(page, 'IND');
  await next(page);
  await page.waitForURL('**/application/supporting-document');
});

test('a change of one answer begins at its field and leads back to the review @nightly', async ({
  page,
}) => {
  await walkToReview(page, southAfrican());
  await page.getByRole('link', { name: /Change Passport/ }).click();
  await page.waitForURL('**/application/details?then=review#lastName');
  await expect(page.locator('#lastName')).toBeFocused();
  await expect(page.locator('label[for="lastName"]')).toBeInViewport();
  await page.locator('#placeOfBirth').fill('Pretoria');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL('**/application/review');
  await expect(page.getByText('Pretoria')).toBeVisible();
  await page.getByRole('link', { name: /Change Arrival/ }).click();
  await page.waitForURL('**/application/arrival?then=review#arrivalDate');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.waitForURL('**/application/review');
});

test('a form that the busy service refuses stays as it is, and goes on when it is sent again', async ({
  page,
}) => {
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await page.route('**/application', (route) =>
    route.fulfill({ status: 503, contentType: 'text/html', body: 'Busy' }),
  );
  await next(page);
  await expect(toast(page)).toContainText('Lale could not be reached');
  await expect(page.locator('select[name="countryId"]')).toHaveValue('ZAF');
  await page.unroute('**/application');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
});

test('on a phone a toast covers no field and no button @nightly', async ({ page }) => {
  await page.goto('/application');
  await chooseNationality(page, 'IND');
  await page.route('**/application', (route) => route.fulfill({ status: 503, body: 'Busy' }));
  await next(page);
  await expect(toast(page)).toBeVisible();
  for (const control of await page
    .locator('main :is(input:visible, select:visible, button:visible)')
    .all()) {
    expect(await covers(toast(page), control)).toBe(false);
  }
});

test.describe('in New York', () => {
  test.use({ timezoneId: 'America/New_York' });

  test('every time of day on a page says where it is @nightly', async ({ page }) => {
    for (const path of ['/', '/processing-times']) {
      await page.goto(path);
      const times = page.locator('time[data-local]');
      await expect(times.first()).toContainText(/\d\d:\d\d UTC−[45]/);
    }
    await walkToReview(page, southAfrican());
    await expect(page.locator('main section dl > div', { hasText: 'ready by' })).toContainText(
      /\d\d:\d\d UTC−[45]/,
    );
    await page.goto('/application/arrival');
    for (const text of await page.locator('main').allInnerTexts()) {
      const hours = text.match(/\b\d\d:\d\d\b.{0,6}/g) ?? [];
      expect(hours.length).toBeGreaterThan(0);
      for (const hour of hours.filter((one) => !/^(09:00|18:00)/.test(one))) {
        expect(hour).toMatch(/^\d\d:\d\d (UTC|in T)/);
      }
    }
  });
});

test('an address that looks mistyped is asked about until the traveller says which it is @nightly', async ({
  page,
}) => {
  const email = 'thabo@gmial.com';
  await walkToArrival(page);
  await fillDate(page, 'arrivalDate', day(60));
  await next(page);
  await page.waitForURL('**/application/details');
  await fillDetails(page, { ...southAfrican(), email });
  await next(page);
  const keep = page.locator(`[name="emailAnswer"][value="${email}"]`);
  await expect(keep).toBeVisible();
  // Typing elsewhere does not answer the question.
  await page.locator('[name="motherName"]').fill('Nomsa Zulu');
  await page.locator('[name="fatherName"]').fill('Sipho Zulu');
  await page.locator('[name="phone"]').focus();
  await keep.check();
  await page.locator('[name="address"]').fill('14 Marine Parade, Durban 4001');
  await expect(keep).toBeChecked();
  await next(page);
  await page.waitForURL('**/application/review');
  await expect(page.getByText(email)).toBeVisible();
});
