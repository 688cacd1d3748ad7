import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from './lale.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'screens');
const widths = [390, 1280];

/** Takes a picture of the whole page at both widths into `docs/screens`. */
export async function take(page: Page, name: string, language: string): Promise<void> {
  // A picture of the whole page shows what a reader would only reach by scrolling.
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
  });
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.evaluate(() => document.fonts.ready);
    // Flat art and text need few colours: a third of the bytes.
    await sharp(await page.screenshot({ fullPage: true }))
      .png({ palette: true, quality: 95, effort: 7 })
      .toFile(join(folder, `${name}-${width}-${language}.png`));
  }
}
