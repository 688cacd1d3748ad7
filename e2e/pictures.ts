import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from './lale.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'screens');

/** The part of a page in the picture, in CSS pixels: more on a phone, where most people read it. */
const sizes = [
  { width: 390, height: 1300 },
  { width: 1000, height: 800 },
  { width: 1280, height: 800 },
];

/** The widths at which every page is taken. */
const PHONE_AND_DESK = [390, 1280];

/** The width of states, which differ from their page in little, and of pages of text in Arabic. */
export const PHONE = [390];

/**
 * Takes a picture of a page at some widths into `docs/screens`, from its top or from the element that `from` selects.
 * Few colours and a limited height, so that all pictures together stay below 8 MB (`test/screens.test.ts`).
 */
export async function take(
  page: Page,
  name: string,
  {
    language = 'en',
    from,
    widths = PHONE_AND_DESK,
  }: { language?: string; from?: string; widths?: readonly number[] } = {},
): Promise<void> {
  for (const { width, height } of sizes.filter((size) => widths.includes(size.width))) {
    await page.setViewportSize({ width, height: 900 });
    // Pictures further down are loaded when scrolled to.
    await page.evaluate(() => {
      for (const image of document.images) image.loading = 'eager';
    });
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await page.evaluate(() => document.fonts.ready);
    const y = await page.evaluate(
      (selector) =>
        selector === undefined
          ? 0
          : Math.max(
              0,
              (document.querySelector(selector)?.getBoundingClientRect().top ?? 0) +
                window.scrollY -
                16,
            ),
      from,
    );
    const whole = await page.evaluate(() => document.documentElement.scrollHeight);
    const clip = { x: 0, y, width, height: Math.min(height, whole - y) };
    const shot = await page.screenshot({ fullPage: true, clip });
    const few = await sharp(shot).png({ palette: true, colours: 16, dither: 0 }).toBuffer();
    await sharp(few)
      // Quality and effort: of the search for the smallest file; no colour changes.
      .webp({ lossless: true, quality: 100, effort: 6 })
      .toFile(join(folder, `${name}-${width}-${language}.webp`));
  }
}
