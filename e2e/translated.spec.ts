import { chooseNationality, next, fillSupportingVisa } from './apply.ts';
import { fillTrip } from './insure.ts';
import { day, expect, fillDate, scriptsRun, test, type Page } from './lale.ts';

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

for (const way of ways) {
  test(`a form whose texts a translation has ${way} goes on`, async ({ page }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
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

  test(`an insurance whose texts a translation has ${way} follows its dates`, async ({ page }) => {
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
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
