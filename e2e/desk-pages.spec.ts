import { unfilled } from '../test/page-checks.ts';
import { addressesOf, deskPages } from './desk-addresses.ts';
import { seedDesk } from './desk-seed.ts';
import { expect, findBarriers, sidewaysScroll, test } from './lale.ts';

/**
 * Every page of the desk in both of its languages, looked at for barriers, for texts that are missing and for what runs
 * over. axe takes each language at one width, the other one each day; `npm run test:pages` takes both.
 */
const widths = [390, 1280];
const today = Math.floor(Date.now() / 86_400_000);
/** 1280 px at 400 %. */
const NARROWEST = 320;

for (const [index, language] of ['en', 'tr'].entries()) {
  test(`every page of the desk in ${language} has no barrier, no missing text, and nothing runs over`, async ({
    page,
    context,
    baseURL,
  }) => {
    // Another journey takes what is most urgent.
    const cases = await seedDesk({ daysLater: 30 });
    const addresses = deskPages().flatMap((pattern) => addressesOf(pattern, cases));
    expect(addresses.length).toBeGreaterThan(25);
    const looked = widths.filter(
      (_, turn) => process.env.ALL_PAGES || turn === (index + today) % widths.length,
    );
    const found: string[] = [];
    const look = async (address: string) => {
      const answer = await page.goto(`/${language}${address}`);
      const [html = ''] = ((await answer?.text()) ?? '').split('window.__reactRouterContext');
      found.push(...unfilled(html).map((text) => `${address}: ${text}`));
      for (const width of looked) {
        await page.setViewportSize({ width, height: 900 });
        const barriers = await findBarriers(page);
        found.push(...barriers.map((barrier) => `${address} at ${width}: ${barrier}`));
      }
      await page.setViewportSize({ width: NARROWEST, height: 900 });
      const over = await sidewaysScroll(page);
      if (over > 0) found.push(`${address} at ${NARROWEST}: ${over} px too wide`);
    };
    // Nobody is signed in yet.
    await look('/admin');
    const [name = '', value = ''] = cases.staff.administrator.cookie.split('=');
    await context.addCookies([{ name, value, url: baseURL ?? '' }]);
    for (const address of addresses) await look(address);
    expect(found).toEqual([]);
  });
}
