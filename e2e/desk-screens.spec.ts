import { seedDesk } from './desk-seed.ts';
import { test } from './lale.ts';
import { take } from './pictures.ts';

/** What the pictures show: stored once, looked at in both languages. */
let stored: ReturnType<typeof seedDesk> | undefined;
const cases = () => (stored ??= seedDesk());

// Twice as many pictures as pages, one after another.
test.setTimeout(300_000);

// The desk speaks English and Turkish.
for (const language of ['en', 'tr']) {
  test(`@screens of the desk in ${language}`, async ({ page, context }) => {
    const { staff, numbers, decision } = await cases();
    const [name = '', value = ''] = staff.administrator.cookie.split('=');
    await page.goto(`/${language}/admin`);
    await take(page, 'desk-sign-in', language);
    for (const [screen, path] of [
      ['forgotten', '/forgotten'],
      ['reset-over', '/reset/over'],
    ] as const) {
      await page.goto(`/${language}/admin${path}`);
      await take(page, `desk-${screen}`, language);
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
      ['queue-search', '?search=Rao'],
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
      ['accounts', '/accounts'],
      ['account', '/account'],
      ['second-factor', '/second-factor'],
      ['not-found', '/applications/TRV0000000000000'],
    ] as const) {
      await page.goto(`/${language}/admin${path}`);
      await take(page, `desk-${screen}`, language);
    }
  });
}
