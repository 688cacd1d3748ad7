import { next, walkToArrival } from './apply.ts';
import { day, expect, fillDate, test } from './lale.ts';

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

  await speed('express').check();
  await expect(notes).toContainText('You chose Express, so we have not changed it.');
  await expect(notes).toContainText('Standard also fits your arrival date and costs $150.00 less.');
  await fillDate(page, 'arrivalDate', day(70));
  await expect(speed('express')).toBeChecked();
  await next(page);
  await page.waitForURL('**/application/details');
  await page.goBack();
  await expect(speed('express')).toBeChecked();
  await expect(notes).toContainText('You chose Express');
});
