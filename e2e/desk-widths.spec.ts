import { addressesOf, deskPages } from './desk-addresses.ts';
import { seedDesk } from './desk-seed.ts';
import { expect, test } from './lale.ts';
import { findOverlaps } from './overlaps.ts';

/** From the narrowest telephone to a large screen; `npm run test:pages` takes eight times as many, and Turkish. */
const [NARROWEST, WIDEST] = [320, 1920];
const STEP = process.env.ALL_PAGES ? 20 : 160;
/** On both sides of each change of layout, and where queue and application once lay on each other. */
const TURNS = [389, 390, 850, 899, 900, 1062, 1063, 1099, 1100, 1599, 1600];

const widths = [
  ...Array.from({ length: (WIDEST - NARROWEST) / STEP + 1 }, (_, step) => NARROWEST + step * STEP),
  ...TURNS,
].toSorted((one, other) => one - other);

for (const language of process.env.ALL_PAGES ? ['en', 'tr'] : ['en']) {
  test(`at no width from 320 to 1920 px anything of the desk in ${language} lies on something else`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.slow();
    // Another journey takes what is most urgent.
    const cases = await seedDesk({ daysLater: 30 });
    const [name = '', value = ''] = cases.staff.administrator.cookie.split('=');
    await context.addCookies([{ name, value, url: baseURL ?? '' }]);
    const found: Record<string, number[]> = {};
    for (const address of deskPages().flatMap((pattern) => addressesOf(pattern, cases))) {
      await page.setViewportSize({ width: WIDEST, height: 900 });
      await page.goto(`/${language}${address}`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        for (const overlap of await findOverlaps(page))
          (found[`${address}: ${overlap}`] ??= []).push(width);
      }
    }
    expect(found).toEqual({});
  });
}
