/**
 * Draws the picture of shared links, one per language. Run after changing its texts (`site:sharing`) or the drawing:
 * `node scripts/draw-sharing-pictures.ts`; the results are committed. Uses a browser, which shapes Arabic.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { findWholeChromium } from '../e2e/chromium.ts';
import { languages } from '../src/base/languages.ts';

const root = join(import.meta.dirname, '..');
const target = join(root, 'public', 'sharing');
const SIZE = { width: 1200, height: 630 };

const inline = (type: string, ...path: string[]) =>
  `data:${type};base64,${readFileSync(join(root, ...path)).toString('base64')}`;
const font = (name: string, weight: string, ...path: string[]) =>
  `@font-face{font-family:'${name}';font-weight:${weight};src:url(${inline('font/woff2', 'node_modules', ...path)})}`;

const fonts = [
  ...['latin', 'latin-ext'].flatMap((subset) => [
    font(
      `Fraunces ${subset}`,
      '100 900',
      `@fontsource-variable/fraunces/files/fraunces-${subset}-opsz-normal.woff2`,
    ),
    font(
      `Inter ${subset}`,
      '100 900',
      `@fontsource-variable/inter/files/inter-${subset}-wght-normal.woff2`,
    ),
  ]),
  ...[400, 600].map((weight) =>
    font(
      'Plex Arabic',
      String(weight),
      `@fontsource/ibm-plex-sans-arabic/files/ibm-plex-sans-arabic-arabic-${weight}-normal.woff2`,
    ),
  ),
].join('');

const style = `${fonts}
*{margin:0;box-sizing:border-box}
body{position:relative;inline-size:1200px;block-size:630px;overflow:hidden;background:#0b2a3c;color:#fff8ec}
.art{position:absolute;inset-block-end:0;inset-inline:0;inline-size:1200px;block-size:750px}
[dir=rtl] .art{transform:scaleX(-1)}
.words{position:absolute;inset-block-start:44px;inset-inline:72px}
.name{display:flex;align-items:center;gap:18px;direction:ltr;font:600 46px/56px 'Fraunces latin','Fraunces latin-ext'}
[dir=rtl] .name{justify-content:flex-end}
h1{max-inline-size:900px;margin-block-start:24px;font:600 60px/66px 'Fraunces latin','Fraunces latin-ext';letter-spacing:-.018em;text-wrap:balance}
p{margin-block-start:12px;font:500 26px/36px 'Inter latin','Inter latin-ext'}
[dir=rtl] h1{font:600 54px/78px 'Plex Arabic';letter-spacing:0}
[dir=rtl] p{font:400 28px/44px 'Plex Arabic'}`;

const mark = inline('image/png', 'public', 'email', 'mark-light.png');
const art = inline('image/svg+xml', 'src', 'ui', 'art', 'bosphorus.svg');

mkdirSync(target, { recursive: true });
const browser = await chromium.launch({
  executablePath: findWholeChromium(),
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ viewport: SIZE });
for (const { code, direction } of languages) {
  const { sharing } = JSON.parse(
    readFileSync(join(root, 'locales', code, 'site.json'), 'utf8'),
  ) as { sharing: { title: string; line: string } };
  await page.setContent(
    `<html lang="${code}" dir="${direction}"><style>${style}</style><body><img class="art" src="${art}"><div class="words"><div class="name"><img src="${mark}" width="38" height="51">Lale</div><h1>${sharing.title}</h1><p>${sharing.line}</p></div></body></html>`,
  );
  await page.evaluate(() => document.fonts.ready);
  await sharp(await page.screenshot())
    .png({ palette: true, colours: 128, compressionLevel: 9, effort: 10 })
    .toFile(join(target, `${code}.png`));
}
await browser.close();
