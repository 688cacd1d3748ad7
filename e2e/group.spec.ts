import { indian, next, payByCard, southAfrican, continueWizard, type Traveller } from './apply.ts';
import { photo } from './insure.ts';
import {
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  newEmail,
  scriptsRun,
  test,
  type Page,
} from './lale.ts';
import { recordLiveRegions } from './live-regions.ts';

/** A traveller whose nationality gets an e-visa under the same terms as South Africa's. */
const from = (countryId: string, firstName: string, passportNumber: string): Traveller => ({
  ...southAfrican(),
  countryId,
  firstName,
  passportNumber,
  email: newEmail(firstName.toLowerCase()),
});

const toTravellers = async (page: Page) => {
  await page.locator('button[value="confirm"]').click();
  await page.waitForURL('**/application/travellers');
};

async function addTraveller(page: Page, traveller: Traveller) {
  await page.locator('button[value="add"]').click();
  await page.waitForURL('**/application?traveller=*');
  await continueWizard(page, traveller);
  await toTravellers(page);
}

test('two travellers, one of them insured, pay once, without a third who needs no visa', async ({
  page,
}) => {
  const live = await recordLiveRegions(page);
  await page.goto('/application');
  await page.locator('input[name="party"][value="group"]').check();
  await continueWizard(page, southAfrican());
  await toTravellers(page);
  await addTraveller(page, indian());
  // Whose form it is.
  expect(live.heard('title')).toContain('title: Your details · Traveller 2 of 2 · Lale');

  await page.locator('button[value="add"]').click();
  await page.waitForURL('**/application?traveller=3');
  await scriptsRun(page);
  await page.locator('select[name="countryId"]').selectOption('DEU');
  await expect(page.getByRole('button', { name: 'Continue without this traveller' })).toBeVisible();
  await next(page);
  await page.waitForURL('**/application/travellers?without=DEU**');
  await expect(page.getByText('Germany: we’ve left this traveller out')).toBeVisible();

  await expect(page.getByText('Ready to submit')).toHaveCount(2);
  await page.locator('select[name="insurance-1"]').selectOption('7-days');
  await expect(page.getByTestId('total')).toHaveText('$392.00');
  await expect
    .poll(() => live.heard('polite').filter((line) => line.includes('Total')))
    .toEqual([expect.stringMatching(/^polite: Thabo.*: 7 days added\. Total \$392\.00\.$/)]);
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Submit and pay $392.00' }).click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  for (const name of ['Thabo', 'Meera']) await expect(page.getByText(name).first()).toBeVisible();
});

test('a party that is refused is told so at the top, and the choice of a photo mends it @nightly', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/application');
  await page.locator('input[name="party"][value="group"]').check();
  await continueWizard(page, { ...from('ZAF', 'Lerato', 'A7654322'), born: '2015' });
  await toTravellers(page);
  await scriptsRun(page);
  await page.locator('select[name="insurance-1"]').selectOption('7-days');
  await page.locator('button[value="pay"]').click();
  const summary = page.locator('.error-summary');
  await expect(summary).toBeFocused();
  await expect(summary).toBeInViewport();
  await expect(page).toHaveTitle(/^Error: /);
  await summary.getByRole('link').click();
  await expect(page.locator('#parentIdPhotos')).toBeFocused();
  await page.locator('#parentIdPhotos').setInputFiles([await photo('mother.jpg', '#8ab')]);
  await expect(summary).toHaveCount(0);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('a parent’s photo stays where another file is refused, and is sent no second time @nightly', async ({
    page,
  }) => {
    await page.goto('/application');
    await page.locator('input[name="party"][value="group"]').check();
    await continueWizard(page, southAfrican());
    await toTravellers(page);
    await addTraveller(page, { ...from('ZAF', 'Lerato', 'A7654321'), born: '2015' });
    await page.locator('select[name="insurance-2"]').selectOption('7-days');
    const text = { name: 'notes.txt', mimeType: 'image/jpeg', buffer: Buffer.from('Not a photo') };
    await page
      .locator('[name="parentIdPhotos"]')
      .setInputFiles([await photo('mother.jpg', '#8ab'), text]);
    await page.getByRole('button', { name: 'Update the total' }).click();
    await expect(page.locator('#parentIdPhotos-error')).toContainText('notes.txt');
    await expect(page.getByText('mother.jpg').first()).toBeVisible();
    await expect(page.locator('select[name="insurance-2"]')).toHaveValue('7-days');
    await page.setViewportSize({ width: 320, height: 640 });
    await expectNoSidewaysScroll(page);
    await page.locator('button[value="pay"]').click();
    await page.locator('main form button').first().click();
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
  });
});
