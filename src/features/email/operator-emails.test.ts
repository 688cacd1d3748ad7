import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { seeders } from '~/app/composition/seeders.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { noteFailedStart } from '~/features/payment/providers/outage.server.ts';
import { MAX_FAILED_STARTS } from '~/features/payment/provider.ts';
import { raiseAlert } from '~/features/payment/settlement/store.server.ts';
import { accountById } from '~/features/staff/store.server.ts';
import { recordBackup } from '~/platform/backup/backup-store.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { makeApplication } from '../../../test/make.ts';
import { needed } from '../../../test/needed.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform, type TestPlatform } from '../../../test/platform.ts';
import { emailJobs } from './jobs.server.ts';
import { insertEmail, markFailed } from './ledger/store.server.ts';

// A Monday, when the office is open.
const NOW = new Date('2026-11-23T10:00:00Z');
const MINUTE_MS = 60_000;
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const OPERATOR = 'operator@lale.example';
const RECIPIENT = 'age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs3290gq';

async function start(variables: Record<string, string>) {
  const platform = await makeTestPlatform({ now: NOW, variables });
  await seedAll(platform.db, seeders, NOW);
  return platform;
}

/**
 * Runs a job of the schedule three times, as processes would, and returns the emails that left: to whom, and the subject.
 * What each leads to is a page.
 */
async function run(platform: TestPlatform, job: 'operator.look' | 'operator.tell_week') {
  const handlers = emailJobs(platform);
  platform.sent.length = 0;
  for (let i = 0; i < 3; i++) await enqueue(platform.db, job);
  await platform.runJobs(handlers);
  const app = makeTestApp(platform);
  for (const { text } of platform.sent) {
    const [page = ''] = /\/admin\S*/.exec(text) ?? [];
    expect((await app.request(page)).status, page).not.toBe(404);
  }
  return platform.sent.map(({ to, subject }) => `${to}: ${subject}`).toSorted();
}
const look = async (platform: TestPlatform) =>
  (await run(platform, 'operator.look')).map((line) => line.replace(`${OPERATOR}: `, ''));

test('late work is told once it is late for a quarter of an hour, and once a day', async () => {
  const platform = await start({ ALERT_EMAIL: OPERATOR });
  const { promisedAt } = await makeApplication(platform);
  const due = needed(promisedAt).getTime();
  platform.clock.set(new Date(due + 14 * MINUTE_MS));
  expect(await look(platform)).toEqual([]);
  platform.clock.set(new Date(due + 16 * MINUTE_MS));
  expect(await look(platform)).toEqual(['Late applications: 1']);
  expect(await look(platform)).toEqual([]);
  platform.clock.advance(24 * 60 * MINUTE_MS);
  expect(await look(platform)).toEqual(['Late applications: 1']);
});

test('a partner that is down is told at once, and once for an outage', async () => {
  const platform = await start({ ALERT_EMAIL: OPERATOR });
  for (let i = 0; i < MAX_FAILED_STARTS; i++) await noteFailedStart(platform, 'paypal');
  expect(await look(platform)).toEqual(['PayPal is not taking payments']);
  platform.clock.advance(25 * 60 * MINUTE_MS);
  // Its alert at the desk is not told as another thing.
  expect(await look(platform)).toEqual([]);
});

test('an alert about money and an email that did not leave are told', async () => {
  const platform = await start({ ALERT_EMAIL: OPERATOR });
  await platform.db.transaction((tx) =>
    raiseAlert(tx, {
      id: randomUUID(),
      kind: 'unknown_reference',
      attemptId: null,
      detail: {},
      raisedAt: NOW,
      once: 'one',
    }),
  );
  for (const [about, failure] of [
    ['1', 'address'],
    ['2', 'limit'],
  ] as const) {
    const { id } = await insertEmail(platform.db, { kind: 'late', about, createdAt: NOW });
    await markFailed(platform.db, id, { at: NOW, failure });
  }
  expect(await look(platform)).toEqual([]);
  platform.clock.set(later(16));
  expect(await look(platform)).toEqual(['Emails not sent: 1', 'Open payment alerts: 1']);
});

test('backups are told where they are made', async () => {
  const platform = await start({ ALERT_EMAIL: OPERATOR, BACKUP_RECIPIENT: RECIPIENT });
  expect(await look(platform)).toEqual(['No backup from last night']);
  const backup = { rows: 1, files: 1, bytes: 1 };
  const begunAt = later(24 * 60);
  await recordBackup(platform.db, { ...backup, begunAt, endedAt: begunAt, missingFiles: 2 });
  platform.clock.set(later(25 * 60));
  expect(await look(platform)).toEqual(['Files missing from the last backup: 2']);
  platform.clock.set(later(24 * 60 + 27 * 60));
  expect(await look(platform)).toContain('No backup from last night');
  const without = await start({ ALERT_EMAIL: OPERATOR });
  expect(await look(without)).toEqual([]);
});

test('without an address every active administrator is told, and nobody else', async () => {
  const platform = await start({});
  const administrator = await storeStaff(platform, { role: 'administrator' });
  await storeStaff(platform, { role: 'manager' });
  for (let i = 0; i < MAX_FAILED_STARTS; i++) await noteFailedStart(platform, 'paypal');
  const { email } = needed(await accountById(platform.db, administrator.id));
  expect(await run(platform, 'operator.look')).toEqual([`${email}: PayPal is not taking payments`]);
});

test('the week is told once, in ten numbers beside those of the week before', async () => {
  const platform = await start({ ALERT_EMAIL: OPERATOR });
  for (let i = 0; i < 2; i++) await makeApplication(platform);
  // Already Monday in Türkiye.
  platform.clock.set(new Date('2026-11-29T21:30:00Z'));
  await makeApplication(platform);
  platform.clock.set(new Date('2026-11-30T06:11:00Z'));
  expect(await run(platform, 'operator.tell_week')).toEqual([
    `${OPERATOR}: Lale: the week from 23 November 2026`,
  ]);
  const { text } = needed(platform.sent[0]);
  for (const line of [
    '/admin/figures?from=2026-11-23&to=2026-11-29',
    'Payments: 2 (the week before: 0)',
    'Visas approved: 0 (the week before: 0)',
    'Ready-by times kept: 0 of 2 (the week before: 0 of 0)',
    'Applications waiting now: 3',
    'Late now: 3',
  ]) {
    expect(text).toContain(line);
  }
  expect(text.match(/the week before/g)).toHaveLength(8);
  expect(await run(platform, 'operator.tell_week')).toEqual([]);
});
