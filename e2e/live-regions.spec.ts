import {
  choose,
  chooseNationality,
  fillDetails,
  next,
  payByCard,
  southAfrican,
  walkToArrival,
} from './apply.ts';
import { day, expect, fillDate, test } from './lale.ts';
import { recordLiveRegions } from './live-regions.ts';

test('the recorder hears what a screen reader is handed, and not what it may miss @nightly', async ({
  page,
}) => {
  const live = await recordLiveRegions(page);
  await page.route('**/regions', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<title>First</title><div aria-live="polite" id="polite">Loaded</div><output id="output"></output>
        <div hidden id="hidden" role="status"></div><h1 id="heading" tabindex="-1">Heading</h1>`,
    }),
  );
  await page.goto('/regions');
  await page.evaluate(() => {
    const put = (id: string, markup: string) =>
      document.getElementById(id)?.insertAdjacentHTML('beforeend', markup);
    const later = () => new Promise((done) => setTimeout(done));
    return [
      () => put('polite', '<p>Added</p>'),
      () => document.querySelector('#polite p')?.remove(),
      () => put('output', 'One<i aria-hidden="true">unsaid</i>'),
      () => put('output', ', two'),
      () => document.body.insertAdjacentHTML('beforeend', '<p role="status">Inserted filled</p>'),
      () => document.body.insertAdjacentHTML('beforeend', '<p role="alert">Inserted alert</p>'),
      () => {
        put('hidden', 'Shown filled');
        document.getElementById('hidden')?.removeAttribute('hidden');
      },
      () => put('hidden', ', then more'),
      () => (document.title = 'Second'),
      () => document.getElementById('heading')?.focus(),
    ].reduce(async (earlier, step) => {
      await earlier;
      step();
      await later();
    }, Promise.resolve());
  });
  await live.expectHeard([
    'title: First',
    'polite: Added',
    'polite: One',
    'polite: One, two',
    'assertive: Inserted alert',
    'polite: Shown filled, then more',
    'title: Second',
    'focus: Heading',
  ]);
});

test('a speed that follows the arrival date is announced once @nightly', async ({ page }) => {
  const live = await recordLiveRegions(page);
  await walkToArrival(page);
  await fillDate(page, 'arrivalDate', day(60));
  await live.expectHeard(['polite: E-visa available South Africa, ordinary passport…']);
  await fillDate(page, 'arrivalDate', day(7));
  await live.expectHeard([
    'polite: Standard does not fit your arrival date. We’ve selected Fast, the cheapest that does: $144.00 instead of $94.00.',
  ]);
});

const titles = (...pages: string[]) => pages.map((page) => `title: ${page} · Lale`);

/** What a traveller hears who buys one e-visa with insurance and has something wrong on the way. */
test('one purchase says everything once, and nothing while one types', async ({ page }) => {
  const live = await recordLiveRegions(page);
  await page.goto('/application');
  await chooseNationality(page, 'ZAF');
  await expect.poll(() => live.heard('polite')).toHaveLength(1);
  await next(page);
  await page.waitForURL('**/what-it-allows');
  await choose(page, 'purpose', 'tourism');
  await next(page);
  await page.waitForURL('**/application/arrival');
  await fillDate(page, 'arrivalDate', day(60));
  await next(page);
  await page.waitForURL('**/application/details');
  await live.expectHeard([
    ...titles('Apply for an e-visa'),
    'polite: E-visa available South Africa, ordinary passport…',
    ...titles('What this e-visa allows', 'Arrival and processing', 'Your details'),
  ]);

  await fillDetails(page, { ...southAfrican(), lastName: '', firstName: 'Jose' });
  await page.locator('[name="dateOfBirth-day"]').fill('31');
  await page.locator('[name="dateOfBirth-month"]').fill('2');
  await live.expectHeard([]);
  await next(page);
  const dateWrong =
    'Date of birth: Invalid date format. This month has fewer days: check the day and the month';
  await live.expectHeard([
    'focus: Next',
    ...titles('Error: Your details'),
    `assertive: Last name is required: enter your last name ${dateWrong}`,
    'focus: Form validation error: please fill in all required fields correctly',
  ]);

  // Corrected key by key: the message stays until its field is left, and the list is not read again.
  await page.locator('[name="lastName"]').focus();
  await page.keyboard.type('Muñoz Núñez');
  await expect(page.locator('#lastName-error')).toBeVisible();
  await live.expectHeard([]);
  await page.keyboard.press('Tab');
  await expect(page.locator('#lastName-error')).toHaveCount(0);
  await expect(page.locator('.error-summary li')).toHaveCount(1);
  await live.expectHeard([
    'polite: The lines of code in your passport show your name as MUNOZ NUNEZ, JOSE. If that is right, select “This matches my passport”.',
  ]);
  await page.locator('[name="nameConfirmed"]').check();
  await next(page);
  await live.expectHeard([
    'focus: This matches my passport',
    'focus: Next',
    `assertive: ${dateWrong}`,
    'focus: There is a problem with one answer',
  ]);
  await page.locator('[name="dateOfBirth-day"]').fill('3');
  await next(page);
  await page.waitForURL('**/application/review');
  await live.expectHeard(titles('Check your answers'));

  await page.locator('[name="insurance"][value="30-days"]').check();
  await live.expectHeard(['polite: 30 days added. Total $283.00.']);
  await page.locator('[name="insurance"][value="none"]').check();
  await live.expectHeard(['polite: No insurance. Total $94.00.']);
  await page.locator('[name="insurance"][value="30-days"]').check();
  await live.expectHeard(['polite: 30 days added. Total $283.00.']);
  await page.getByRole('button', { name: 'Submit and pay $283.00' }).click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  await live.expectHeard([
    'polite: Message Application submitted Your number is TRV…. We’re taking you to the payment page.',
    ...titles('Payment page'),
    'title: Pay by card · Simulated card gateway',
    ...titles('Payment received'),
  ]);
  if (process.env.PRINT_HEARD) console.log(live.heard().join('\n'));
});

test('dates that select a plan of insurance say which, and its price @nightly', async ({
  page,
}) => {
  const live = await recordLiveRegions(page);
  await page.goto('/insurance');
  await fillDate(page, 'travelDate', { day: '1', month: '11', year: '2030' });
  await fillDate(page, 'returnDate', { day: '10', month: '11', year: '2030' });
  await live.expectHeard([
    'polite: Your trip is 10 days long, including the first and last day.',
    'polite: 14 days selected. Total $149.00.',
  ]);
  await page.locator('[name="returnDate-day"]').fill('20');
  await live.expectHeard([
    'polite: Your trip is 20 days long, including the first and last day.',
    'polite: We’ve changed the plan to fit your dates: 30 days for $189.00, instead of $149.00.',
  ]);
  await page.locator('[name="productId"][value="60-days"]').check();
  await live.expectHeard([
    'polite: A cheaper plan also covers your trip: 30 days for $189.00.',
    'polite: 60 days selected. Total $249.00.',
  ]);
});
