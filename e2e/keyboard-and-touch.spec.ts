import type { Locator } from '@playwright/test';
import {
  chooseNationality,
  next,
  payByCard,
  southAfrican,
  fillSupportingVisa,
  walkToArrival,
} from './apply.ts';
import {
  day,
  expect,
  fillDate,
  scriptsRun,
  tabTo,
  test,
  typeInto,
  type DateParts,
  type Page,
  expectAccessible,
  expectNoSidewaysScroll,
  isoDate,
} from './lale.ts';

/** What fingers and keys alone must be able to do. */

async function typeDate(page: Page, name: string, date: DateParts): Promise<void> {
  await typeInto(page, `${name}-day`, date.day);
  await typeInto(page, `${name}-month`, date.month);
  await typeInto(page, `${name}-year`, date.year);
}

/** Radio buttons are one stop: the arrow keys choose among them. */
async function pick(page: Page, name: string, value: string): Promise<void> {
  await tabTo(page, `[name="${name}"]`);
  const chosen = page.locator(`[name="${name}"][value="${value}"]`);
  await page.keyboard.press('Space');
  for (let steps = 0; steps < 10 && !(await chosen.isChecked()); steps += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await expect(chosen).toBeChecked();
}

test('from the home page to the receipt with the keyboard alone', async ({ page }) => {
  const traveller = southAfrican();
  await page.goto('/en');
  await page.keyboard.press('Tab');
  await expect(page.locator('.skip-link')).toBeFocused();
  await page.keyboard.press('Enter');
  await tabTo(page, '.hero-actions a');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/application');
  // Before that, the nationality is the browser's own list.
  await scriptsRun(page);

  await tabTo(page, 'select[name="countryId"]');
  await page.keyboard.type('south af');
  await expect(page.locator('.country-option')).toHaveText('South Africa');
  // The checks are loaded when a field is left.
  await page.waitForLoadState('networkidle');
  await expect(page.locator('.field-error')).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.locator('select[name="countryId"]')).toHaveValue('ZAF');
  await expect(page.locator('select[name="countryId"]')).toBeFocused();
  const goOn = async () => {
    await tabTo(page, 'main form button[type="submit"]');
    await page.keyboard.press('Enter');
  };
  await goOn();
  await page.waitForURL('**/application/what-it-allows');
  await pick(page, 'purpose', 'trade');
  await goOn();
  await page.waitForURL('**/application/arrival');
  await typeDate(page, 'arrivalDate', day(60));
  await pick(page, 'processingType', 'fast');
  await goOn();
  await page.waitForURL('**/application/details');
  await typeInto(page, 'lastName', traveller.lastName);
  await typeInto(page, 'firstName', traveller.firstName);
  await typeInto(page, 'passportNumber', traveller.passportNumber);
  await typeDate(page, 'dateOfBirth', { day: '2', month: 'May', year: '1984' });
  await typeInto(page, 'placeOfBirth', 'Durban');
  await typeDate(page, 'passportIssueDate', { day: '11', month: '1', year: '2023' });
  await typeDate(page, 'passportExpiryDate', day(2200));
  await typeInto(page, 'motherName', 'Nomsa Naidoo');
  await typeInto(page, 'fatherName', 'Sipho Naidoo');
  await typeInto(page, 'email', traveller.email);
  await typeInto(page, 'phone', '+27 82 123 4567');
  await typeInto(page, 'address', '12 Marine Parade, Durban 4001');
  await goOn();
  await page.waitForURL('**/application/review');
  await expect(page.getByTestId('total')).toHaveText('$144.00');
  await tabTo(page, 'main form button[value="pay"]');
  await page.keyboard.press('Enter');
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
});

test('a check box that moves away under the pointer is ticked all the same @nightly', async ({
  page,
}) => {
  await page.goto('/application');
  await chooseNationality(page, 'IND');
  await next(page);
  await page.waitForURL('**/supporting-document');
  await fillSupportingVisa(page, { country: 'SCHENGEN', number: 'D12345678' });
  await next(page);
  await page.waitForURL('**/arrival');
  await fillDate(page, 'arrivalDate', day(60));
  await next(page);
  await page.waitForURL('**/prerequisites');
  await next(page);
  await expect(page.locator('.check.has-error')).toHaveCount(4);
  await page.locator('[name="ordinaryPassport"]').check();
  // Its message disappears when it is left, which moves everything below.
  await page.locator('[name="validPassport"]').hover();
  await page.mouse.down();
  await expect(page.locator('.check.has-error')).toHaveCount(3);
  await page.mouse.up();
  await expect(page.locator('[name="validPassport"]')).toBeChecked();
});

test.describe('on a telephone', () => {
  test.use({ hasTouch: true, isMobile: true });

  test('a tap on the nationality opens our list, with its search ready to be typed into', async ({
    page,
  }) => {
    await page.goto('/application');
    const select = page.locator('select[name="countryId"]');
    await scriptsRun(page);
    await select.tap();
    const search = page.locator('.country-field input');
    await expect(search).toBeFocused();
    await page.keyboard.type('south af');
    await page.locator('.country-option').tap();
    await expect(select).toHaveValue('ZAF');
    await expect(search).toHaveCount(0);
    // A second tap opens it again, and one beside it closes it.
    await select.tap();
    await expect(search).toBeFocused();
    await page.locator('h1').tap();
    await expect(search).toHaveCount(0);
    await expect(select).toHaveValue('ZAF');
  });

  test('a finger that scrolls over the nationality opens nothing @nightly', async ({ page }) => {
    await page.goto('/application');
    const select = page.locator('select[name="countryId"]');
    await scriptsRun(page);
    const box = await select.boundingBox();
    if (!box) throw new Error('No nationality');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const cdp = await page.context().newCDPSession(page);
    const touch = (
      name: 'touchStart' | 'touchMove' | 'touchEnd',
      points: { x: number; y: number }[],
    ) => cdp.send('Input.dispatchTouchEvent', { type: name, touchPoints: points });
    await touch('touchStart', [{ x, y }]);
    for (const moved of [20, 60, 120]) await touch('touchMove', [{ x, y: y - moved }]);
    await touch('touchEnd', []);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
    await expect(page.locator('.country-field input')).toHaveCount(0);
  });
});

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
  await scriptsRun(page);
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
