import { expect, test } from 'vitest';
import { linkEmail } from '~/features/application/change-email.server.ts';
import { insertEmail, markSent } from '~/features/email/ledger/store.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { IDLE_MS } from '~/features/staff/staff.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { claimApplication } from '../application/claim.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { openCase } from '../application/open-case.server.ts';
import { findApplication } from '../application/detail.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const app = makeTestApp(platform);
const kaya = await storeStaff(platform, { name: 'D. Kaya' });

type Answer = {
  at: number;
  signals: { refunds: number; alerts: number };
  queue: { queue: { rows: { number: string; holder: string | null }[] } } | null;
  opened: {
    mark: string;
    holder: { name: string | null } | null;
    application: { status: string };
    caseFile: { emails: { id: string; state: string }[] };
  } | null;
};

const ask = (cookie: string, query = '') =>
  app.request(`/admin/live${query}`, { headers: { cookie } });

async function answer(cookie: string, query: string): Promise<Answer> {
  const response = await ask(cookie, query);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  const body: Answer = await response.json();
  return body;
}

const viewed = async (staffId: string) =>
  (await db.select().from(auditEntry)).filter(
    (entry) => entry.staffId === staffId && entry.action === 'application_viewed',
  ).length;

async function shownTo(staff: Awaited<ReturnType<typeof storeStaff>>, number: string) {
  const found = await findApplication(db, number);
  if (!found) throw new Error('No such application');
  return openCase(platform, staff, found, 'en');
}

test('an open page is not sent again what it shows, and gets an e-mail that was sent once', async () => {
  const aydin = await storeStaff(platform);
  const { id, number } = await makeApplication(platform);
  const createdAt = platform.now();
  const { id: email } = await insertEmail(db, { kind: 'received', about: id, createdAt });
  await linkEmail(db, email, [id]);
  const { mark } = await shownTo(aydin, number);
  expect((await answer(aydin.cookie, `?number=${number}&mark=${mark}`)).opened).toBeNull();
  // One's own claim is not announced.
  await claimApplication(platform, aydin, id);
  expect((await answer(aydin.cookie, `?number=${number}&mark=${mark}`)).opened).toBeNull();
  expect(await viewed(aydin.id)).toBe(0);

  await markSent(db, email, platform.now());
  const { opened } = await answer(aydin.cookie, `?number=${number}&mark=${mark}`);
  expect(opened?.caseFile.emails).toMatchObject([{ id: email, state: 'sent' }]);
  expect(await viewed(aydin.id)).toBe(1);
  const again = await answer(aydin.cookie, `?number=${number}&mark=${opened?.mark}`);
  expect(again.opened).toBeNull();
  expect(await viewed(aydin.id)).toBe(1);
});

test('who loses an application hears who took it over, and who decided it', async () => {
  const aydin = await storeStaff(platform);
  const { id, number } = await makeApplication(platform);
  await claimApplication(platform, aydin, id);
  const { mark } = await shownTo(aydin, number);
  await claimApplication(platform, kaya, id, { takeOver: true });
  const taken = await answer(aydin.cookie, `?number=${number}&mark=${mark}`);
  expect(taken.opened?.holder).toMatchObject({ name: 'D. Kaya' });
  await decideApplication(platform, kaya, {
    kind: 'reject',
    applicationId: id,
    reason: 'The photo',
  });
  const decided = await answer(aydin.cookie, `?number=${number}&mark=${taken.opened?.mark}`);
  expect(decided.opened?.application.status).toBe('rejected');
});

test('the queue is part of the answer where it is shown, with the filters of its address', async () => {
  const aydin = await storeStaff(platform);
  const { id, number } = await makeApplication(platform);
  await claimApplication(platform, kaya, id);
  const { queue } = await answer(aydin.cookie, '?queue=&show=all');
  expect(queue?.queue.rows.find((row) => row.number === number)?.holder).toBe('D. Kaya');
  expect(
    (await answer(aydin.cookie, '?queue=&tab=insurance')).queue?.queue.rows,
  ).not.toContainEqual(expect.objectContaining({ number }));
  expect((await answer(aydin.cookie, '')).queue).toBeNull();
});

test('automatic requests of a page do not extend its session', async () => {
  const aydin = await storeStaff(platform);
  const steps = 10;
  for (let step = 0; step < steps; step += 1) {
    expect((await ask(aydin.cookie)).status).toBe(200);
    platform.clock.advance(IDLE_MS / steps);
  }
  const over = await ask(aydin.cookie);
  expect([over.status, over.headers.get('location')]).toEqual([302, '/admin']);
  // Opening a page does.
  const busy = await storeStaff(platform);
  platform.clock.advance(IDLE_MS - 60_000);
  await app.request('/admin/account', { headers: { cookie: busy.cookie } });
  platform.clock.advance(IDLE_MS - 60_000);
  expect((await ask(busy.cookie)).status).toBe(200);
});
