import { payByCard, southAfrican, walkToReview } from './apply.ts';
import { adult, fillInsured, fillTrip, pressPay } from './insure.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  test,
  type Page,
} from './lale.ts';

const atPaypal = (page: Page) => page.waitForURL('**/lab/paypal/checkoutnow**');
const press = (page: Page, intent: 'approve' | 'cancel') =>
  page.locator(`button[name="intent"][value="${intent}"]`).click();

/** Every request that contains these digits, however they are grouped, and the page that received it. */
function watchFor(page: Page, digits: string): string[] {
  const seen: string[] = [];
  page.context().on('request', (request) => {
    const sent = decodeURIComponent(`${request.url()} ${request.postData() ?? ''}`);
    if (sent.replace(/[\s+-]/g, '').includes(digits)) {
      seen.push(`${request.method()} ${new URL(request.url()).pathname}`);
    }
  });
  return seen;
}

test('PayPal at the first try, from the review, by keyboard', async ({ page }) => {
  await walkToReview(page, southAfrican());
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: /Submit and pay/ }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Pay with PayPal $94.00' })).toBeFocused();
  await page.keyboard.press('Enter');
  await atPaypal(page);
  await press(page, 'approve');
  await page.waitForURL('**/payment-success**');
  await expect(page.locator('h1')).toContainText('Thabo');
});

test('a declined card, then PayPal; the card’s number goes to the test checkout alone', async ({
  page,
}) => {
  const seen = watchFor(page, '4000000000000002');
  await walkToReview(page, southAfrican());
  await page.getByRole('button', { name: /Submit and pay/ }).click();
  await payByCard(page, '4000 0000 0000 0002');
  await page.waitForURL('**/payment-cancel**');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pay with PayPal instead' }).click();
  await atPaypal(page);
  await press(page, 'approve');
  await page.waitForURL('**/payment-success**');
  await expect(page.locator('h1')).toContainText('Thabo');
  expect([...new Set(seen)]).toEqual(['POST /mock-gpay-payment']);
});

test('a card page that never opens: three retries, PayPal cancelled, PayPal paid @nightly', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/insurance');
  await fillTrip(page);
  await fillInsured(page, { ...adult(), email: newEmail('no-payment-page') });
  await pressPay(page);
  const notice = page.getByText('Payment initialization failed');
  await expect(notice.first()).toBeVisible();
  for (const left of ['2 more times', '1 more time', 'Try again later']) {
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.clock.fastForward(2000);
    await expect(page.getByText(left).first()).toBeVisible();
  }
  await expect(page.getByRole('button', { name: 'Try again' })).toBeDisabled();
  await page.clock.resume();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Pay with PayPal instead' }).click();
  await page.clock.fastForward(1000);
  await atPaypal(page);
  await press(page, 'cancel');
  await page.waitForURL('**/payment-cancel**');
  await expect(page.locator('h1')).toHaveText('Payment Cancelled');
  await page.getByRole('button', { name: 'Try Again' }).click();
  await page.clock.fastForward(1000);
  await atPaypal(page);
  await press(page, 'approve');
  await page.waitForURL('**/payment-success**');
});
