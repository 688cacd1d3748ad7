import { applicationNumber, indian, payByCard, southAfrican, walkToReview } from './apply.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inMotion,
  test,
} from './lale.ts';

// With motion, as most people see it, in one purchase only: animating the others took a quarter of their processor
// time.
test.describe('in motion', () => {
  test.use(inMotion);

  test('South Africa: five steps, $94.00, paid by card, a number and an e-mail', async ({
    page,
  }) => {
    const traveller = southAfrican();
    const screens: string[] = [];
    await walkToReview(page, traveller, {
      onScreen: async (name) => {
        screens.push(name);
        await expectAccessible(page);
        await expectNoSidewaysScroll(page);
      },
    });
    expect(screens).toEqual(['nationality', 'what-it-allows', 'arrival', 'details', 'review']);
    await expect(page.getByTestId('total')).toHaveText('$94.00');
    await page.getByRole('button', { name: 'Submit and pay $94.00' }).click();
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
    await expect(page.locator('h1')).toContainText('Thabo');
    await expectAccessible(page);
    const number = await applicationNumber(page);
    const mail = await awaitMail(traveller.email, new RegExp(number.slice(3, 7)));
    expect(mail.text).toContain('$94.00');

    await page.goto(`/status?ref=${number}`);
    await expect(page.getByTestId('status')).toHaveText('Pending');
    await expectAccessible(page);
  });
});

test('a cancelled payment charges nothing and can be taken up again', async ({ page }) => {
  await walkToReview(page, southAfrican());
  await page.getByRole('button', { name: /Submit and pay/ }).click();
  await page.waitForURL('**/mock-gpay-payment**');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForURL('**/payment-cancel**');
  await expect(page.getByText(/no charges/i).first()).toBeVisible();
});

test('going back from the gateway four times never leads there again, until asked to', async ({
  page,
}) => {
  await walkToReview(page, southAfrican());
  await page.getByRole('button', { name: 'Submit and pay $94.00' }).click();
  await page.waitForURL('**/mock-gpay-payment**');
  const title = page.getByRole('heading', { name: 'You came back' });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.url().includes('mock-gpay-payment')) {
      asked.push(request.url());
    }
  });
  await page.clock.install();
  for (let time = 1; time <= 4; time += 1) {
    await page.goBack();
    await expect(page).toHaveURL(/gpay-checkout/);
    await expect(title).toBeVisible();
    // Twice the time after which a first visitor is led on.
    await page.clock.runFor(2000);
    await expect(title).toBeVisible();
    expect(asked).toEqual([]);
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await page.waitForURL('**/mock-gpay-payment**');
    expect(asked.splice(0)).toHaveLength(1);
  }
});

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('the whole purchase works', async ({ page }) => {
    await walkToReview(page, southAfrican());
    await page.getByRole('button', { name: 'Submit and pay $94.00' }).click();
    await page.waitForURL('**/gpay-checkout**');
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
    await applicationNumber(page);
  });
});

test('the whole purchase in Arabic, right to left', async ({ page }) => {
  await walkToReview(page, indian(), {
    prefix: '/ar',
    onScreen: async () => {
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
      await expectAccessible(page);
      await expectNoSidewaysScroll(page);
    },
  });
  await page.locator('main form button[type="submit"]:not([name="provider"])').last().click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar');
  await applicationNumber(page);
});
