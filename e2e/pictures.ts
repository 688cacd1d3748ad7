import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from './lale.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'screens');

/** The part of a page in the picture, in CSS pixels: more on a phone, where most people read it. */
const sizes = [
  { width: 390, height: 1300 },
  { width: 1280, height: 800 },
];

/**
 * Takes a picture of a page at both widths into `docs/screens`, from its top or from the element that `from` selects.
 * Few colours and a limited height, so that all pictures together stay below 8 MB (`test/screens.test.ts`).
 */
export async function take(
  page: Page,
  name: string,
  { language = 'en', from }: { language?: string; from?: string } = {},
): Promise<void> {
  for (const { width, height } of sizes) {
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
    const few = await sharp(shot).png({ palette: true, colours: 32, dither: 0 }).toBuffer();
    await sharp(few)
      .webp({ lossless: true })
      .toFile(join(folder, `${name}-${width}-${language}.webp`));
  }
}
