import { informationPages } from '../src/features/site/pages.ts';
import { indian, payByCard, southAfrican, walkOn, walkToReview } from './apply.ts';
import { test } from './lale.ts';
import { PHONE, take } from './pictures.ts';

/** Pages of text, and where insurance begins. */
const texts: readonly string[] = ['insurance', ...informationPages, 'insurance/terms'];
const others = ['download', 'not-found', 'test-mode', 'status/lost-number'];
/** In English only, as the lab is for engineers. */
const lab = ['payment-troubleshoot', 'payment-mock', 'paypal-test', 'direct-card'];

/** The pictures in docs/screens: `SCREENS=1 npm test -- --only e2e`. Not part of `npm test`. */
for (const language of ['en', 'ar']) {
  test(`@screens of an application in ${language}`, async ({ page }) => {
    const prefix = `/${language}`;
    await page.goto(prefix);
    await take(page, 'home', { language });
    for (const name of [...texts, ...others, ...(language === 'en' ? lab : [])]) {
      await page.goto(`${prefix}/${name}`);
      const widths = language === 'en' && texts.includes(name) ? undefined : PHONE;
      await take(page, name.replace('/', '-'), { language, widths });
    }
    await walkToReview(page, southAfrican(), {
      prefix,
      onScreen: (name) => take(page, name, { language }),
    });
    await page.locator('main form button[type="submit"]:not([name="provider"])').last().click();
    await page.waitForURL('**/mock-gpay-payment**');
    await take(page, 'gateway', { language });
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
    await take(page, 'success', { language });
    const number = await page.getByTestId('application-number').first().textContent();
    await page.goto(`${prefix}/status?ref=${encodeURIComponent(number ?? '')}`);
    await take(page, 'status', { language });
  });

  test(`@screens of a payment that did not happen in ${language}`, async ({ page }) => {
    await walkToReview(page, southAfrican(), { prefix: `/${language}` });
    await page.locator('main form button[type="submit"]:not([name="provider"])').last().click();
    await payByCard(page, '4000 0000 0000 0002');
    await page.waitForURL('**/payment-cancel**');
    await take(page, 'declined', { language });
    await page.locator('main form:has([name="provider"][value="paypal"]) button').click();
    await page.waitForURL('**/lab/paypal/checkoutnow**');
    await take(page, 'paypal', { language });
    await page.locator('button[value="cancel"]').click();
    await page.waitForURL('**/payment-cancel**');
    await take(page, 'cancelled', { language });
  });

  test(`@screens of a group in ${language}`, async ({ page }) => {
    await page.goto(`/${language}/application`);
    await page.locator('input[name="party"][value="group"]').check();
    await walkOn(page, southAfrican());
    await page.locator('button[value="confirm"]').click();
    await page.waitForURL('**/application/travellers');
    await page.locator('button[value="add"]').click();
    await page.waitForURL('**/application?traveller=2');
    await walkOn(page, indian());
    await page.locator('button[value="confirm"]').click();
    await page.waitForURL('**/application/travellers');
    await take(page, 'travellers', { language });
    await page.locator('button[value="pay"]').click();
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
    const shown = (await page.locator('main').textContent())?.replaceAll(/\s/g, '') ?? '';
    const [number] = /TRG[0-9A-Z]{13}/.exec(shown) ?? [];
    await page.goto(`/${language}/status?ref=${number}`);
    await take(page, 'group-status', { language, from: 'main h2' });
  });

  test(`@screens with a supporting document in ${language}`, async ({ page }) => {
    await walkToReview(page, indian(), {
      prefix: `/${language}`,
      onScreen: async (name) => {
        if (name === 'supporting-document' || name === 'prerequisites')
          await take(page, name, { language });
      },
    });
  });
}
