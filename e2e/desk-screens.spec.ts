import { addressesOf, deskPages } from './desk-addresses.ts';
import type { DeskCases } from './desk-cases.ts';
import { seedDesk } from './desk-seed.ts';
import { addSession, expect, test, type Page } from './lale.ts';
import { take } from './pictures.ts';

/** Every page at each width in both colour schemes, one after the other. */
test.setTimeout(3_600_000);

const widths = [390, 1000, 1280];

/** Pages that are seen without signing in. */
const signedOut: readonly string[] = [
  '/admin/forgotten',
  '/admin/reset/:token',
  '/admin/invitation/:token',
];

/** Pages that stand only where an identity provider is set up: they redirect here. */
const elsewhere: readonly string[] = ['/admin/single-sign-on', '/admin/single-sign-on/callback'];

/** Names of pictures that the pattern of their page does not give, and which of its addresses is taken. */
const pictured = (pattern: string, cases: DeskCases): readonly [name: string, address: string] => {
  const { numbers, requests } = cases;
  switch (pattern) {
    case '/admin':
      return ['queue', '/admin'];
    case '/admin/applications/:number':
      return ['application', `/admin/applications/${numbers.pending.number}`];
    case '/admin/applications/:number/decision/:id':
      return ['decision', `/admin/applications/${cases.decision}`];
    case '/admin/privacy/:id':
      return ['privacy-access', `/admin/privacy/${requests[0]}`];
    case '/admin/settings/countries/:code':
      return ['settings-country', '/admin/settings/countries/ZAF'];
    case '/admin/reset/:token':
      return ['reset-over', '/admin/reset/over'];
    case '/admin/invitation/:token':
      return ['invitation-over', '/admin/invitation/over'];
    case '/admin/pdfs/:id':
      return ['pdf-batch', `/admin/pdfs/${cases.batch}`];
    default: {
      const name = pattern
        .replace('/admin/', '')
        .replaceAll(/\/:?/g, '-')
        .replace('orders-number', 'order');
      return [name, addressesOf(pattern, cases)[0] ?? pattern];
    }
  }
};

/** Further states of pages, also in both colour schemes where they look otherwise than the page itself. */
const states = ({ numbers, requests }: DeskCases): readonly (readonly [string, string])[] => [
  ['queue-insurance', '/admin?tab=insurance'],
  ['application-waiting', `/admin/applications/${numbers.waiting.number}`],
  ['privacy-erasure', `/admin/privacy/${requests[1]}`],
  ['privacy-held', `/admin/privacy/${requests[2]}`],
  [
    'order-refund',
    `/admin/orders/${numbers.late.orderNumber}?asked=2026-11-20T10:00&cause=our_error&app=${numbers.late.number}`,
  ],
];

/** States of an application: the page is the same, so that one picture of each is enough. */
const once = ({ numbers }: DeskCases): readonly (readonly [string, string])[] => [
  ['queue-empty', '/admin?nationality=JAM'],
  ...Object.entries(numbers).flatMap(([state, { number, kind }]) =>
    state === 'pending' || state === 'waiting'
      ? []
      : [
          [
            `application-${state}`,
            `/admin/applications/${number}${kind === 'insurance' ? '?tab=insurance' : ''}`,
          ] as const,
        ],
  ),
  ['not-found', '/admin/applications/TRV0000000000000'],
];

/** `PICTURES=work,settings SCREENS=1 npm test -- --only e2e e2e/desk-screens.spec.ts` takes those whose names begin so. */
const beginnings = process.env.PICTURES?.split(',');
const isWanted = (name: string) =>
  !beginnings || beginnings.some((beginning) => name.startsWith(beginning));

async function takeBoth(page: Page, name: string, address: string): Promise<void> {
  if (!isWanted(name)) return;
  await page.goto(`/en${address}`);
  await take(page, `desk-${name}`, { widths });
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(page, `desk-${name}-dark`, { widths });
  await page.emulateMedia({ colorScheme: 'light' });
}

// Only English: another browser would store all cases again, and `desk-pages.spec.ts` checks the other languages.
test('@screens of the desk', async ({ page, context, baseURL }) => {
  const cases = await seedDesk();
  // Every page of the table of routes: a new one is in the pictures by itself.
  const pages = deskPages().filter((pattern) => !elsewhere.includes(pattern));
  expect(pages.length).toBeGreaterThan(30);
  await takeBoth(page, 'sign-in', '/admin');
  for (const pattern of signedOut) await takeBoth(page, ...pictured(pattern, cases));
  await addSession(context, cases.staff.administrator.cookie, baseURL);
  for (const pattern of pages) {
    if (!signedOut.includes(pattern)) await takeBoth(page, ...pictured(pattern, cases));
  }
  for (const [state, address] of states(cases)) await takeBoth(page, state, address);
  for (const [state, address] of once(cases)) {
    if (!isWanted(state)) continue;
    await page.goto(`/en${address}`);
    await take(page, `desk-${state}`, { widths: [1280] });
  }
});
