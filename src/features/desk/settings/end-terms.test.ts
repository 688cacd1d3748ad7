import { expect, it } from 'vitest';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { settingsDesk } from '../application/testing/settings-desk.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { plansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import { termsInForce } from '~/features/insurance/store/terms-store.server.ts';
import { termsOf } from '~/features/insurance/certificate/certificate-job.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seeders } from '~/app/composition/seeders.server.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const path = '/admin/settings/insurance';
const reason = 'The contract with the insurer ends';

async function desk() {
  const platform = await makeTestPlatform({ now: NOW });
  await seedAll(platform.db, seeders, NOW);
  const app = makeTestApp(platform);
  const { cookie } = await storeStaff(platform, { role: 'administrator' });
  const version = (await termsInForce(platform.db, NOW))?.version ?? 0;
  const areSold = async () => (await plansOnSale(platform.db, platform.now())).length > 0;
  return { platform, version, areSold, ...settingsDesk(app, platform, cookie) };
}

it('leads from a button to a form that asks when and why, and nothing else', async () => {
  const { open } = await desk();
  expect((await open(path)).html).toContain('href="/admin/settings/insurance?end=yes#form"');
  const { html } = await open(`${path}?end=yes`);
  expect(html).toContain('Stop selling insurance');
  expect(html).toContain('name="reason"');
  expect(html).toContain('name="date-day"');
  expect(html).not.toContain('name="insurer"');
});

it('asks for a reason, and keeps nothing that was not shown first', async () => {
  const { open, press, areSold } = await desk();
  const form = await open(`${path}?end=yes`);
  const withoutReason = await press(`${path}?end=yes`, 'review', form.html);
  expect(withoutReason.status).toBe(422);
  expect(withoutReason.html).toContain('Enter the reason');
  expect(withoutReason.html).not.toContain('name="insurer"');
  const shown = await press(path, 'review', form.html, { reason });
  expect(shown.status).toBe(200);
  expect(shown.html).toContain('Sample Insurer');
  expect(shown.html).toContain('nothing');
  expect(await areSold()).toBe(true);
});

it('ends the sale once it is confirmed, writes it down, and keeps the terms of what was bought', async () => {
  const { platform, open, press, areSold, version } = await desk();
  const shown = await press(path, 'review', (await open(`${path}?end=yes`)).html, { reason });
  expect(await press(path, 'save', shown.html)).toMatchObject({
    status: 303,
    location: `${path}?done=saved`,
  });
  expect(await areSold()).toBe(false);
  expect(await termsInForce(platform.db, platform.now())).toBeNull();
  expect((await termsOf(platform.db, version)).insurer).toContain('Sample Insurer');
  const entries = await platform.db.select().from(auditEntry);
  expect(entries.map(({ action, subjectId }) => `${action} ${subjectId}`)).toContain(
    'setting_changed insurance_terms',
  );
  const after = await open(path);
  expect(after.html).toContain('No terms are in force, so no insurance is sold.');
  expect(after.html).toContain(reason);
  expect(after.html).not.toContain('?end=yes');
  // Nothing is left to end.
  expect((await open(`${path}?end=yes`)).html).toContain('name="insurer"');
});

it('ends the sale at a later moment, and can be withdrawn until then', async () => {
  const { platform, open, press, areSold } = await desk();
  const later = {
    from: 'later',
    'date-day': '1',
    'date-month': '12',
    'date-year': '2026',
    time: '09:30',
  };
  const end = async () => {
    const form = await open(`${path}?end=yes`);
    const shown = await press(path, 'review', form.html, { reason, ...later });
    expect(shown.html).toContain('09:30');
    expect((await press(path, 'save', shown.html)).status).toBe(303);
    return (await readSettings(platform.db)).changes.at(-1);
  };
  const planned = await end();
  expect(await areSold()).toBe(true);
  await press(path, 'withdraw', '', { change: String(planned?.id) });
  await end();
  platform.clock.set(new Date('2026-12-01T09:29:59Z'));
  expect(await areSold()).toBe(true);
  platform.clock.set(new Date('2026-12-01T09:30:00Z'));
  expect(await areSold()).toBe(false);
});
