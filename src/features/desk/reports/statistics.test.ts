import { describe, expect, test } from 'vitest';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { chartNames } from './charts.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { storeHistories, type History } from '../application/testing/many-applications.server.ts';

const now = new Date('2026-11-23T10:00:00Z');
const platform = await makeTestPlatform({ now });
const app = makeTestApp(platform);
const people = {
  reviewer: await storeStaff(platform),
  manager: await storeStaff(platform, { role: 'manager' }),
  administrator: await storeStaff(platform, { role: 'administrator' }),
};
const get = (path: string, cookie = people.manager.cookie) =>
  app.request(path, { headers: { cookie, accept: 'text/html' } });
const page = async (path: string, cookie?: string) => (await get(path, cookie)).text();
const file = async (path: string) => {
  const text = await (await get(path)).text();
  return text.replace('\ufeff', '').trim().split('\r\n');
};
const cardOf = (html: string, chart: string) =>
  html.split(`data-testid="chart-${chart}"`)[1]?.split('</section>')[0] ?? '';

const HOUR = 3_600_000;
const at = (day: string) => Date.parse(`2026-11-${day}T09:00:00Z`);
const visa = (day: string, hours: number | null, given: Partial<History> = {}): History => ({
  kind: 'visa',
  country: 'ZAF',
  createdAt: at(day),
  paidAt: at(day),
  promisedAt: at(day) + 24 * HOUR,
  decided: hours === null ? null : { at: at(day) + hours * HOUR, approved: true },
  amountMinor: 94_00,
  refundedMinor: 0,
  lab: false,
  ...given,
});
const some: History[] = [
  visa('17', 10),
  visa('17', 20, { country: 'MEX', createdAt: at('17') + 60_000 }),
  visa('18', 30, { decided: { at: at('19') + 6 * HOUR, approved: false }, refundedMinor: 25_00 }),
  visa('20', null, { kind: 'insurance', promisedAt: null, amountMinor: 114_00 }),
  visa('21', null, { paidAt: null, promisedAt: null, country: 'IND' }),
  visa('21', null, { lab: true, amountMinor: 999_00 }),
];

await storeHistories(platform.pool, some);

test('nothing yet: the page says so', async () => {
  // Two years later, outside all periods; sessions have ended by then.
  const before = platform.now();
  platform.clock.set(new Date('2028-11-23T10:00:00Z'));
  const { cookie } = await storeStaff(platform, { role: 'manager' });
  const html = await page('/admin/statistics', cookie);
  platform.clock.set(before);
  expect(html).toContain('No activity in this period yet');
  expect(html).not.toContain('<figure');
});

describe('with applications', () => {
  test('each chart says in a sentence what it shows', async () => {
    const html = await page('/admin/statistics?range=7d');
    const sentence = (chart: string) => /<p[^>]*>([^<]*)<\/p>/.exec(cardOf(html, chart))?.[1];
    expect(Object.fromEntries(chartNames.map((chart) => [chart, sentence(chart)]))).toEqual({
      applications: '5 in total: 4 for a visa and 1 for insurance. Busiest: 17 Nov 2026 (2).',
      revenue: '$371.00 net: travellers paid $396.00, of which $25.00 was refunded.',
      time: 'Half of the decisions were made within 20 h of payment, and nine out of ten within 30 h.',
      promise: '66.7% of the ready-by times were kept: 2 of 3.',
      approval: '66.7% of the decisions were approvals: 2 of 3.',
      nationalities: 'Most applications come from South Africa: 3 of 5 (60%).',
    });
  });

  test('the numbers of a chart are a table', async () => {
    const html = cardOf(await page('/admin/statistics?range=7d'), 'revenue');
    const rows = html.split('<tbody>')[1]?.split('</tr>') ?? [];
    expect(rows.slice(0, 2).map((row) => row.match(/[^<>]+(?=<\/t[hd]>)/g))).toEqual([
      ['17 Nov 2026', '$188.00', '$0.00', '$188.00'],
      ['18 Nov 2026', '$94.00', '$25.00', '$69.00'],
    ]);
  });

  test('is in Turkish as well, with names, numbers and dates of that language', async () => {
    const html = await page('/tr/admin/statistics?range=7d');
    expect(cardOf(html, 'nationalities')).toContain('Güney Afrika');
    expect(cardOf(html, 'promise')).toContain('%66,7');
    expect(cardOf(html, 'applications')).toContain('17 Kas 2026');
  });

  test('the period stands in the address', async () => {
    const html = await page('/admin/statistics?range=90d&by=month');
    expect(html).toMatch(/aria-current="page"[^>]*href="[^"]*range=90d"/);
    expect(html).toMatch(/aria-current="page"[^>]*href="[^"]*range=90d&amp;by=month"/);
    expect(cardOf(html, 'applications')).toContain('chart=applications');
    expect(cardOf(html, 'applications').split('<tr').length - 2).toBe(4);
  });
});

describe('who sees what', () => {
  test.each(['reviewer', 'manager', 'administrator'] as const)('a %s', async (role) => {
    const { cookie } = people[role];
    const seesRevenue = role !== 'reviewer';
    const html = await page('/admin/statistics?range=7d', cookie);
    const data = await page('/admin/statistics.data?range=7d', cookie);
    expect(html.includes('data-testid="chart-revenue"')).toBe(seesRevenue);
    // Also not in the data sent to the browser.
    expect(/39600|396\.00/.test(html + data)).toBe(seesRevenue);
    expect(html.includes('/admin/statistics/applications/csv')).toBe(seesRevenue);
    for (const chart of chartNames) {
      const allowed = chart !== 'revenue' || seesRevenue;
      for (const path of ['/admin/statistics/csv', '/admin/statistics/csv.data']) {
        const response = await get(`${path}?range=7d&chart=${chart}`, cookie);
        const body = await response.text();
        if (!allowed) expect([response.status, body]).not.toContain('396.00');
        if (!path.endsWith('.data')) expect(response.status).toBe(allowed ? 200 : 403);
      }
    }
  });
});

describe('files', () => {
  test.each([
    ['applications', 'from,to,visa,insurance', '2026-11-17,2026-11-17,2,0'],
    [
      'revenue',
      'from,to,paid,refunded,net,currency',
      '2026-11-17,2026-11-17,188.00,0.00,188.00,USD',
    ],
    [
      'time',
      'from,to,decided,median_minutes,ninetieth_percentile_minutes',
      '2026-11-17,2026-11-17,1,600,600',
    ],
    ['promise', 'from,to,due,kept,not_kept', '2026-11-17,2026-11-17,0,0,0'],
    ['approval', 'from,to,decided,approved,rejected', '2026-11-17,2026-11-17,1,1,0'],
    ['nationalities', 'nationality,visa,insurance', 'ZAF,2,1'],
  ])('of %s', async (chart, head, first) => {
    const lines = await file(`/admin/statistics/csv?range=7d&chart=${chart}`);
    expect(lines.slice(0, 2)).toEqual([head, first]);
  });

  test('of nothing that is drawn: 404', async () => {
    expect((await get('/admin/statistics/csv?chart=passports')).status).toBe(404);
  });

  test('of all applications: one line each, nothing personal, written down', async () => {
    const lines = await file('/admin/statistics/applications/csv?range=7d');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe(
      'number,kind,status,nationality,processing_type,submitted,paid,decided,promised,amount,currency,refunded,refunded_at',
    );
    expect(lines[1]).toMatch(
      /^TRV0{13},visa,approved,ZAF,standard,2026-11-17T09:00:00.000Z,2026-11-17T09:00:00.000Z,2026-11-17T19:00:00.000Z,2026-11-18T09:00:00.000Z,94.00,USD,0.00,$/,
    );
    expect(lines.join('\n')).not.toMatch(/Naidoo|Thabo|@/);
    const entries = await auditEntriesBySubject(platform.db, {
      kind: 'statistics',
      id: 'applications',
    });
    expect(entries.at(-1)).toMatchObject({
      staffId: people.manager.id,
      action: 'applications_exported',
      detail: { range: '7d' },
    });
  });
});

test('figures that cannot be read: the page says so, and shows them again once they can', async () => {
  const path = '/admin/statistics?range=12m';
  await platform.pool.query('alter table application rename column created_at to gone');
  const failed = await get(path);
  await platform.pool.query('alter table application rename column gone to created_at');
  const html = await failed.text();
  expect(failed.status).toBe(500);
  expect(html).toContain('Something went wrong');
  expect(html).not.toMatch(/created_at|<figure/);
  expect(await page(path)).toContain('data-testid="chart-applications"');
});
