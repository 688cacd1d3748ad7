import {
  applicationNumber,
  indian,
  payByCard,
  southAfrican,
  walkToReview,
  next,
  walkToArrival,
  buyByCalls,
} from './apply.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  inMotion,
  test,
  newEmail,
  type Page,
  day,
  fillDate,
} from './lale.ts';
import { adult, fillInsured, fillTrip, pressPay } from './insure.ts';

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
  await expect(page.getByRole('button', { name: 'Pay $94.00 with PayPal' })).toBeFocused();
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

test.describe('stripe', () => {
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
});

test('the speed that the form chose follows the arrival both ways, and says so @nightly', async ({
  page,
}) => {
  await walkToArrival(page);
  const notes = page.getByTestId('choice-notes');
  const total = page.getByTestId('total');
  const speed = (name: string) => page.locator(`[name="processingType"][value="${name}"]`);
  await expect(notes).toHaveAttribute('aria-live', 'polite');
  await expect(notes).toBeEmpty();

  await fillDate(page, 'arrivalDate', day(7));
  await expect(speed('standard')).not.toBeChecked();
  await expect(notes).toContainText('instead of $94.00');
  await expect(total).not.toHaveText('$94.00');
  await expect(page.locator('.total-note').first()).toHaveText('was $94.00');

  // An incomplete date changes nothing.
  const dearer = await total.innerText();
  await page.locator('[name="arrivalDate-year"]').fill('20');
  await expect(total).toHaveText(dearer);

  await fillDate(page, 'arrivalDate', day(60));
  await expect(speed('standard')).toBeChecked();
  await expect(total).toHaveText('$94.00');
  await expect(notes).toContainText(`$94.00 instead of ${dearer}`);

  await speed('standard').check();
  await expect(notes).toBeEmpty();
  await speed('express').check();
  await expect(notes).toHaveText('Standard also fits your arrival date and costs $150.00 less.');
  await fillDate(page, 'arrivalDate', day(70));
  await expect(speed('express')).toBeChecked();
  await next(page);
  await page.waitForURL('**/application/details');
  await page.goBack();
  await expect(speed('express')).toBeChecked();
  await expect(notes).toContainText('You chose Express');
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test(`a payer on another device asks for a link, sees what cancelling pays back, and cancels${javaScriptEnabled ? ' @nightly' : ''}`, async ({
      page,
    }) => {
      const traveller = southAfrican();
      const number = await buyByCalls(page, traveller, undefined, {
        hasScripts: javaScriptEnabled,
      });
      await page.context().clearCookies();

      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`/en/status?ref=${number}`);
      await page.getByRole('link', { name: 'Cancel and get a refund' }).click();
      await expect(
        page.getByText('Only the person who placed this order can cancel it'),
      ).toBeVisible();
      await expect(page.locator('main').getByText('$')).toHaveCount(0);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('link', { name: 'Get a link by email' }).click();
      await page.getByLabel('Email address').fill(traveller.email);
      await page.locator('main form button').last().click();
      const mail = await awaitMail(traveller.email, /number/i);
      const link = /https?:\/\/\S+\/my-order\/[^\s"]+/.exec(mail.text ?? '')?.[0] ?? '';
      await page.goto(new URL(link).pathname);
      await expect(page.getByTestId('cancel-now')).toContainText('$25.00');

      await page.getByRole('link', { name: 'Cancel and get a refund' }).click();
      await expect(page.getByTestId('refund')).toContainText('$25.00');
      await expect(page.getByTestId('holds-until')).toContainText('UTC');
      await expect(page.getByText('The e-visa fee is not refunded')).toBeVisible();
      await expectNoSidewaysScroll(page);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Cancel and refund $25.00' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cancelled');
      await expect(page.getByText('We’ll refund $25.00')).toBeVisible();
      const confirmation = await awaitMail(traveller.email, /^Cancelled/);
      expect(confirmation.text).toContain('$25.00');

      await page.getByRole('link', { name: 'Back to the status page' }).click();
      await expect(page.getByText('This application is cancelled')).toBeVisible();
      await expect(page.getByTestId('status')).toHaveText('Cancelled');
      await expect(page.getByText('Rejected')).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Cancel and get a refund' })).toHaveCount(0);
    });
  });
}
