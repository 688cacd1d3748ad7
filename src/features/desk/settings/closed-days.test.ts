import { describe, expect, it } from 'vitest';
import { seeders } from '~/app/composition/seeders.server.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import {
  pauseClock,
  resumeClock,
} from '~/features/application/correction/correction-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { settingsDesk } from '../application/testing/settings-desk.ts';
import { currentOffice } from '~/features/settings/office.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const service = await startTestService();
const { platform, payments } = service;
/** A Monday. */
const NOW = new Date('2026-11-23T10:00:00Z');
platform.clock.set(NOW);
await seedAll(platform.db, seeders, NOW);
const app = makeTestApp(platform, payments);
const { gateway: _, ...buying } = purchases(service);
const manager = await storeStaff(platform, { role: 'manager' });
const { open, press } = settingsDesk(app, platform, manager.cookie);

const path = '/admin/settings/closed-days';
const reason = 'Moving to another office';

const days = (first: string, last = '') => {
  const parts = (name: string, text: string) => {
    const [year = '', month = '', day = ''] = text.split('-');
    return { [`${name}-day`]: day, [`${name}-month`]: month, [`${name}-year`]: year };
  };
  return { ...parts('first', first), ...parts('last', last) };
};

const review = async (first: string, last?: string) =>
  press(path, 'review', (await open(path)).html, { ...days(first, last), reason });

async function close(first: string, last?: string): Promise<void> {
  const saved = await press(path, 'save', (await review(first, last)).html);
  expect(saved.location).toBe(`${path}?done=saved`);
}

async function removeAll(): Promise<void> {
  for (;;) {
    const [, id] = /\?remove=([0-9a-f-]+)/.exec((await open(path)).html) ?? [];
    if (!id) return;
    const page = `${path}?remove=${id}`;
    const shown = await press(page, 'review', (await open(page)).html, { reason });
    expect((await press(page, 'save', shown.html)).status).toBe(303);
  }
}

async function buy() {
  const order = await buying.place();
  await buying.comeBack(await buying.pay(await buying.start(order)));
  return needed(await applicationByNumber(platform.db, order.number));
}

const text = async (address: string) =>
  (await (await app.request(address)).text()).replace(/<[^>]*>/g, '').replaceAll('\u00a0', ' ');

describe('closing the office', () => {
  it('is shown before it is saved, with how many applications are promised for then', async () => {
    const on = { promisedAt: new Date('2027-04-02T10:00:00Z') };
    await makeApplication(platform, on);
    await makeApplication(platform, { promisedAt: new Date('2027-04-03T00:00:00Z') });
    await makeApplication(platform, { paid: false });
    const paused = await makeApplication(platform, on);
    await platform.db.transaction((tx) => pauseClock(tx, paused.id, NOW));
    const shown = await review('2027-04-01', '2027-04-02');
    expect(shown.html).toContain('1 April 2027 to 2 April 2027');
    expect(shown.html).toContain('ready-by time of 1 open application falls on these days');
    expect((await currentOffice(platform)).closures).toEqual([]);
    const saved = await press(path, 'save', shown.html);
    expect(saved).toMatchObject({ status: 303, location: `${path}?done=saved` });
    expect((await currentOffice(platform)).closures).toEqual([
      { from: '2027-04-01', to: '2027-04-02' },
    ]);
    const page = (await open(path)).html;
    expect(page).toContain('ready-by time of 1 open application falls on these days');
    expect(page).toContain(reason);
    const entries = await platform.db.select().from(auditEntry);
    expect(entries.map(({ action, subjectId }) => `${action} ${subjectId}`)).toContain(
      'setting_changed closed_days',
    );
    await removeAll();
  });

  it('is possible for one day, today included', async () => {
    await close('2026-11-23');
    expect((await currentOffice(platform)).closures).toEqual([
      { from: '2026-11-23', to: '2026-11-23' },
    ]);
    expect((await open(path)).html).toContain('Closed now');
    await removeAll();
    expect((await currentOffice(platform)).closures).toEqual([]);
  });

  it.each([
    ['2026-02-30', '', 'Enter a real date'],
    ['2026-11-22', '', 'This day has passed'],
    ['2026-12-02', '2026-12-01', 'The last day cannot be before the first day'],
    ['2026-12-01', '2027-01-01', 'This is more than 31 days'],
    ['2028-11-20', '2028-11-24', 'This is more than 2 years ahead'],
    ['2027-02-01', '2027-02-02', 'Some of these days are already closed'],
  ])('is refused from %s to %s: %s', async (first, last, words) => {
    await close('2027-02-02', '2027-02-03');
    const wrong = await review(first, last);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain(words);
    expect(wrong.html).toContain('<title>Error:');
    expect((await currentOffice(platform)).closures).toHaveLength(1);
    await removeAll();
  });

  it('asks for a reason, and is refused to the second of two who saw the same', async () => {
    const form = (await open(path)).html;
    const wrong = await press(path, 'review', form, days('2026-12-01'));
    expect(wrong.html).toContain('Enter the reason');
    const mine = await press(path, 'review', form, { ...days('2026-12-01'), reason });
    await close('2026-12-01');
    const late = await press(path, 'save', mine.html);
    expect(late.status).toBe(422);
    expect(late.html).toContain('already closed');
    await removeAll();
  });

  it('is for managers too, who find no other setting', async () => {
    const { html } = await open('/admin/settings');
    expect(html).toContain(path);
    expect(html).not.toContain('/admin/settings/prices');
    const reviewer = await storeStaff(platform, { role: 'reviewer' });
    const asked = await app.request(path, { headers: { cookie: reviewer.cookie } });
    expect(asked.status).toBe(403);
  });
});

describe('while the office is closed', () => {
  it('promises are later on the home page and in processing times, which name the days', async () => {
    const before = await text('/en');
    expect(before).toContain('Tue 24 Nov, 13:00');
    await close('2026-11-24', '2026-11-26');
    expect(await text('/en')).toContain('Fri 27 Nov, 13:00');
    const times = await text('/en/processing-times');
    expect(times).toContain('24 November 2026 to 26 November 2026: our office is closed');
    await removeAll();
    expect(await text('/en')).toEqual(before);
  });

  it('a payment promises a later moment, and what was promised before is kept', async () => {
    const first = await buy();
    const promised = needed(first.promisedAt);
    const day = promised.toISOString().slice(0, 10);
    await close(day);
    const later = needed((await buy()).promisedAt);
    expect(later.getTime()).toBeGreaterThan(promised.getTime());
    expect(later.toISOString().slice(0, 10)).not.toBe(day);
    const kept = await applicationByNumber(platform.db, first.number);
    expect(kept?.promisedAt).toEqual(promised);
    await removeAll();
    expect(needed((await buy()).promisedAt)).toEqual(promised);
  });

  it('a promise that was paused does not move onto a closed day', async () => {
    const stored = await makeApplication(platform, {
      promisedAt: new Date('2026-11-24T12:00:00Z'),
    });
    await platform.db.transaction((tx) => pauseClock(tx, stored.id, NOW));
    await close('2026-11-25');
    const paused = needed(await applicationByNumber(platform.db, stored.number));
    const at = new Date(NOW.getTime() + 24 * 3_600_000);
    await platform.db.transaction((tx) => resumeClock(tx, paused, at));
    const resumed = await applicationByNumber(platform.db, stored.number);
    expect(resumed?.promisedAt).toEqual(new Date('2026-11-26T09:00:00Z'));
    await removeAll();
  });
});

it('days that have passed stay on record', async () => {
  await close('2026-11-23', '2026-11-24');
  const [, id] = /\?remove=([0-9a-f-]+)/.exec((await open(path)).html) ?? [];
  platform.clock.set(new Date('2026-11-25T00:00:00Z'));
  const { cookie } = await storeStaff(platform, { role: 'administrator' });
  const later = settingsDesk(app, platform, cookie);
  const form = (await later.open(path)).html;
  expect(form).not.toContain('?remove=');
  expect(form).toContain('23 November 2026 to 24 November 2026');
  const late = await later.press(path, 'review', form, { reason, remove: id ?? '' });
  expect(late.status).toBe(422);
  expect(late.html).toContain('These days have passed');
  // The manager was not active meanwhile, and is still signed in.
  platform.clock.set(NOW);
  await removeAll();
});
