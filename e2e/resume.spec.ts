import { chooseNationality, next } from './apply.ts';
import { expect, test } from './lale.ts';

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
