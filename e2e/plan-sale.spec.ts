import { storeAdministrator } from './desk-seed.ts';
import { adult, fillInsured, pressNext, pressPay } from './insure.ts';
import {
  addSession,
  day,
  expect,
  expectAccessible,
  fillDate,
  signIn,
  test,
  type Page,
} from './lale.ts';

/** Decides about plans at the desk, from now on: one administrator proposes, another confirms. */
async function decide(
  [desk, second]: readonly [Page, Page],
  controls: Record<string, string>,
): Promise<void> {
  await desk.goto('/admin/settings/plans');
  for (const [name, value] of Object.entries(controls)) {
    const control = desk.locator(`[name="${name}"]:not([type="hidden"])`);
    if (name.startsWith('sale-')) await control.selectOption(value);
    else await control.fill(value);
  }
  await desk.locator('[name="reason"]').fill('The insurer wants it so');
  await desk.locator('button[value="review"]').click();
  await desk.locator('button[value="save"]').click();
  await desk.waitForURL('**done=proposed');
  await second.goto('/admin/settings/plans');
  await expectAccessible(second);
  await second.locator('button[value="confirm"]').click();
  await second.waitForURL('**done=confirmed');
  await desk.reload();
}

test('a plan that gets another price, and then is sold no more, while somebody fills in the form @nightly', async ({
  page,
  browser,
  baseURL,
}) => {
  test.slow();
  const desk = await (await browser.newContext()).newPage();
  await signIn(desk);
  const other = await browser.newContext();
  await addSession(other, await storeAdministrator(), baseURL);
  const administrators = [desk, await other.newPage()] as const;
  // A plan that no other journey buys.
  const plan = { '180-days': '399', 'sale-180-days': 'yes' };

  await page.goto('/insurance');
  await fillDate(page, 'travelDate', day(30));
  await fillDate(page, 'returnDate', day(140));
  await expect(page.locator('[name="productId"]:checked')).toHaveValue('180-days');
  const insured = adult();
  await fillInsured(page, insured);
  await decide(administrators, { '180-days': '405' });
  await pressNext(page);
  await expect(page.getByRole('alert').first()).toContainText('from $399.00 to $405.00');
  await expect(page.locator('.order-summary')).toContainText('$405.00');
  await expect(page.locator('[name="passportNumber"]')).toHaveValue(insured.passportNumber);
  await expectAccessible(page);

  await decide(administrators, { 'sale-180-days': 'no' });
  await expectAccessible(desk);
  await pressNext(page);
  await expect(page.locator('.error-summary')).toContainText('no longer available');
  await expect(page.locator('[name="productId"][value="180-days"]')).toHaveCount(0);
  await expect(page.locator('[name="productId"]:checked')).toHaveValue('1-year');

  // Back on sale, it is the cheapest one again, which is said before payment.
  await decide(administrators, plan);
  await pressNext(page);
  await expect(page.locator('[name="productId"]:checked')).toHaveValue('180-days');
  await expect(page.locator('.order-summary')).toContainText('$399.00');
  await pressPay(page);
  await page.waitForURL(/insurance\/payment|mock-gpay-payment/);
});
