import { chooseNationality, fillDetails, next, southAfrican } from './apply.ts';
import { awaitMail, day, expect, expectAccessible, fillDate, newEmail, test } from './lale.ts';

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

test('a link by e-mail opens the draft on another device, once @nightly', async ({
  page,
  browser,
}) => {
  const email = newEmail('later');
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.waitForURL('**/application/what-it-allows');
  await page.locator('input[name="purpose"][value="trade"]').check();
  await page.getByText('Save and continue later').click();
  await page.locator('[name="saveEmail"]').fill(email);
  await page.locator('[name="saveEmail"]').press('Enter');
  const mail = await awaitMail(email, /Continue your application/);
  const link = /https?:\/\/\S+\/application\/resume\/[\w-]+/.exec(mail.text ?? '')?.[0] ?? '';
  expect(link).not.toBe('');

  const device = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const elsewhere = await device.newPage();
  await elsewhere.goto(link);
  await expectAccessible(elsewhere);
  await elsewhere.locator('main form button').first().click();
  await elsewhere.waitForURL('**/application/arrival');

  await page.goto(link);
  await expect(page.locator('main form button')).toHaveCount(0);
  await device.close();
});

test('every mistake keeps what was typed and says what is wrong at the field @nightly', async ({
  page,
}) => {
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await next(page);
  await page.locator('input[name="purpose"][value="tourism"]').check();
  await next(page);
  await page.waitForURL('**/application/arrival');
  await fillDate(page, 'arrivalDate', day(60));
  await next(page);
  await page.waitForURL('**/application/details');
  await fillDetails(page, southAfrican());
  await page.locator('[name="email"]').fill('thabo@nowhere');
  await fillDate(page, 'passportExpiryDate', day(-10));
  await next(page);
  await expect(page.locator('.error-summary')).toBeVisible();
  await expect(page).toHaveTitle(/^Error:/);
  await expect(page.getByText('Passport Expired').first()).toBeVisible();
  await expect(page.getByText('Invalid email address').first()).toBeVisible();
  await expect(page.locator('[name="email"]')).toHaveValue('thabo@nowhere');
  await expect(page.locator('[name="lastName"]')).toHaveValue('Naidoo');
  await expectAccessible(page);
});
