import { beforeAll, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { application, applicationEvent } from '~/features/application/tables.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeApplication, type ApplicationOptions } from '../../../../test/make.ts';

/** A Tuesday. */
const NOW = new Date('2026-11-24T10:00:00Z');
const HOUR = 3_600_000;
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

const platform = await makeTestPlatform({ now: hoursAgo(200) });
const app = makeTestApp(platform);
platform.clock.set(NOW);
const manager = await storeStaff(platform, { role: 'manager', name: 'M. Demir' });
const reviewer = await storeStaff(platform, { name: 'Z. Kaya' });
const other = await storeStaff(platform, { name: 'A. Yılmaz' });
const get = (path: string, cookie = manager.cookie) =>
  app.request(`/admin/${path}`, { headers: { cookie, accept: 'text/html' } });
const page = async (query = '', cookie = manager.cookie) =>
  (await get(`figures${query}`, cookie)).text();
const linesOf = async (path: string, cookie?: string) => {
  const text = await (await get(path, cookie)).text();
  return text.replace('\ufeff', '').trim().split('\r\n');
};

type CaseHistory = {
  /** Hours before now. */
  paid: number;
  promised: number | null;
  looked?: readonly [staffId: string, hours: number][];
  decided?: {
    by: string | null;
    hours: number;
    status?: 'approved' | 'rejected';
    code?: 'other' | 'withdrawn';
  };
  corrected?: string;
  paused?: boolean;
};

/** An application as it came in, was looked at and decided. */
async function tell(
  { paid, promised, looked = [], decided, corrected, paused }: CaseHistory,
  given: ApplicationOptions = {},
) {
  platform.clock.set(hoursAgo(paid));
  const stored = await makeApplication(platform, {
    ...given,
    promisedAt: promised === null ? null : hoursAgo(promised),
  });
  platform.clock.set(NOW);
  const subject = { kind: 'application', id: stored.id } as const;
  for (const [staffId, hours] of looked) {
    await audit(platform.db, {
      at: hoursAgo(hours),
      staffId,
      action: 'application_viewed',
      subject,
    });
  }
  const happened = async (
    kind: 'approved' | 'rejected' | 'correction_asked',
    staffId: string | null,
    at: Date,
  ) => platform.db.insert(applicationEvent).values({ applicationId: stored.id, kind, staffId, at });
  if (corrected) await happened('correction_asked', corrected, hoursAgo(paid - 1));
  if (paused) {
    await platform.db
      .update(application)
      .set({ pausedAt: hoursAgo(paid - 1), actionRequired: true })
      .where(eq(application.id, stored.id));
  }
  if (!decided) return stored;
  const { by, hours, status = 'approved', code = 'other' } = decided;
  await platform.db
    .update(application)
    .set({
      status,
      decidedAt: hoursAgo(hours),
      ...(status === 'rejected' && { rejectionCode: code, rejectionReason: 'A reason' }),
    })
    .where(eq(application.id, stored.id));
  await happened(status, by, hoursAgo(hours));
  return stored;
}

let lateNumber = '';
let overdueNumber = '';

beforeAll(async () => {
  await seedAll(platform.db, seeders, NOW);
  const [me, you] = [reviewer.id, other.id];
  // In time: waited 2 hours, decided 4 hours after the reviewer first looked.
  await tell({
    paid: 30,
    promised: 20,
    looked: [
      [you, 28],
      [me, 26],
      [me, 23],
    ],
    decided: { by: me, hours: 22 },
  });
  // Late by 2 hours: waited 1 hour, decided 7 hours after.
  const late = await tell(
    {
      paid: 40,
      promised: 34,
      looked: [
        [me, 39],
        [me, 38],
      ],
      decided: { by: me, hours: 32, status: 'rejected' },
    },
    { service: 'fast' },
  );
  lateNumber = late.number;
  // By a call, nobody looked here.
  await tell({ paid: 30, promised: 10, decided: { by: you, hours: 20 } });
  // Withdrawn by the traveller, late: counts in no promise.
  await tell({
    paid: 60,
    promised: 50,
    decided: { by: null, hours: 40, status: 'rejected', code: 'withdrawn' },
  });
  // Waits for the traveller: its moment will move.
  await tell({ paid: 60, promised: 50, corrected: you, paused: true });
  // With a supporting document, past its moment.
  const overdue = await tell(
    { paid: 70, promised: 3 },
    { supportingDocumentNumber: 'D123', countryCode: 'IND' },
  );
  overdueNumber = overdue.number;
  // Due today, within the next day, later.
  await tell({ paid: 5, promised: -6 }, { service: 'urgent' });
  await tell({ paid: 5, promised: -24 });
  await tell({ paid: 5, promised: -200 });
  // A minor's insurance.
  await tell(
    { paid: 30, promised: 25, looked: [[me, 27]], decided: { by: me, hours: 26 } },
    { kind: 'insurance', service: '14-days' },
  );
  // Not paid.
  await makeApplication(platform, { paid: false });
});

/** The rows of a section's table as texts. */
function rowsOf(html: string, id: string): string[][] {
  const section = html.split(`aria-labelledby="${id}"`)[1]?.split('</section>')[0] ?? '';
  const body = section.split('<tbody>')[1]?.split('</tbody>')[0] ?? '';
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      row
        .split(/<\/t[hd]>/)
        .slice(0, -1)
        .map((cell) =>
          cell
            .replace(/<span class="block text-tiny[^>]*>[^<]*<\/span>/, '')
            .replace(/<span class="sr-only">[^<]*<\/span>/, '')
            .replace(/<[^>]+>/g, '')
            .trim(),
        ),
    );
}

describe('promises', () => {
  test('are counted by speed, by when they fell due', async () => {
    expect(rowsOf(await page(), 'promises')).toEqual([
      ['Standard', '2', '2', '0', '0', '100%'],
      ['Fast', '1', '0', '1', '0', '0%'],
      ['Standard, 4 days', '1', '0', '1', '1', '0%'],
      ['Insurance, under 18', '1', '1', '0', '0', '100%'],
      ['All', '5', '3', '2', '1', '60%'],
    ]);
  });

  test('that were not kept are listed with their application', async () => {
    const html = await page();
    expect(html).toContain(`/admin/applications/${lateNumber}`);
    expect(rowsOf(html, 'late').map((row) => row.slice(1))).toEqual([
      ['Standard, 4 days', 'Tue 24 Nov 2026, 07:00 UTC', 'not decided', '3 h'],
      ['Fast', 'Mon 23 Nov 2026, 00:00 UTC', 'Mon 23 Nov 2026, 02:00 UTC', '2 h'],
    ]);
    expect(html).toContain(`/admin/applications/${overdueNumber}`);
  });

  test('of other days are left out', async () => {
    expect(rowsOf(await page('?from=2026-11-01&to=2026-11-10'), 'promises')).toEqual([]);
    expect(rowsOf(await page('?from=2026-11-24&to=2026-11-24'), 'promises').at(-1)).toEqual([
      'All',
      '2',
      '1',
      '1',
      '1',
      '50%',
    ]);
  });
});

test('each person’s work: decisions, corrections, and times from what they opened', async () => {
  expect(rowsOf(await page(), 'people')).toEqual([
    ['A. Yılmaz', '1', '1', '–', '–', '–', '0'],
    ['Z. Kaya', '3', '0', '2 h', '4 h', '7 h', '0'],
    ['All', '4', '1', '2 h', '4 h', '7 h', '0'],
  ]);
});

test('nationalities: submitted, waiting, rejected', async () => {
  expect(rowsOf(await page(), 'nationalities')).toEqual([
    // Decided without the one that its traveller withdrew.
    ['South Africa', '9', '1', '3', '5 h', '3', '33.3%'],
    ['India', '1', '0', '1', '70 h', '0', '–'],
  ]);
  expect(rowsOf(await page('', other.cookie), 'nationalities')).toHaveLength(2);
});

test('the steps of the period, which add up to one row', async () => {
  const html = await page('?from=2026-11-22&to=2026-11-24');
  expect(rowsOf(html, 'steps').at(-1)?.join(' ')).toBe(
    'All 9 1 $846.00 $0.00 3 66.7% 8 h 10 h 5 60%',
  );
  expect(rowsOf(await page('?from=2020-01-01&to=2020-01-02'), 'steps').at(-1)?.[1]).toBe('0');
});

test('what falls due in the next working hours', async () => {
  const html = await page();
  expect(rowsOf(html, 'forecast')).toEqual([
    ['Standard', '0', '0', '1', '2'],
    ['Urgent', '0', '1', '1', '1'],
    ['Standard, 4 days', '1', '0', '0', '1'],
    ['All', '1', '1', '2', '4'],
  ]);
});

test('a view is recorded, with its days', async () => {
  await page('?from=2026-11-20&to=2026-11-24');
  const trail = await auditEntriesBySubject(platform.db, { kind: 'statistics', id: 'figures' });
  expect(trail.at(-1)).toMatchObject({
    action: 'figures_viewed',
    staffId: manager.id,
    detail: { from: '2026-11-20', to: '2026-11-24' },
  });
});

test('is in Turkish as well, with names, numbers and dates of that language', async () => {
  const response = await app.request('/tr/admin/figures?range=7d', {
    headers: { cookie: manager.cookie },
  });
  const html = await response.text();
  for (const words of ['Güney Afrika', '%60', '24 Kas 2026']) expect(html).toContain(words);
});

test.each(['reviewer', 'manager', 'administrator'] as const)(
  'a %s sees what the role may, on the page, in its data and in the files',
  async (role) => {
    const { cookie } = await storeStaff(platform, { role });
    const seesMore = role !== 'reviewer';
    const html = await page('', cookie);
    const sent = html + (await (await get('figures.data', cookie)).text());
    expect(/940\.00|94000/.test(sent)).toBe(seesMore);
    expect(sent.includes(reviewer.name)).toBe(seesMore);
    const sections = [
      'steps',
      'promises',
      'late',
      'forecast',
      'people',
      'looks',
      'nationalities',
      'money',
      'books',
    ];
    expect(sections.filter((id) => html.includes(`aria-labelledby="${id}"`))).toEqual(
      seesMore ? sections : ['steps', 'nationalities'],
    );
    for (const file of ['steps', 'looks', 'nationalities', 'applications', 'ledger', 'books']) {
      const isAllowed = seesMore || ['steps', 'nationalities'].includes(file);
      const { status } = await get(`figures/${file}/csv`, cookie);
      expect([file, status]).toEqual([file, isAllowed ? 200 : 403]);
      if (seesMore) expect(html).toContain(file === 'books' ? '' : `/admin/figures/${file}/csv`);
    }
    const [head] = await linesOf('figures/steps/csv', cookie);
    expect(head).toBe(
      `from,to,visa,insurance,${seesMore ? 'captured,refunded,currency,' : ''}decided,approved,median_minutes,ninetieth_percentile_minutes,due,kept`,
    );
  },
);

describe('files', () => {
  const days = 'from=2026-11-22&to=2026-11-24';

  test('of the steps and of nationalities have what the page has', async () => {
    const steps = await linesOf(`figures/steps/csv?${days}`);
    expect(steps).toHaveLength(4);
    const countries = await linesOf(`figures/nationalities/csv?${days}`);
    expect(countries[0]).toBe(
      'nationality,visa,insurance,waiting,median_waiting_minutes,decided,rejected',
    );
    expect(countries[1]).toBe('ZAF,9,1,3,300,3,1');
  });

  test('of all applications: one line each, nothing personal, written down', async () => {
    const lines = await linesOf(`figures/applications/csv?${days}`);
    expect(lines).toHaveLength(11);
    expect(lines[0]).toBe(
      'number,kind,status,nationality,processing_type,submitted,paid,decided,promised,amount,currency,refunded,refunded_at',
    );
    expect(lines.join('\n')).not.toMatch(/Naidoo|Thabo|@/);
    const entries = await auditEntriesBySubject(platform.db, {
      kind: 'statistics',
      id: 'applications',
    });
    expect(entries.at(-1)).toMatchObject({
      staffId: manager.id,
      action: 'figures_exported',
      detail: { from: '2026-11-22', to: '2026-11-24' },
    });
  });

  test('of no such name: 404', async () => {
    for (const name of ['passports', 'constructor'])
      expect((await get(`figures/${name}/csv`)).status).toBe(404);
  });
});

test.each([
  ['statistics?range=7d', 'figures?range=7d#steps'],
  ['statistics/csv?range=7d&chart=time', 'figures/steps/csv?range=7d&chart=time'],
  ['work?from=2026-11-01', 'figures?from=2026-11-01#promises'],
  ['money', 'figures#money'],
  [
    'money/ledger/csv?from=2026-11-01&to=2026-11-30',
    'figures/ledger/csv?from=2026-11-01&to=2026-11-30',
  ],
  ['reconciliation?day=2026-11-20', 'figures?day=2026-11-20&from=2026-11-20&to=2026-11-20#books'],
  ['reconciliation/2026-11-20/csv', 'figures/books/csv?from=2026-11-20&to=2026-11-20'],
])('%s leads to %s', async (old, place) => {
  expect((await get(old)).headers.get('location')).toBe(`/admin/${place}`);
});

test('figures that cannot be read: the page says so, and shows them again once they can', async () => {
  await platform.pool.query('alter table application rename column created_at to gone');
  const failed = await get('figures');
  await platform.pool.query('alter table application rename column gone to created_at');
  const html = await failed.text();
  expect(failed.status).toBe(500);
  expect(html).toContain('Something went wrong');
  expect(html).not.toMatch(/created_at|<table/);
  expect(await page()).toContain('aria-labelledby="steps"');
});
