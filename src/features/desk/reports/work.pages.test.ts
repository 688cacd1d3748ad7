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
const page = async (query = '', cookie = manager.cookie) =>
  (await app.request(`/admin/work${query}`, { headers: { cookie, accept: 'text/html' } })).text();

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
    const ofSpeed = await page('?late=standard.document');
    expect(ofSpeed).toContain(`/admin/applications/${overdueNumber}`);
    expect(ofSpeed).not.toContain(`/admin/applications/${lateNumber}`);
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

test('nationalities: arrived, waiting, rejected', async () => {
  expect(rowsOf(await page(), 'nationalities')).toEqual([
    // Without the one that its traveller withdrew.
    ['South Africa', '8', '3', '5 h', '3', '33.3%'],
    ['India', '1', '1', '70 h', '0', '–'],
  ]);
});

describe('the forecast', () => {
  test('says what falls due in the next working hours, beside the pace', async () => {
    const html = await page();
    expect(rowsOf(html, 'forecast')).toEqual([
      ['Standard', '0', '0', '1', '2'],
      ['Urgent', '0', '1', '1', '1'],
      ['Standard, 4 days', '1', '0', '0', '1'],
      ['All', '1', '1', '2', '4'],
    ]);
    // Monday to Friday of a week without holidays: 45 working hours, 4 decisions of staff.
    expect(html).toContain('4 decisions were made in 45 working hours: 0.1 an hour.');
    expect(html).toContain(
      '2 are due, late ones included. At the pace of the last 7 days, 0 would be decided.',
    );
    expect(html).toContain('1 more is waiting for its traveller.');
  });
});

test('a view is recorded, with its days', async () => {
  await page('?from=2026-11-20&to=2026-11-24');
  const trail = await auditEntriesBySubject(platform.db, { kind: 'statistics', id: 'work' });
  expect(trail.at(-1)).toMatchObject({
    action: 'work_viewed',
    staffId: manager.id,
    detail: { from: '2026-11-20', to: '2026-11-24' },
  });
});
