import { chooseNationality, fillDetails, southAfrican, choose, next } from './apply.ts';
import { adult, fillInsured, fillTrip } from './insure.ts';
import { day, expect, fillDate, test, type Page, expectAccessible } from './lale.ts';

test('choosing a language is kept, on the page and for the next visit', async ({
  page,
  context,
}) => {
  await page.goto('/status');
  await page.getByRole('button', { name: /Language/ }).click();
  await page.locator('.language-menu [lang="de"]').click();
  await page.waitForURL('**/de/status');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(await page.evaluate(() => localStorage.getItem('preferred-language'))).toBe('de');
  const cookies = await context.cookies();
  expect(cookies.find(({ name }) => name === 'preferred-language')?.value).toBe('de');
  await page.goto('/status');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  // Clears the cookie but not the browser's storage, which still has the visitor's choice.
  for (const path of ['/', '/status']) {
    await context.clearCookies();
    await page.goto(path);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  }
});

test('a language that another tab makes known while the page is on its way is the page’s @nightly', async ({
  page,
  context,
}) => {
  await page.addInitScript(() => localStorage.setItem('preferred-language', 'de'));
  let answers = 0;
  await page.route('**/status', async (route) => {
    answers += 1;
    const response = await route.fetch();
    const url = route.request().url();
    await context.addCookies([{ name: 'preferred-language', value: 'de', url }]);
    await route.fulfill({ response });
  });
  await page.goto('/status');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(answers).toBe(2);
});

/** The values of the page's form, by control. */
const typedOn = (page: Page) =>
  page.locator('#answers').evaluate((form) => {
    if (!(form instanceof HTMLFormElement)) throw new Error('No form');
    const own = ['version', 'page', 'turn', 'key', 'noticed', 'planShown', 'saveEmail'];
    return Object.fromEntries(
      [...new FormData(form)].filter(
        ([name, value]) => typeof value === 'string' && !own.includes(name),
      ),
    );
  });

async function switchTo(page: Page, language: string) {
  await page.locator('.language-button').click();
  await page.locator(`.language-menu [lang="${language}"]`).click();
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test(`switching the language in the wizard keeps the page and what was typed${javaScriptEnabled ? '' : ' @nightly'}`, async ({
      page,
    }) => {
      const traveller = southAfrican();
      await page.goto('/en/application');
      await chooseNationality(page, traveller.countryId);
      await page.locator('input[name="party"][value="group"]').check();
      await switchTo(page, 'fr');
      const first = { countryId: 'ZAF', documentType: 'ordinary' };
      expect(await typedOn(page)).toEqual({ ...first, party: 'group' });
      await page.locator('input[name="party"][value="me"]').check();
      await next(page);
      await choose(page, 'purpose', 'trade');
      await switchTo(page, 'tr');
      expect(await typedOn(page)).toEqual({ purpose: 'trade' });
      await next(page);
      await fillDate(page, 'arrivalDate', day(60));
      await page.locator('input[name="processingType"][value="express"]').check();
      await switchTo(page, 'es');
      expect(new URL(page.url()).pathname).toBe('/es/application/arrival');
      expect(await typedOn(page)).toMatchObject({ processingType: 'express' });
      await next(page);
      await page.waitForURL('**/application/details');
      await fillDetails(page, traveller);
      const typed = await typedOn(page);
      await switchTo(page, 'ar');
      expect(new URL(page.url()).pathname).toBe('/ar/application/details');
      expect(await typedOn(page)).toEqual(typed);
      // The next page is in the chosen language, too.
      await next(page);
      await page.waitForURL('**/ar/application/review');
    });

    test('switching the language in the insurance form keeps what was typed @nightly', async ({
      page,
    }) => {
      await page.goto('/en/insurance');
      await fillTrip(page);
      await fillInsured(page, { ...adult(), email: 'not finished' });
      // Without scripts the server adds the country of a phone number.
      const { productId: _plan, phoneCountry: _code, ...typed } = await typedOn(page);
      await switchTo(page, 'de');
      expect(new URL(page.url()).pathname).toBe('/de/insurance');
      expect(await typedOn(page)).toMatchObject(typed);
    });

    test('switching the language keeps what was typed on the home card, asked or not @nightly', async ({
      page,
    }) => {
      await page.goto('/en');
      await switchTo(page, 'es');
      // Nothing was typed, so the address has no query.
      expect(new URL(page.url()).search).toBe('');
      await chooseNationality(page, 'MEX', 'special');
      await fillDate(page, 'arrivalDate', { day: '31', month: 'enero', year: '20' });
      await switchTo(page, 'ar');
      expect(await typedOn(page)).toEqual({
        countryId: 'MEX',
        documentType: 'special',
        'arrivalDate-day': '31',
        'arrivalDate-month': 'enero',
        'arrivalDate-year': '20',
      });
      await expect(
        page.locator('[data-check] .field-error, [data-check] .check-answer'),
      ).toHaveCount(0);
      // Enter submits the question, although the language buttons belong to the form as well.
      await page.locator('[name="arrivalDate-year"]').press('Enter');
      await expect(page.locator('[data-check] .field-error')).toHaveCount(1);
      await switchTo(page, 'de');
      await expect(page.locator('[data-check] .field-error')).toHaveCount(1);
      await expect(page.locator('[name="arrivalDate-month"]')).toHaveValue('enero');
    });

    test('switching the language keeps what was typed in the status search @nightly', async ({
      page,
    }) => {
      await page.goto('/en/status');
      await page.locator('input[name="kind"][value="insurance"]').check({ force: true });
      await page.locator('[name="ref"]').fill('TRI 12');
      await switchTo(page, 'fr');
      expect(new URL(page.url()).pathname).toBe('/fr/status');
      expect(await typedOn(page)).toEqual({ kind: 'insurance', ref: 'TRI 12' });
      await expect(page.locator('.error-summary')).toHaveCount(0);
      await page.locator('[name="ref"]').press('Enter');
      await expect(page.locator('.error-summary')).toBeVisible();
      await page.locator('[name="ref"]').fill('TRI 12345');
      await switchTo(page, 'ar');
      await expect(page.locator('.error-summary')).toBeVisible();
      expect(await typedOn(page)).toEqual({ kind: 'insurance', ref: 'TRI 12345' });
    });
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test('the home page says whether one needs a visa, on the page itself @nightly', async ({
      page,
    }) => {
      await page.goto('/en');
      const documents: string[] = [];
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents.push(request.url());
      });
      const card = page.locator('[data-check]');
      await card.getByRole('button').click();
      await expect(card.locator('.field-error').first()).toBeVisible();
      await chooseNationality(page, 'MEX');
      await fillDate(page, 'arrivalDate', { day: '12', month: 'January', year: '2028' });
      await card.getByRole('button').click();
      await expect(card.getByRole('region', { name: 'E-visa available' })).toBeVisible();
      await expect(page.locator('select[name="countryId"]')).toHaveValue('MEX');
      expect(new URL(page.url()).searchParams.get('countryId')).toBe('MEX');
      expect(documents.length).toBe(javaScriptEnabled ? 0 : 2);
      if (javaScriptEnabled) {
        await expect(card.getByRole('region')).toBeFocused();
        await expectAccessible(page);
      }
      // The question is kept in another language.
      await page.locator('.language-button').click();
      await page.locator('.language-menu [lang="fr"]').click();
      await expect(
        page.locator('[data-check]').getByRole('region', { name: 'E-visa disponible' }),
      ).toBeVisible();
      await page.locator('[data-check] a').click();
      await page.waitForURL('**/fr/application?**');
      await expect(page.locator('select[name="countryId"]')).toHaveValue('MEX');
    });
  });
}
