import { southAfrican, walkToReview } from './apply.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test, type Page } from './lale.ts';

const atStripe = (page: Page) => page.waitForURL('**/lab/stripe/pay**');
const press = (page: Page, intent: 'pay' | 'back') =>
  page.locator(`button[name="intent"][value="${intent}"]`).click();

/** Submits an application and presses Pay on its status page, where cards are taken by Stripe. */
async function payByStripe(page: Page) {
  await walkToReview(page, southAfrican());
  await page.getByRole('button', { name: /Submit and pay/ }).click();
  await page.waitForURL('**/mock-gpay-payment**');
  await page.goto('/application/review');
  await page.getByRole('link', { name: 'Track application' }).click();
  const form = page.locator('form[action$="/pay"]');
  // This service has the simulated gateway for cards: the button says which partner, as it does for PayPal.
  await form.evaluate((pay) => {
    const field = document.createElement('input');
    field.name = 'provider';
    field.value = 'stripe';
    pay.append(field);
  });
  await form.locator('button').first().click();
  await atStripe(page);
}

test('by Stripe: a declined card, another one, and the application is paid', async ({ page }) => {
  await payByStripe(page);
  await expect(page.getByTestId('total')).toContainText('USD');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.locator('[name="outcome"][value="declined"]').check();
  await press(page, 'pay');
  await expect(page.getByRole('alert')).toContainText('The card was declined');
  await press(page, 'pay');
  await page.waitForURL('**/payment-success**');
  await expect(page.locator('h1')).toContainText('Thabo');
  await expectNoSidewaysScroll(page);
  const number = await page.getByTestId('application-number').first().textContent();
  await page.goto(`/status?ref=${encodeURIComponent(number ?? '')}`);
  await expect(page.getByTestId('status')).toHaveText('Pending');
});
