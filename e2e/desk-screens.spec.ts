import { seedDesk } from './desk-seed.ts';
import { test } from './lale.ts';
import { take } from './pictures.ts';

/** Taken at 1000 px and in the dark as well: lists, forms and charts. */
const inBoth: readonly string[] = ['queue', 'application', 'statistics'];

// Twice as many pictures as pages, in sequence.
test.setTimeout(300_000);

// Only English: another browser would store all cases again, and `desk-pages.spec.ts` and `desk-widths.spec.ts` check
// Turkish.
test('@screens of the desk', async ({ page, context }) => {
  const language = 'en';
  const { staff, numbers, decision } = await seedDesk();
  const [name = '', value = ''] = staff.administrator.cookie.split('=');
  await page.goto(`/${language}/admin`);
  await take(page, 'desk-sign-in', { language });
  for (const [screen, path] of [
    ['forgotten', '/forgotten'],
    ['reset-over', '/reset/over'],
  ] as const) {
    await page.goto(`/${language}/admin${path}`);
    await take(page, `desk-${screen}`, { language });
  }
  await context.addCookies([{ name, value, url: new URL(page.url()).origin }]);
  const applications = Object.entries(numbers).map(
    ([state, { number, kind }]) =>
      [
        state === 'pending' ? 'application' : `application-${state}`,
        `/applications/${number}${kind === 'insurance' ? '?tab=insurance' : ''}`,
      ] as const,
  );
  for (const [screen, path] of [
    ['queue', ''],
    ['queue-empty', '?nationality=JAM'],
    ['queue-insurance', '?tab=insurance'],
    ...applications,
    ['decision', `/applications/${decision}`],
    ['order', `/orders/${numbers.processing.orderNumber}`],
    [
      'order-refund',
      `/orders/${numbers.late.orderNumber}?asked=2026-11-20T10:00&cause=our_error&app=${numbers.late.number}`,
    ],
    ['refunds', '/refunds'],
    ['payments', '/payments'],
    ['reconciliation', '/reconciliation'],
    ['statistics', '/statistics'],
    ['audit', '/audit'],
    ['outbox', '/outbox'],
    ['settings', '/settings'],
    ['settings-prices', '/settings/prices'],
    ['settings-plans', '/settings/plans'],
    ['settings-insurance', '/settings/insurance'],
    ['settings-countries', '/settings/countries'],
    ['settings-country', '/settings/countries/ZAF'],
    ['settings-operator', '/settings/operator'],
    ['settings-certifications', '/settings/certifications'],
    ['settings-retention', '/settings/retention'],
    ['settings-closed-days', '/settings/closed-days'],
    ['settings-setup', '/settings/setup'],
    ['accounts', '/accounts'],
    ['account', '/account'],
    ['second-factor', '/second-factor'],
    ['not-found', '/applications/TRV0000000000000'],
  ] as const) {
    await page.goto(`/${language}/admin${path}`);
    // On a phone the queue stands above an application, and one picture of it is enough.
    const widths = screen.startsWith('application-') ? [1280] : [390, 1280];
    await take(page, `desk-${screen}`, { language, widths });
    if (!inBoth.includes(screen)) continue;
    await take(page, `desk-${screen}`, { language, widths: [1000] });
    await page.emulateMedia({ colorScheme: 'dark' });
    await take(page, `desk-${screen}-dark`, { language, widths: [390, 1000, 1280] });
    await page.emulateMedia({ colorScheme: 'light' });
  }
});
