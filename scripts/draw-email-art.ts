/**
 * Draws the pictures of emails as PNG, as mail programs do not show SVG. Run after changing the drawings: `node
 * scripts/draw-email-art.ts`; the results are committed.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

const root = join(import.meta.dirname, '..');
const target = join(root, 'public', 'email');
/** Twice the size of 600 x 150 px at which it is shown, for dense screens. */
const STRIP = { width: 1200, height: 300 };
/** The part of the drawing (1600 wide) from above the minarets to below the ferry. */
const STRIP_TOP = 583;
const DRAWING_WIDTH = 1600;
const MARK_SCALE = 3;

const petals =
  'M4.3 4.7C2.7 10.2 2.800 15.600 3.300 20c.8 7.400 4.500 12.600 9 12.700-.4-4.200-.8-9-1.500-13.700-.9-5.600-3-10.200-6.500-14.300M20.700 4.700c1.600 5.500 1.500 10.900 1 15.300-.8 7.400-4.500 12.600-9 12.700.4-4.200.8-9 1.500-13.700.9-5.600 3-10.200 6.500-14.300';
const heart =
  'M12.500 1.200c1.500 4.600 2.200 9 2.200 13.200 0 4.600-.9 9-2.200 13.400-1.300-4.400-2.200-8.800-2.200-13.400 0-4.200.7-8.600 2.200-13.200';

mkdirSync(target, { recursive: true });

const drawing = readFileSync(join(root, 'src', 'ui', 'art', 'bosphorus.svg'));
const scale = STRIP.width / DRAWING_WIDTH;
await sharp(drawing, { density: 72 * scale * 2 })
  .resize({ width: STRIP.width })
  .extract({ left: 0, top: Math.round(STRIP_TOP * scale), ...STRIP })
  .png({ palette: true, colours: 64, compressionLevel: 9, effort: 10 })
  .toFile(join(target, 'bosphorus.png'));

for (const [name, colour] of [
  ['mark', '#0b2a3c'],
  ['mark-light', '#fff8ec'],
]) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${25 * MARK_SCALE}" height="${34 * MARK_SCALE}" viewBox="0 0 25 34"><path fill="${colour}" d="${petals}"/><path fill="#c9493b" d="${heart}"/></svg>`;
  await sharp(Buffer.from(svg))
    .png({ palette: true, compressionLevel: 9 })
    .toFile(join(target, `${name}.png`));
}
