import { chooseNationality } from './apply.ts';
import { expect, expectAccessible, fillDate, test } from './lale.ts';

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
