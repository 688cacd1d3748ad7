import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '../src/routes.ts';
import { unfilled } from '../test/page-checks.ts';
import type { DeskCases } from './desk-cases.ts';
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

/** Every page that somebody looks at, by its address; an address of a file answers with a file. */
function pagesOf(entries: readonly RouteConfigEntry[], above = ''): string[] {
  return entries.flatMap(({ path, file, children = [] }) => {
    const pattern = path === undefined ? above : `${above}/${path}`;
    const isLookedAt = /^\/admin(\/|$)/.test(pattern) && file.endsWith('.tsx');
    return [...(isLookedAt ? [pattern] : []), ...pagesOf(children, pattern)];
  });
}

/** What is stored under a pattern; where nothing has to be, the pattern itself. */
function addressesOf(pattern: string, { numbers, decision }: DeskCases): string[] {
  const { pending, unpaid, processing, approved, rejected, waiting, minor } = numbers;
  const visas = [pending, unpaid, processing, approved, rejected, waiting];
  const stored: Record<string, string[]> = {
    '/admin': ['/admin?tab=insurance', '/admin?nationality=JAM'],
    '/admin/applications/:number': [
      ...visas.map(({ number }) => `/admin/applications/${number}`),
      `/admin/applications/${minor.number}?tab=insurance`,
    ],
    '/admin/applications/:number/decision/:id': [`/admin/applications/${decision}`],
    '/admin/orders/:number': [`/admin/orders/${processing.orderNumber}`],
    '/admin/settings/countries/:code': ['/admin/settings/countries/ZAF'],
    '/admin/invitation/:token': ['/admin/invitation/over'],
  };
  const known = stored[pattern];
  if (!known && pattern.includes(':')) throw new Error(`Nothing is stored under ${pattern}`);
  return known ?? [pattern];
}

for (const [index, language] of ['en', 'tr'].entries()) {
  test(`every page of the desk in ${language} has no barrier, no missing text, and nothing runs over`, async ({
    page,
    context,
    baseURL,
  }) => {
    // Another journey takes what is most urgent.
    const cases = await seedDesk({ daysLater: 30 });
    const addresses = pagesOf(routes).flatMap((pattern) => addressesOf(pattern, cases));
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
