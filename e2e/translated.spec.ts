import { PAGE_DATA_ID } from '../src/ui/page/page-data.ts';
import {
  chooseNationality,
  fillSupportingVisa,
  indian,
  next,
  payByCard,
  southAfrican,
  continueWizard,
  walkToReview,
} from './apply.ts';
import { deskAddresses, deskPages } from './desk-addresses.ts';
import { seedDesk, storeTeam } from './desk-seed.ts';
import { adult, fillInsured, fillTrip, pressNext } from './insure.ts';
import {
  addSession,
  day,
  expect,
  fillDate,
  isThorough,
  scriptsRun,
  signedInPage,
  test,
  type Page,
} from './lale.ts';

/** Ways in which browsers put their texts in place of ours: the text moves into `<font>`, or goes. */
const ways = ['moved', 'replaced', 'put before and taken out'] as const;

/** Puts every text of the page into `<font>`, as Chrome does when it translates. */
const translate = (page: Page, way: (typeof ways)[number]) =>
  page.evaluate((how) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const isShown = !node.parentElement?.closest(
        'script, style, noscript, textarea, option, font',
      );
      if (node instanceof Text && isShown && node.data.trim() !== '') texts.push(node);
    }
    for (const text of texts) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      outer.append(inner);
      inner.textContent = how === 'moved' ? '' : `«${text.data}»`;
      if (how === 'replaced') text.replaceWith(outer);
      else text.before(outer);
      if (how === 'moved') inner.append(text);
      if (how === 'put before and taken out') text.remove();
    }
  }, way);

/** Until React has drawn what the last change asked for. */
async function goesOn(page: Page): Promise<void> {
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
}

/** Stored once in a process, because that takes longer than looking at ten pages. */
let stored: ReturnType<typeof seedDesk> | undefined;

/** The ways to look at a page in: all of them in a thorough run, else one, the next page in the next. */
const waysOf = (index: number) =>
  ways.filter((_, turn) => isThorough || turn === index % ways.length);

/** What is thrown from now on, also where a page shows its own error instead. */
function watchErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(`${page.url()}: ${message}`));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && /NotFoundError|removeChild|insertBefore/.test(text))
      errors.push(`${page.url()}: ${text}`);
  });
  return errors;
}

/** Pages of mere text have no scripts to wait for. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForLoadState();
  if ((await page.locator(`#${PAGE_DATA_ID}`).count()) > 0) await scriptsRun(page);
}

/** Types into, chooses and ticks what the page asks, wrongly for the most part. */
async function answerSomething(page: Page): Promise<void> {
  const controls = page.locator('main :is(input, select, textarea):visible:enabled');
  const names = await controls.evaluateAll((all) => all.map((one) => one.getAttribute('name')));
  for (const name of new Set(names)) {
    const control = page.locator(`main [name="${name}"]:visible:enabled`).last();
    // An answer may take away what is asked after it.
    if (name === null || (await control.count()) === 0) continue;
    const kind = await control.evaluate((one) =>
      one instanceof HTMLInputElement ? one.type : one.localName,
    );
    if (kind === 'select') await control.selectOption({ index: 0 });
    // As a keyboard does: the label may lie over it.
    else if (kind === 'radio' || kind === 'checkbox') await control.press('Space');
    // What a browser itself refuses would not be sent.
    else if (kind === 'email') await control.fill('nobody@traveller.example');
    else if (/^(text|tel|search|textarea)$/.test(kind)) await control.fill('?');
  }
}

/** Sends the page's first form, and waits for its answer. */
async function send(page: Page): Promise<void> {
  const button = page.locator('main form button:not([type="button"]):visible:enabled').first();
  if ((await button.count()) === 0) return;
  // A script may say what is wrong without asking the service.
  const answered = Promise.race([
    page.waitForResponse((response) => {
      const request = response.request();
      return request.isNavigationRequest() || request.method() === 'POST';
    }),
    page.waitForFunction(() => document.title.startsWith('Error:')),
  ]);
  await button.click();
  await answered;
  await expect(page.locator('h1').first()).toBeVisible();
}

/** By day the way that browsers translate in today. */
const whenOf = (way: string) => (way === 'moved' ? '' : ' @nightly');

for (const way of ways) {
  test(`a form whose texts a translation has ${way} goes on @nightly`, async ({ page }) => {
    const errors = watchErrors(page);
    await page.goto('/application');
    await scriptsRun(page);
    for (const code of ['ZAF', 'IND', 'EGY', 'PAK', 'MEX', 'CUB', 'IND']) {
      await translate(page, way);
      await chooseNationality(page, code);
      await goesOn(page);
    }
    // What changed is shown, not what the translation kept.
    await expect(page.locator('main')).toContainText('India');
    await translate(page, way);
    await next(page);
    await page.waitForURL('**/application/supporting-document');
    await scriptsRun(page);
    await translate(page, way);
    await fillSupportingVisa(page, { country: 'SCHENGEN', number: 'D12345678' });
    await translate(page, way);
    await next(page);
    await page.waitForURL('**/application/arrival');
    await scriptsRun(page);
    for (const days of [40, 50]) {
      await translate(page, way);
      await fillDate(page, 'arrivalDate', day(days));
      for (const speed of await page.locator('[name="processingType"]:enabled').all()) {
        await speed.check();
        await translate(page, way);
      }
    }
    await goesOn(page);
    expect(errors).toEqual([]);
  });

  test(`an insurance whose texts a translation has ${way} follows its dates @nightly`, async ({
    page,
  }) => {
    const errors = watchErrors(page);
    await page.goto('/insurance');
    await scriptsRun(page);
    await translate(page, way);
    await fillTrip(page);
    await expect(page.locator('[name="productId"]:checked')).toHaveValue('14-days');
    for (const last of [30, 70, 12]) {
      await translate(page, way);
      await fillDate(page, 'returnDate', day(last + 20));
      await page.locator('[name="lastName"]').focus();
      await goesOn(page);
    }
    for (const plan of await page.locator('[name="productId"]:enabled').all()) {
      await plan.check();
      await translate(page, way);
    }
    await next(page);
    await translate(page, way);
    await page.locator('[name="lastName"]').fill('Rao');
    await page.locator('[name="firstName"]').fill('Meera');
    await goesOn(page);
    expect(errors).toEqual([]);
  });
}

test('every step of the form, translated, says what is wrong and goes on once it is right', async ({
  page,
}) => {
  const errors = watchErrors(page);
  let screens = 0;
  await walkToReview(page, indian(), {
    async onScreen(name) {
      await scriptsRun(page);
      const way = ways[screens % ways.length] ?? 'moved';
      screens += 1;
      await translate(page, way);
      // The others go on as they are.
      if (!['supporting-document', 'prerequisites', 'details'].includes(name)) return;
      await next(page);
      await expect(page).toHaveTitle(/^Error:/);
      await translate(page, way);
    },
  });
  expect(screens).toBe(6);
  await goesOn(page);
  expect(errors).toEqual([]);
});

test('a group, an insurance, their payments and a change, translated, go on', async ({ page }) => {
  test.slow();
  const errors = watchErrors(page);
  page.setDefaultTimeout(20_000);
  let screens = 0;
  const translateNext = async () => {
    await scriptsRun(page);
    await translate(page, ways[screens % ways.length] ?? 'moved');
    screens += 1;
  };
  const pay = async () => {
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
    await translateNext();
    await expect(page.getByTestId('application-number').first()).toBeVisible();
    await goesOn(page);
  };
  await page.goto('/application');
  await page.locator('input[name="party"][value="group"]').check();
  await continueWizard(page, southAfrican());
  await page.locator('button[value="confirm"]').click();
  await page.waitForURL('**/application/travellers');
  await translateNext();
  await page.locator('select[name="insurance-1"]').selectOption('7-days');
  await expect(page.getByTestId('total')).toHaveText('$208.00');
  await translateNext();
  await page.locator('main button[value="pay"]').click();
  await pay();

  await page.goto('/insurance');
  await fillTrip(page);
  await fillInsured(page, adult());
  await pressNext(page);
  await page.waitForURL('**/insurance/review');
  await translateNext();
  await page.locator('button[name="intent"][value="pay"]').click();
  await pay();

  await walkToReview(page, southAfrican());
  await translateNext();
  await page.getByRole('button', { name: /Submit and pay/ }).click();
  await page.waitForURL('**/mock-gpay-payment**');
  await page.goto('/application/review');
  await translateNext();
  await page.locator('main a[href*="/status?ref="]').first().click();
  await page.waitForURL('**/status?ref=**');
  await translateNext();
  await page.goto(`/application/change?ref=${new URL(page.url()).searchParams.get('ref')}`);
  await hydrated(page);
  await translate(page, 'replaced');
  await page.locator('main form button').first().click();
  await page.waitForURL('**/application/review');
  await translateNext();
  await goesOn(page);
  expect(errors).toEqual([]);
});

test('every other page of a traveller, translated, takes answers and shows what is wrong', async ({
  page,
}) => {
  const { numbers, corrections } = await (stored ??= seedDesk({ daysLater: 30 }));
  const addresses = [
    '/',
    '/faq',
    '/application',
    '/insurance',
    corrections.visa,
    corrections.insurance,
    '/status',
    '/status/lost-number',
    '/download',
    '/payment-cancel',
    `/pay?ref=${numbers.unpaid.number}`,
    ...Object.values(numbers).map(({ number }) => `/status?ref=${number}`),
    `/status/cancel?ref=${numbers.pending.number}`,
  ];
  const errors = watchErrors(page);
  page.setDefaultTimeout(10_000);
  for (const [index, address] of addresses.entries()) {
    for (const way of waysOf(index)) {
      await page.goto(`/en${address}`);
      await hydrated(page);
      await translate(page, way);
      await answerSomething(page);
      await translate(page, way);
      await send(page);
      await hydrated(page);
      await translate(page, way);
      await answerSomething(page);
      await goesOn(page);
    }
  }
  expect(errors).toEqual([]);
});

test('every page of the desk, translated, takes answers', async ({ page, context, baseURL }) => {
  test.slow();
  const cases = await (stored ??= seedDesk({ daysLater: 30 }));
  const addresses = deskPages().flatMap((pattern) => deskAddresses(pattern, cases));
  await addSession(context, cases.staff.administrator.cookie, baseURL);
  const errors = watchErrors(page);
  page.setDefaultTimeout(10_000);
  for (const [index, address] of addresses.entries()) {
    for (const way of waysOf(index)) {
      await page.goto(`/en${address}`);
      await scriptsRun(page);
      await translate(page, way);
      await answerSomething(page);
      await translate(page, way);
      await goesOn(page);
    }
  }
  expect(errors).toEqual([]);
});

for (const way of ways) {
  test(`a desk whose texts a translation has ${way} goes on from decision to decision${whenOf(way)}`, async ({
    context,
    baseURL,
  }) => {
    const { clerk, application } = await storeTeam();
    const page = await signedInPage(context, clerk.cookie, baseURL);
    const errors = watchErrors(page);
    page.setDefaultTimeout(10_000);
    const status = page.getByTestId('status').first();
    await page.goto('/admin');
    await scriptsRun(page);
    await translate(page, way);
    await page.locator('#search').fill(application.email);
    await page.locator('#search').press('Enter');
    const row = page.locator(`[data-number="${application.number}"] .queue-link`);
    await expect(row).toBeVisible();
    await translate(page, way);
    await row.click();
    await expect(page.locator('#application-name')).toBeFocused();
    await translate(page, way);
    await page.locator('#start').click();
    await expect(status).toContainText('Processing');
    await translate(page, way);
    await page.getByTestId('undo').getByRole('button').click();
    await expect(status).toContainText('Pending');
    await translate(page, way);
    await page.locator('textarea:visible').last().fill('The scan is cut off.');
    await page.locator('#reject').click();
    await expect(page.locator('#reject-dialog:modal')).toBeVisible();
    await translate(page, way);
    await page.locator('button[form="reject-form"]').click();
    await expect(page.locator('#reject-dialog [aria-invalid="true"]')).toBeVisible();
    await translate(page, way);
    await page.keyboard.press('Escape');
    await expect(page.locator('#reject-dialog:modal')).toHaveCount(0);
    await goesOn(page);
    expect(errors).toEqual([]);
  });
}
