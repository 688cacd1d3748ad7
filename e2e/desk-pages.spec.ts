import { unfilled } from '../test/page-checks.ts';
import { deskAddresses, deskPages } from './desk-addresses.ts';
import { seedDesk } from './desk-seed.ts';
import {
  addSession,
  expect,
  findBarriers,
  inTextSize,
  isThorough,
  sidewaysScroll,
  test,
} from './lale.ts';
import { findOverlaps } from './overlaps.ts';

/**
 * Every page of the desk, checked for accessibility, missing texts, overflow and overlaps. Here each page is looked at in one
 * of the desk's languages, the next one in the other: in English by axe on a large screen, in Turkish on a phone, every
 * fourth one again for contrast in the dark. Texts are looked for in both. `THOROUGH=1 npm test -- --only e2e pages` checks everything in both.
 */
const languages = [
  { language: 'en', barriersAt: isThorough ? [390, 1280] : [1280] },
  { language: 'tr', barriersAt: isThorough ? [390, 1280] : [390] },
] as const;

/** From the narrowest phone, or 1280 px at 400 %, to a large screen. */
const [NARROWEST, WIDEST] = [320, 1920];
const every20 = Array.from(
  { length: (WIDEST - NARROWEST) / 20 - 1 },
  (_, step) => NARROWEST + 20 * (step + 1),
);
/** On both sides of each change of layout, and where queue and application once overlapped. */
const TURNS = [389, 390, 850, 899, 900, 1062, 1063, 1099, 1100, 1599, 1600];

/**
 * Both ends; of the turns each page has one here, of the widths between one, the next page others, so that each width
 * is somebody's. `THOROUGH=1 npm test -- --only e2e pages` looks at every page at all of them.
 */
const widthsOf = (index: number): number[] => {
  const isHere = (step: number, of: number) => isThorough || step % of === index % of;
  return [
    NARROWEST,
    ...TURNS.filter((_, step) => isHere(step, TURNS.length)),
    ...every20.filter((_, step) => isHere(step, every20.length)),
    WIDEST,
  ].toSorted((one, other) => one - other);
};

// In sequence, because storing the cases takes longer than half of the checks.
test.describe.configure({ mode: 'default' });
let stored: ReturnType<typeof seedDesk> | undefined;

for (const [turn, { language, barriersAt }] of languages.entries()) {
  test(`pages of the desk in ${language} have no barrier, no missing text, and nothing runs over or lies on something else, at any width from 320 to 1920 px`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.slow();
    // Later, because another journey takes the most urgent one.
    const cases = await (stored ??= seedDesk({ daysLater: 30 }));
    const addresses = deskPages().flatMap((pattern) => deskAddresses(pattern, cases));
    expect(addresses.length).toBeGreaterThan(25);
    const found: string[] = [];
    const noteUnfilled = (address: string, text: string) => {
      const [html = ''] = text.split('window.__reactRouterContext');
      // The page of a template names the placeholders that its text may have.
      const isTemplate = address.startsWith('/admin/settings/templates/');
      const shown = isTemplate ? html.replaceAll(/\{\{(number|name)\}\}/g, '') : html;
      found.push(...unfilled(shown).map((one) => `${address}: ${one}`));
    };
    const look = async (address: string, index: number) => {
      const answer = await page.goto(`/${language}${address}`);
      noteUnfilled(address, (await answer?.text()) ?? '');
      for (const width of barriersAt) {
        await page.setViewportSize({ width, height: 900 });
        const barriers = await findBarriers(page);
        found.push(...barriers.map((barrier) => `${address} at ${width}: ${barrier}`));
      }
      // The same page in the dark: nothing but its colours differs.
      if (isThorough || index % 8 < 2) {
        await page.emulateMedia({ colorScheme: 'dark' });
        const faint = await findBarriers(page, { rules: ['color-contrast'] });
        found.push(...faint.map((barrier) => `${address} in the dark: ${barrier}`));
        await page.emulateMedia({ colorScheme: 'light' });
      }
      for (const width of widthsOf(index)) {
        await page.setViewportSize({ width, height: 900 });
        const overlaps = await findOverlaps(page);
        found.push(...overlaps.map((overlap) => `${address} at ${width}: ${overlap}`));
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      await inTextSize(page, 32, async () => {
        const over = await sidewaysScroll(page);
        if (over > 0) found.push(`${address} with larger text: ${over} px too wide`);
      });
    };
    // Before signing in.
    await look('/admin', turn);
    await addSession(context, cases.staff.administrator.cookie, baseURL);
    for (const [index, address] of addresses.entries()) {
      if (isThorough || index % languages.length === turn) await look(address, index);
      else noteUnfilled(address, await (await page.request.get(`/${language}${address}`)).text());
    }
    expect(found).toEqual([]);
  });
}
