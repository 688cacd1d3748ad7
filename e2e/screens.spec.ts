import { join } from 'node:path';
import sharp from 'sharp';
import { payByCard, southAfrican, walkToReview } from './apply.ts';
import { seedDesk } from './desk-seed.ts';
import { addSession, test, type Page } from './lale.ts';

/** The pictures in docs/screens, taken anew by `SCREENS=1 npm test -- --only e2e`. Not part of `npm test`. */

/** The part of a page in the picture, in CSS pixels: more on a phone, where most people read it. */
const sizes = { phone: { width: 390, height: 1300 }, desk: { width: 1280, height: 800 } };

/** Few colours, so that a clone of the repository stays small. */
async function take(page: Page, name: string, size: keyof typeof sizes, language = 'en') {
  const { width, height } = sizes[size];
  await page.setViewportSize({ width, height: 900 });
  // Pictures further down are loaded when scrolled to.
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
  });
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  await page.evaluate(() => document.fonts.ready);
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width, height: Math.min(height, whole) };
  const shot = await page.screenshot({ fullPage: true, clip });
  const few = await sharp(shot).png({ palette: true, colours: 16, dither: 0 }).toBuffer();
  await sharp(few)
    // Quality and effort: of the search for the smallest file; no colour changes.
    .webp({ lossless: true, quality: 100, effort: 6 })
    .toFile(join(import.meta.dirname, '..', 'docs/screens', `${name}-${width}-${language}.webp`));
}

test('@screens of a purchase', async ({ page }) => {
  await page.goto('/en');
  await take(page, 'home', 'desk');
  await page.goto('/en/insurance');
  await take(page, 'insurance', 'desk');
  await walkToReview(page, southAfrican(), {
    prefix: '/en',
    async onScreen(name) {
      if (name === 'arrival') await take(page, name, 'desk');
      if (name === 'review') await take(page, name, 'phone');
    },
  });
  await page.locator('main form button[type="submit"]:not([name="provider"])').last().click();
  await payByCard(page);
  await page.waitForURL('**/payment-success**');
  await take(page, 'success', 'desk');
  const number = await page.getByTestId('application-number').first().textContent();
  await page.goto(`/en/status?ref=${encodeURIComponent(number ?? '')}`);
  await take(page, 'status', 'phone');
  await take(page, 'status', 'desk');
});

test('@screens in Arabic', async ({ page }) => {
  await page.goto('/ar');
  await take(page, 'home', 'phone', 'ar');
  await walkToReview(page, southAfrican(), {
    prefix: '/ar',
    async onScreen(name) {
      if (name === 'arrival') await take(page, name, 'desk', 'ar');
    },
  });
});

test('@screens of the desk', async ({ page, context, baseURL }) => {
  const { staff, numbers, decision } = await seedDesk();
  await addSession(context, staff.administrator.cookie, baseURL);
  for (const [name, path] of Object.entries({
    queue: '',
    application: `/applications/${numbers.pending.number}`,
    decision: `/applications/${decision}`,
  })) {
    await page.goto(`/en/admin${path}`);
    await take(page, `desk-${name}`, 'desk');
  }
});
