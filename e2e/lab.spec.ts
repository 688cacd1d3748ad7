import { MOCK_PAYMENT_MS } from '../src/lab/paypal-page/specification.ts';
import { labPages, paypalScreenByPath } from '../src/lab/paypal-page/variants.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  isThorough,
  test,
  type Page,
} from './lale.ts';
import { simulatePaypal, type Payer } from './paypal-double.ts';

const scriptPages = labPages.filter(({ path }) => {
  const screen = paypalScreenByPath(path);
  return screen && screen.shows !== 'redirect';
});
const redirectPages = labPages.filter(({ path }) => paypalScreenByPath(path)?.shows === 'redirect');

/** Here one screen of each kind is looked at, by the first of its addresses. */
const chosenPages = isThorough
  ? scriptPages
  : [...Map.groupBy(scriptPages, ({ path }) => paypalScreenByPath(path)?.shows).values()].flatMap(
      (pages) => pages.slice(0, 1),
    );

/** Presses the button that pays on this page. */
async function pay(page: Page): Promise<void> {
  await page
    .locator('paypal-button button, paypal-basic-card-button button')
    .or(page.getByRole('button', { name: 'Pay 114.00 USD' }))
    .first()
    .click();
}

async function open(page: Page, path: string, payer: Payer = {}): Promise<void> {
  const isLive = paypalScreenByPath(path)?.live !== undefined;
  await simulatePaypal(page, { isLive, ...payer });
  await page.goto(path);
}

const toast = (page: Page) => page.locator('.toast').last();

/** A screen with several routes is checked for accessibility once. */
const seen = new Set<string>();
async function lookAtOnce(page: Page, key: string): Promise<void> {
  await expectNoSidewaysScroll(page);
  if (seen.has(key)) return;
  seen.add(key);
  await expectAccessible(page);
}

test('screens with PayPal’s script: order, approval and capture', async ({ page }) => {
  test.slow();
  for (const { path, key } of chosenPages) {
    await test.step(path, async () => {
      await page.unrouteAll();
      await open(page, path);
      await expect(page.getByTestId('sdk')).toHaveText('Ready');
      await expect(page.getByTestId('total')).toHaveText('114.00 USD');
      await pay(page);
      await expect(page.getByTestId('status')).toHaveText('Success');
      await lookAtOnce(page, key);
    });
  }
});

test('every redirect screen leads to PayPal’s own checkout @nightly', async ({ page }) => {
  for (const { path, key } of redirectPages) {
    await test.step(path, async () => {
      await page.unrouteAll();
      await open(page, path);
      const redirect = paypalScreenByPath(path)?.redirect;
      if (redirect?.starts === 'press') {
        await lookAtOnce(page, key);
        await page.getByRole('button', { name: 'Continue to PayPal' }).click();
      }
      await page.waitForURL('https://www.sandbox.paypal.com/checkoutnow**');
      const { searchParams } = new URL(page.url());
      expect(searchParams.get('disable-funding')).toBe(
        redirect?.parameters ? 'credit,paylater,venmo' : null,
      );
    });
  }
});

const refusals: [string, string, Payer, string, string][] = [
  ['the payer leaves', '/paypal-test', { does: 'cancel' }, 'Ödeme İptal Edildi', 'Cancelled'],
  ['the payer leaves', '/paypal-card', { does: 'cancel' }, 'Kart Ödeme İptal', 'Cancelled'],
  ['PayPal fails', '/paypal-test', { does: 'fail' }, 'PayPal Hatası', 'Failed'],
  [
    'the capture is declined',
    '/paypal-react',
    { capture: 'DECLINED' },
    'Ödeme Başarısız',
    'Failed',
  ],
  ['PayPal fails', '/paypal-card', { does: 'fail' }, 'Kart Ödeme Hatası', 'Failed'],
  ['PayPal fails', '/paypal-direct-card', { does: 'fail' }, 'Kart Hatası', 'Failed'],
  ['PayPal fails', '/paypal-hosted', { does: 'fail' }, 'Kart Hatası', 'Failed'],
  ['no order is made', '/paypal-clean', { order: 'is refused' }, 'Sipariş Hatası', 'Failed'],
];

test('what goes wrong is said in Turkish @nightly', async ({ page }) => {
  test.slow();
  for (const [what, path, payer, says, status] of refusals) {
    await test.step(`${path}: ${what}`, async () => {
      await page.unrouteAll();
      await open(page, path, payer);
      await expect(page.getByTestId('sdk')).toHaveText('Ready');
      await pay(page);
      await expect(toast(page)).toContainText(says);
      await expect(page.getByTestId('status')).toHaveText(status);
    });
  }
  for (const [path, says] of [
    ['/paypal-test', 'SDK Hatası'],
    ['/paypal-clean', 'Yükleme Hatası'],
    ['/paypal-hosted', 'Yükleme Hatası'],
  ] as const) {
    await page.unrouteAll();
    await open(page, path, { script: 'is away' });
    await expect(toast(page)).toContainText(says);
    await expect(page.getByTestId('sdk')).toHaveText('Not loaded');
  }
  await page.unrouteAll();
  await open(page, '/mobile-paypal-test', { order: 'is refused' });
  await page.getByRole('button', { name: 'Continue to PayPal' }).click();
  await expect(toast(page)).toContainText('Ödeme Hatası');
  await expect(toast(page)).toContainText('HTTP 503');
});

test('without live mode the live pages show no button @nightly', async ({ page }) => {
  await open(page, '/paypal-live', { isLive: false });
  await expect(page.getByText('Live mode is off')).toBeVisible();
  await expect(page.locator('paypal-button')).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'PayPal: React integration' }).first().click();
  await page.waitForURL('**/paypal-react');
  await page.goto('/paypal-direct');
  await expect(page.getByText('Live PayPal credentials bulunamadı')).toBeVisible();
  await expectAccessible(page);
});

test('the clean page renders its buttons again, the standard page shows what happened @nightly', async ({
  page,
}) => {
  await open(page, '/paypal-clean', { does: 'cancel' });
  await pay(page);
  await expect(page.getByTestId('status')).toHaveText('Cancelled');
  await page.getByRole('button', { name: 'Reload the buttons' }).click();
  await expect(page.getByTestId('renders')).toHaveText('2');
  await expect(page.getByTestId('status')).toHaveText('Not started');
  await expect(page.locator('paypal-button')).toHaveCount(1);
  await page.unrouteAll();
  await open(page, '/paypal-fixed');
  await pay(page);
  await expect(page.getByTestId('status')).toHaveText('Success');
  await page.getByRole('button', { name: 'Debug information' }).click();
  await expect(page.getByTestId('raw')).toContainText('capture COMPLETED');
  await expect(page.getByTestId('raw')).not.toContainText('lab-token');
});

test('the card form checks and sends nothing @nightly', async ({ page }) => {
  await page.goto('/direct-card');
  await page.waitForLoadState('networkidle');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  const check = page.getByRole('button', { name: 'Check the card' });
  await check.click();
  await expect(page.getByText('Enter at least 13 digits')).toBeVisible();
  await page.locator('[name="cardHolder"]').fill('S HERNANDEZ');
  await page.locator('[name="cardNumber"]').pressSequentially('41111111111111112222');
  await expect(page.locator('[name="cardNumber"]')).toHaveValue('4111 1111 1111 1111');
  await page.locator('[name="expiryDate-month"]').fill('12');
  await page.locator('[name="expiryDate-year"]').fill('29');
  await page.locator('[name="cvv"]').fill('1234');
  await page.locator('[name="cvv"]').press('Enter');
  await check.click();
  await expect(page.getByText('All checks passed')).toBeVisible();
  // Only our own scripts are still loaded.
  expect(sent.filter((url) => !new URL(url).pathname.startsWith('/assets/'))).toEqual([]);
});

test('the checklist counts what was marked, and diagnostics ask the gateway @nightly', async ({
  page,
}) => {
  await page.goto('/mobile-test');
  await expect(page.getByText('Pending: 10')).toBeVisible();
  await page.getByRole('radio', { name: 'Pass' }).first().check();
  await page.getByRole('radio', { name: 'Fail' }).nth(1).check();
  await expect(page.getByText('Passed: 1')).toBeVisible();
  await expect(page.getByText('Failed: 1')).toBeVisible();
  await page.getByRole('radio', { name: 'Pending' }).nth(1).check();
  await expect(page.getByText('Failed: 0')).toBeVisible();
  expect(await page.locator('main li a[target="_blank"]').count()).toBe(6);
  await page.goto('/payment-troubleshoot');
  await expect(page.getByTestId('diagnosis')).toHaveText('Unknown');
  await page.getByRole('button', { name: 'Check the gateway' }).click();
  await expect(page.getByTestId('diagnosis')).toHaveText('Working');
  await expect(page.getByText('GPay API is responding normally')).toBeVisible();
});

test('the mock payment pays after two seconds, or cancels @nightly', async ({ page }) => {
  await page.clock.install();
  await page.goto('/payment-mock?amount=1.00&customer=Ada%20L&email=ada@example.org');
  await expect(page.getByTestId('total')).toHaveText('114.00 USD');
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Simulate Success' }).click();
  await expect(page.getByRole('button', { name: 'Processing the payment…' })).toBeVisible();
  const left: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) left.push(request.url());
  });
  await page.clock.runFor(MOCK_PAYMENT_MS - 1);
  // A navigation that has begun sends its request before this one.
  await page.evaluate(() => fetch('/healthz'));
  expect(left).toEqual([]);
  await page.clock.runFor(1);
  await page.waitForURL('**/payment-success**');
  await page.goto('/payment-mock');
  await page.getByRole('button', { name: 'Cancel Payment' }).click();
  await page.waitForURL('**/payment-cancel**');
});

test('the debug page shows the raw answer and leads to the gateway @nightly', async ({ page }) => {
  await page.goto('/debug-payment');
  await page.getByRole('button', { name: 'Test direct redirect' }).click();
  await expect(page.locator('#transactionId-error')).toContainText('Enter a transaction ID.');
  await expect(page.locator('[name="transactionId"]')).toBeFocused();
  await page.locator('[name="transactionId"]').fill('TRV0000000000000');
  await page.getByRole('button', { name: 'Test payment API' }).click();
  await expect(page.getByTestId('raw')).toContainText('"status": 4');
  await page.getByRole('button', { name: 'Test direct redirect' }).click();
  await expect(page.getByTestId('raw')).toContainText('/mock-gpay-payment?order=TRV0000000000000');
  await page.waitForURL('**/mock-gpay-payment?order=TRV0000000000000');
});
