import { payByCard, southAfrican, walkToReview } from './apply.ts';
import { awaitMail, expect, expectAccessible, expectNoSidewaysScroll, test } from './lale.ts';

const bare = (text: string | null) => (text ?? '').replace(/\s/g, '');

test('an insurance is added to a visa: one payment, two numbers @nightly', async ({ page }) => {
  const traveller = southAfrican();
  await walkToReview(page, traveller);
  await expect(page.locator('[name="insurance"]:checked')).toHaveValue('none');
  await expect(page.getByRole('button', { name: 'Submit and pay $94.00' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What happens next' })).toBeVisible();
  // Whoever pays has met the terms.
  const order = await page.locator('main').innerText();
  expect(order.indexOf('By paying, you accept')).toBeGreaterThan(0);
  expect(order.indexOf('By paying, you accept')).toBeLessThan(order.indexOf('Submit and pay'));
  await page.locator('[name="insurance"][value="30-days"]').check();
  await expect(page.getByRole('button', { name: 'Submit and pay $283.00' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Submit and pay $283.00' }).click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  await expect(page.getByTestId('total')).toHaveText('$283.00');
  await expect(page.getByText('Travel insurance, 30 days')).toBeVisible();
  const visa = /TRV[0-9A-Z]{13}/.exec(bare(await page.getByTestId('number-visa').textContent()));
  const insured = /TRI[0-9A-Z]{13}/.exec(
    bare(await page.getByTestId('number-insurance').textContent()),
  );
  expect(visa?.[0]).toBeDefined();
  expect(insured?.[0]).toBeDefined();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const mail = await awaitMail(traveller.email, /TRG/);
  expect(mail.text).toContain('$283.00');

  // The order's number opens the visa, and each application links to the other; each has its own status.
  await page.getByRole('link', { name: 'Track application' }).click();
  await expect(page.getByTestId('status')).toHaveText('Pending');
  await expect(page).toHaveTitle('Pending · Application status · Lale');
  await expect(page.getByRole('link', { name: /^Receipt LR-.* \(PDF\)$/ })).toBeVisible();
  await expect(page.getByTestId('application-number').first()).toContainText('TRV');
  await expectAccessible(page);
  await expect(async () => {
    await page.goto(`/status?ref=${insured?.[0]}`);
    await expect(page.getByTestId('status')).toHaveText('Approved', { timeout: 500 });
  }).toPass({ timeout: 30_000 });
  expect(bare(await page.getByTestId('beside-visa').textContent())).toContain(visa?.[0] ?? '-');
  await expect(
    page.getByRole('heading', { name: 'What the insurance covers', level: 3 }),
  ).toBeVisible();
});
