import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { payByCard } from './apply.ts';
import {
  adult,
  child,
  fillInsured,
  fillTrip,
  insuranceNumber,
  photo,
  pressNext,
  pressPay,
} from './insure.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  fillDate,
  test,
  type Page,
} from './lale.ts';

async function awaitStatus(page: Page, number: string, status: string): Promise<void> {
  await expect(async () => {
    await page.goto(`/status?ref=${number}`);
    await expect(page.getByTestId('status')).toHaveText(status, { timeout: 500 });
  }).toPass({ timeout: 30_000 });
}

test('an adult: quoted, paid by card, certified, downloaded and checked', async ({ page }) => {
  const insured = adult();
  await page.goto('/insurance');
  await expectAccessible(page);
  await fillTrip(page);
  await expect(page.locator('[name="productId"]:checked')).toHaveValue('14-days');
  await expect(page.locator('[name="productId"][value="7-days"]')).toBeDisabled();
  await fillInsured(page, insured);
  await expect(page.locator('[name="parentIdPhotos"]')).toBeHidden();
  await expectNoSidewaysScroll(page);
  await pressNext(page);
  await page.waitForURL('**/insurance/review');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Pay $149.00 by card' }).click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  const number = await insuranceNumber(page);

  await awaitStatus(page, number, 'Approved');
  await awaitMail(insured.email, /insurance/i);
  await page
    .getByRole('button', { name: 'Download certificate' })
    .or(page.getByText('Download certificate'))
    .first()
    .click();
  await page.locator('input[name$="-day"]').fill('14');
  await page.locator('input[name$="-month"]').fill('7');
  await page.locator('input[name$="-year"]').fill('1991');
  const download = page.waitForEvent('download');
  await page.locator('main form:has([name$="-day"]) button').first().click();
  expect((await download).suggestedFilename()).toBe(`insurance-${number}.pdf`);
});

test('a photo as a phone takes it is made smaller and upright, and a refused one does not stay', async ({
  page,
}) => {
  await page.goto('/insurance');
  await fillTrip(page);
  await fillInsured(page, child());
  const chooser = page.locator('[name="parentIdPhotos"]');
  const raw = { width: 3000, height: 2000, channels: 3 } as const;
  const noise = randomBytes(raw.width * raw.height * raw.channels);
  // Lies on its side: the camera says which way is up.
  const large = sharp(noise, { raw }).jpeg({ quality: 100 }).withMetadata({ orientation: 6 });
  const buffer = await large.toBuffer();
  expect(buffer.length).toBeGreaterThan(5 * 1024 * 1024);
  await chooser.setInputFiles([{ name: 'phone.jpg', mimeType: 'image/jpeg', buffer }]);
  const picture = page.getByRole('img', { name: 'Preview of phone.jpg' });
  await expect(picture).toBeVisible();
  // Its size is known once the browser has read it.
  const size = await picture.evaluate(async (one: HTMLImageElement) => {
    await one.decode();
    return [one.naturalWidth, one.naturalHeight];
  });
  expect(size[0]).toBeLessThan(size[1] ?? 0);
  const broken = Buffer.alloc(6 * 1024 * 1024, 1);
  await chooser.setInputFiles([{ name: 'broken.jpg', mimeType: 'image/jpeg', buffer: broken }]);
  await expect(page.locator('#parentIdPhotos-error')).toContainText('broken.jpg is too large');
  await expect(chooser).toHaveValue('');
  await pressNext(page);
  await page.waitForURL('**/insurance/review');
});

test('dates that are changed take the price down again, and what is typed outlives a reload @nightly', async ({
  page,
}) => {
  await page.clock.install();
  await page.goto('/insurance');
  await fillDate(page, 'travelDate', { day: '22', month: '11', year: '2030' });
  await fillDate(page, 'returnDate', { day: '2', month: '12', year: '2030' });
  const chosen = page.locator('[name="productId"]:checked');
  await expect(chosen).toHaveValue('14-days');
  // A visitor who hears the first price is told about later ones, too.
  await page.clock.fastForward(1000);
  await page.locator('[name="returnDate-day"]').fill('28');
  await expect(chosen).toHaveValue('60-days');
  await expect(page.getByText('$249.00, instead of $149.00')).toBeVisible();
  await page.locator('[name="returnDate-month"]').fill('11');
  await expect(chosen).toHaveValue('7-days');
  await expect(page.getByText('$114.00, instead of $249.00')).toBeVisible();
  await page.locator('[name="lastName"]').fill('Hernández');
  await page.waitForResponse('**/insurance/keep');
  await page.goto('/terms');
  await page.goto('/insurance');
  await expect(page.locator('[name="lastName"]')).toHaveValue('Hernández');
  await expect(chosen).toHaveValue('7-days');
});

test('a file that is no photo keeps the page and all that was typed @nightly', async ({ page }) => {
  // The first answers are still being saved when photos are chosen: both have to be in one draft.
  const { promise: chosen, resolve: choose } = Promise.withResolvers<void>();
  await page.route('**/insurance/keep', async (route) => {
    const response = await route.fetch();
    await chosen;
    await route.fulfill({ response });
  });
  const uploads: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname !== '/insurance/keep') uploads.push(pathname);
  });
  const saving = page.waitForRequest('**/insurance/keep');
  await page.goto('/insurance');
  await fillTrip(page);
  const insured = child();
  await fillInsured(page, insured);
  const files = [
    await photo('mother.jpg', '#8ab'),
    { name: 'id.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('%PDF-1.7 renamed') },
  ];
  await saving;
  await page.locator('[name="parentIdPhotos"]').setInputFiles(files);
  await expect(page.locator('[name="parentIdPhotos"]')).toBeAttached();
  expect(uploads).toEqual([]);
  choose();
  await expect(page.locator('#parentIdPhotos-error')).toContainText(
    'id.jpg is the wrong type of file',
  );
  await expect(page.getByRole('img', { name: 'Preview of mother.jpg' })).toBeVisible();
  await expect(page.locator('[name="passportNumber"]')).toHaveValue(insured.passportNumber);
  await expectNoSidewaysScroll(page);
  await page.reload();
  await expect(page.getByText('mother.jpg').first()).toBeVisible();
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('plans for the dates, a photo kept over an error, a number and the payment', async ({
    page,
  }) => {
    await page.goto('/insurance');
    await fillTrip(page);
    await page.locator('button[value="quote"]').click();
    await expect(page.locator('[name="productId"]:checked')).toHaveValue('14-days');
    await fillInsured(page, { ...child(), email: '' });
    await page
      .locator('[name="parentIdPhotos"]')
      .setInputFiles([await photo('mother.jpg', '#8ab')]);
    await pressNext(page);
    await expect(page).toHaveTitle(/^Error: /);
    await expect(page.getByText('mother.jpg').first()).toBeVisible();
    await page.locator('[name="email"]').fill(child().email);
    await pressPay(page);
    await page.waitForURL('**/insurance/payment?ref=TRI*');
    await insuranceNumber(page);
    await page.getByRole('button', { name: 'Pay $149.00 by card' }).click();
    await page.locator('main form button').click();
    await payByCard(page);
    await page.waitForURL('**/payment-success**');
  });
});
