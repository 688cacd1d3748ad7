import type { Locator } from '@playwright/test';
import { next, walkToArrival } from './apply.ts';
import {
  day,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  fillDate,
  isoDate,
  test,
  type Page,
} from './lale.ts';

const control = (page: Page, name: string) => page.locator(`[name="${name}"]`);

/** Opens the list of a select; returns its search field, which is called `label`. */
async function openList(page: Page, name: string, label = 'Search countries'): Promise<Locator> {
  const search = page.getByRole('combobox', { name: label });
  // Before scripts run, the browser's own list opens.
  await expect(async () => {
    await page.locator(`select[name="${name}"]`).press('ArrowDown');
    await expect(search).toBeVisible({ timeout: 1000 });
  }).toPass();
  return search;
}

const firstOption = (page: Page) => page.locator('[role="listbox"] [role="option"]').first();

test('a nationality is found by what another language calls it @nightly', async ({ page }) => {
  await page.goto('/application');
  for (const typed of ['Германия', 'ألمانيا', '德国', 'Γερμανία', 'Allemagne']) {
    const search = await openList(page, 'countryId');
    await search.fill(typed);
    await expect(firstOption(page)).toHaveText('Germany');
    await search.press('Enter');
    await expect(page.locator('select[name="countryId"]')).toHaveValue('DEU');
  }
});

test('an arrival is chosen from a calendar, and is then as if it were typed', async ({ page }) => {
  await page.addInitScript(() => {
    HTMLInputElement.prototype.showPicker = function opened() {
      this.dataset.opened = this.value;
    };
  });
  await walkToArrival(page);
  const calendar = page.locator('fieldset:has([name="arrivalDate-day"]) input[type="date"]');
  const open = page.getByRole('button', { name: 'Select from a calendar' });
  await open.focus();
  await page.keyboard.press('Enter');
  await expect(calendar).toHaveAttribute('data-opened', '');
  const arrival = day(7);
  const chosen = isoDate(arrival);
  await calendar.fill(chosen);
  await expect(control(page, 'arrivalDate-day')).toHaveValue(arrival.day);
  await expect(control(page, 'arrivalDate-month')).toHaveValue(arrival.month);
  await expect(control(page, 'arrivalDate-year')).toHaveValue(arrival.year);
  // A week has 45 working hours at most, and the chosen speed takes 48.
  await expect(page.getByTestId('choice-notes')).toContainText('instead of $94.00');
  await open.click();
  await expect(calendar).toHaveAttribute('data-opened', chosen);
  await expectAccessible(page);
});

test('the country code and the phone number follow each other', async ({ page }) => {
  await walkToArrival(page);
  await fillDate(page, 'arrivalDate', day(60));
  await next(page);
  await page.waitForURL('**/application/details');
  const country = page.locator('select[name="phoneCountry"]');
  const phone = control(page, 'phone');
  await expect(country).toHaveValue('ZAF');
  const search = await openList(page, 'phoneCountry');
  await search.fill('герма');
  await expect(firstOption(page)).toContainText('Germany');
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(country).toHaveValue('DEU');
  await expect(phone).toHaveValue('');
  await phone.fill('0170 1234567');
  await expect(country).toHaveValue('DEU');
  await phone.fill('+49 170 1234567');
  await country.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('+90');
  await expect(firstOption(page)).toContainText('Türkiye');
  await page.keyboard.press('Enter');
  await expect(phone).toHaveValue('+90 1701234567');
  await phone.fill('+44 20 7946 0123');
  await expect(country).toHaveValue('GBR');
});

test('both are there in Arabic, from right to left @nightly', async ({ page }) => {
  await walkToArrival(page, '/ar');
  await expect(page.getByRole('button', { name: 'الاختيار من التقويم' })).toBeVisible();
  await expectAccessible(page);
  await fillDate(page, 'arrivalDate', day(60));
  await next(page);
  await page.waitForURL('**/application/details');
  const search = await openList(page, 'phoneCountry', 'البحث عن دولة');
  await search.fill('Deutschland');
  await expect(firstOption(page)).toContainText('ألمانيا');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('there is no calendar, and the country code is a plain select @nightly', async ({
    page,
  }) => {
    await walkToArrival(page);
    await expect(page.getByText('Select from a calendar')).toBeHidden();
    await fillDate(page, 'arrivalDate', day(60));
    await next(page);
    await page.waitForURL('**/application/details');
    await expect(page.getByLabel('Country code')).toHaveValue('ZAF');
  });
});
