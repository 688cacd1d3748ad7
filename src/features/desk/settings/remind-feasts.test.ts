import { eq, inArray } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seeders } from '~/app/composition/seeders.server.ts';
import { feastsWithin } from '~/base/dates/holidays.ts';
import { languageCodes } from '~/base/languages.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { settingsDesk } from '../application/testing/settings-desk.ts';
import { emailWords } from '~/features/email/kinds/kind.server.ts';
import { feastNoticeEmail, queueFeastNotices } from '~/features/email/kinds/feast-ahead.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { withOperator } from '~/features/settings/operator.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

// Ramazan Bayramı of 2027 begins on 9 March: 60 days before is 8 January.
const EVE = new Date('2027-01-07T23:59:00Z');
const platform = await makeTestPlatform({
  now: EVE,
  database: await useDatabase({ poolSize: 12 }),
});
await seedAll(platform.db, seeders, EVE);
const { db, clock, sent } = platform;
const emailOf = async ({ id }: { id: string }) =>
  (await db.select().from(staffAccount).where(eq(staffAccount.id, id)))[0]?.email;
const leave = (...accounts: { id: string }[]) =>
  db
    .update(staffAccount)
    .set({ active: false })
    .where(
      inArray(
        staffAccount.id,
        accounts.map(({ id }) => id),
      ),
    );

/** What several processes that run the job at the same moment send. */
async function reminded(): Promise<(string | undefined)[]> {
  sent.length = 0;
  await Promise.all(Array.from({ length: 3 }, () => queueFeastNotices(platform)));
  await Promise.all(Array.from({ length: 3 }, () => platform.runJobs(emailJobs(platform))));
  return sent.map(({ to }) => to).toSorted();
}

test('who may close days is told of each feast once, 60 days before it', async () => {
  clock.set(EVE);
  const manager = await storeStaff(platform, { role: 'manager' });
  const administrator = await storeStaff(platform, { role: 'administrator' });
  await storeStaff(platform, { role: 'reviewer' });
  await leave(await storeStaff(platform, { role: 'manager' }));
  const both = [await emailOf(manager), await emailOf(administrator)].toSorted();
  expect(await reminded()).toEqual([]);
  clock.set(new Date('2027-01-08T00:00:00Z'));
  expect(await reminded()).toEqual(both);
  for (const { subject, text } of sent) {
    expect(subject).toBe('Check the closed days: Ramazan Bayramı (Eid al-Fitr)');
    expect(text).toContain('begins on 9 March 2027');
    expect(text).toContain('/en/admin/settings/closed-days');
  }
  for (const day of ['2027-01-09', '2027-02-20', '2027-03-08', '2027-03-16']) {
    clock.set(new Date(`${day}T07:13:00Z`));
    expect(await reminded()).toEqual([]);
  }
  // Kurban Bayramı begins on 16 May.
  clock.set(new Date('2027-03-17T07:13:00Z'));
  expect(await reminded()).toEqual(both);
  expect(sent[0]?.text).toContain('Kurban Bayramı (Eid al-Adha) begins on 16 May 2027');
  // Who becomes a manager later is told then, alone.
  const later = await storeStaff(platform, { role: 'manager' });
  clock.set(new Date('2027-04-01T07:13:00Z'));
  expect(await reminded()).toEqual([await emailOf(later)]);
  // The job did not run for weeks.
  clock.set(new Date('2028-02-20T07:13:00Z'));
  expect(await reminded()).toHaveLength(3);
  clock.set(new Date('2028-02-26T07:13:00Z'));
  expect(await reminded()).toEqual([]);
  await leave(manager, administrator, later);
});

test('the page of closed days says so from then on until the feast', async () => {
  const line = 'Ramazan Bayramı (Eid al-Fitr) begins on 26 February 2028';
  for (const [day, isSaid] of [
    ['2027-12-27', false],
    ['2027-12-28', true],
    ['2028-02-25', true],
    ['2028-02-26', false],
  ] as const) {
    clock.set(new Date(`${day}T10:00:00Z`));
    const manager = await storeStaff(platform, { role: 'manager' });
    const { open } = settingsDesk(makeTestApp(platform), platform, manager.cookie);
    const { html } = await open('/admin/settings/closed-days');
    expect(html).toContain('Closed days');
    expect(html.includes(line)).toBe(isSaid);
    await leave(manager);
  }
});

test('two feasts may be ahead, the soonest first; none that has begun', () => {
  const around = feastsWithin('2029-02-13', 75).map(({ first }) => first);
  expect(around).toEqual(['2029-02-14', '2029-04-24']);
  expect(feastsWithin('2029-02-14', 60)).toEqual([]);
  // Two feasts of one kind in one year.
  expect(feastsWithin('2033-01-01', 365).filter(({ feast }) => feast === 'ramazan')).toHaveLength(
    2,
  );
});

test.each(languageCodes)('the email has all its words in %s', async (language) => {
  for (const feast of ['ramazan', 'kurban'] as const) {
    const words = emailWords(await withOperator(platform), language);
    const email = JSON.stringify(feastNoticeEmail(words, { feast, first: '2027-03-09' }));
    expect(email).not.toMatch(/\{\{|undefined|NaN|feast_ahead|closedDays\./);
    expect(email).toContain('2027');
  }
});
