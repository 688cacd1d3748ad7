import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { settingsDesk } from '../application/testing/settings-desk.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { deskSignals } from '../frame/signals.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { settingProposal } from '~/features/settings/tables.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import {
  changeRole,
  isNewAdministrator,
  setActive,
} from '~/features/staff/accounts/accounts.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const NOW = new Date('2026-11-24T10:00:00Z');
const platform = await makeTestPlatform({ now: NOW });
const { db } = platform;
await seedAll(db, seeders, NOW);
const app = makeTestApp(platform);
const one = await storeStaff(platform, { role: 'administrator', name: 'A. Demir' });
const two = await storeStaff(platform, { role: 'administrator', name: 'B. Kaya' });
const manager = await storeStaff(platform, { role: 'manager' });
const first = settingsDesk(app, platform, one.cookie);
const second = settingsDesk(app, platform, two.cookie);

const path = '/admin/settings/prices';
const feeNow = async () => {
  const { html } = await first.open(path);
  return /name="evisa_fee"[^>]*value="([\d.]+)"/.exec(html)?.[1];
};
const trail = async () =>
  (await auditEntriesBySubject(db, { kind: 'setting', id: 'visa_prices' })).map(
    ({ action, staffId }) => `${action} ${staffId === one.id ? 'one' : 'two'}`,
  );
const newest = async () => {
  const rows = await db.select().from(settingProposal);
  const found = rows.toSorted((a, b) => a.id - b.id).at(-1);
  if (!found) throw new Error('No proposal');
  return found;
};

/** Proposes another fee as the first administrator; returns the proposal's id. */
async function proposeFee(fee: string, more: Record<string, string> = {}): Promise<string> {
  const shown = await first.press(path, 'review', (await first.open(path)).html, {
    evisa_fee: fee,
    reason: 'Costs went up',
    ...more,
  });
  expect(shown.html).toContain('Nothing changes until another administrator confirms this.');
  const saved = await first.press(path, 'save', shown.html);
  expect(saved).toMatchObject({ status: 303, location: `${path}?done=proposed` });
  return String((await newest()).id);
}

/** What each test leaves waiting is withdrawn before the next. */
beforeEach(async () => {
  for (const { id, state, proposedBy } of await db.select().from(settingProposal)) {
    const desk = proposedBy === one.id ? first : second;
    if (state === 'waiting') await desk.press(path, 'withdraw_proposal', '', { proposal: `${id}` });
  }
});

describe('a change of prices', () => {
  it('waits for a second administrator, who sees before and after', async () => {
    const before = await feeNow();
    await proposeFee('75');
    expect(await feeNow()).toBe(before);
    const { html } = await second.open(path);
    expect(html).toContain('Proposed by A. Demir');
    expect(html).toContain(`$${before}`);
    expect(html).toContain('$75.00');
    expect(html).toContain('Costs went up');
    expect(html).toContain('value="confirm"');
    const own = (await first.open(path)).html;
    expect(own).toContain('You proposed this. Another administrator must confirm it.');
    expect(own).not.toContain('value="confirm"');
  });

  it('takes effect when the second one confirms, and both are in the history', async () => {
    const proposal = await proposeFee('76');
    const confirmed = await second.press(path, 'confirm', '', { proposal });
    expect(confirmed).toMatchObject({ status: 303, location: `${path}?done=confirmed` });
    expect(await feeNow()).toBe('76.00');
    const change = (await readSettings(db)).changes.at(-1);
    expect(change).toMatchObject({ staffId: one.id, confirmedBy: two.id, alone: false });
    expect(await newest()).toMatchObject({ state: 'confirmed', changeId: change?.id });
    const { html } = await first.open(path);
    expect(html).toContain('Confirmed by B. Kaya.');
    expect((await trail()).slice(-2)).toEqual(['setting_proposed one', 'setting_confirmed two']);
    const again = await second.press(path, 'confirm', '', { proposal });
    expect(again.status).toBe(409);
    expect(again.html).toContain('already confirmed, declined or withdrawn');
  });

  it('cannot be confirmed or declined by its author, nor by the database', async () => {
    const proposal = await proposeFee('77');
    for (const intent of ['confirm', 'decline']) {
      const refused = await first.press(path, intent, '', { proposal, [`why-${proposal}`]: 'x' });
      expect(refused.status).toBe(409);
      expect(refused.html).toContain('You proposed this change yourself');
    }
    expect((await newest()).state).toBe('waiting');
    await expect(
      db.execute(sql`update setting_proposal set state = 'declined', why = 'x', decided_by = proposed_by,
        decided_at = now() where id = ${Number(proposal)}`),
    ).rejects.toMatchObject({ cause: { constraint: 'setting_proposal_second' } });
    const insert = (confirmedBy: string | null) =>
      db.execute(sql`insert into setting_change (section, "values", valid_from, reason, staff_id, confirmed_by, created_at)
        values ('plan_prices', '{}', now(), '', ${one.id}, ${confirmedBy}, now())`);
    await expect(insert(one.id)).rejects.toMatchObject({
      cause: { constraint: 'setting_change_second' },
    });
    await expect(insert(null)).rejects.toMatchObject({
      cause: { constraint: 'setting_change_two_people' },
    });
  });

  it('is declined with a reason, which its author reads', async () => {
    const before = await feeNow();
    const proposal = await proposeFee('78');
    const without = await second.press(path, 'decline', '', { proposal, [`why-${proposal}`]: ' ' });
    expect(without.status).toBe(422);
    expect(without.html).toContain('Enter the reason');
    const why = { [`why-${proposal}`]: 'Not before the holidays' };
    const declined = await second.press(path, 'decline', '', { proposal, ...why });
    expect(declined.location).toBe(`${path}?done=declined`);
    expect(await feeNow()).toBe(before);
    expect((await first.open(path)).html).toMatch(
      /Declined by B\. Kaya, .*Not before the holidays/,
    );
    expect((await trail()).at(-1)).toBe('setting_proposal_declined two');
  });

  it('is withdrawn by its author alone', async () => {
    const proposal = await proposeFee('79');
    const refused = await second.press(path, 'withdraw_proposal', '', { proposal });
    expect(refused.html).toContain('Only the person who proposed this change can withdraw it.');
    const done = await first.press(path, 'withdraw_proposal', '', { proposal });
    expect(done.location).toBe(`${path}?done=proposal_withdrawn`);
    expect((await newest()).state).toBe('withdrawn');
  });

  it('is told to every administrator by email, when it is proposed and when it is confirmed', async () => {
    await platform.runJobs(emailJobs(platform));
    platform.sent.length = 0;
    const proposal = await proposeFee('92');
    await platform.runJobs(emailJobs(platform));
    const administrators = [one.email, two.email].toSorted();
    expect(platform.sent.map(({ to }) => to).toSorted()).toEqual(administrators);
    expect(platform.sent[0]).toMatchObject({ subject: 'A price change was proposed' });
    expect(platform.sent[0]?.text).toContain(
      'A. Demir has proposed a change to the prices of e-visas.',
    );
    expect(platform.sent[0]?.text).toContain('/en/admin/settings/prices');
    platform.sent.length = 0;
    expect((await second.press(path, 'confirm', '', { proposal })).status).toBe(303);
    await platform.runJobs(emailJobs(platform));
    expect(platform.sent.map(({ to }) => to).toSorted()).toEqual(administrators);
    expect(platform.sent[0]?.text).toContain('B. Kaya has confirmed a proposed change');
  });

  it('is not confirmed by who has been an administrator for less than a day, however they became one', async () => {
    const proposal = await proposeFee('83');
    const friend = await storeStaff(platform, { role: 'manager', name: 'N. Admin' });
    const desk = settingsDesk(app, platform, friend.cookie);
    expect((await changeRole(platform, one, friend.id, 'administrator')).ok).toBe(true);
    const confirm = () => desk.press(path, 'confirm', '', { proposal });
    const refused = await confirm();
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('You became an administrator less than 24 hours ago.');
    // Who is put back in use by the author is new as well.
    platform.clock.advance(25 * 3600_000);
    for (const active of [false, true]) await setActive(platform, one, friend.id, active);
    expect(await isNewAdministrator(db, friend.id, platform.now())).toBe(true);
    expect(await isNewAdministrator(db, two.id, platform.now())).toBe(false);
    expect((await newest()).state).toBe('waiting');
    platform.clock.advance(-25 * 3600_000);
    await setActive(platform, one, friend.id, false);
  });

  it('cannot be confirmed once the prices were changed by another one', async () => {
    const stale = await proposeFee('80');
    const other = await proposeFee('81');
    expect((await second.press(path, 'confirm', '', { proposal: other })).status).toBe(303);
    const { html } = await second.open(path);
    expect(html).toContain('have changed since this was proposed');
    const refused = await second.press(path, 'confirm', '', { proposal: stale });
    expect(refused.status).toBe(409);
    expect(await feeNow()).toBe('81.00');
  });

  it('that was planned for a moment that passed takes effect when it is confirmed', async () => {
    const proposal = await proposeFee('82', {
      from: 'later',
      'date-day': '24',
      'date-month': '11',
      'date-year': '2026',
      time: '10:20',
    });
    platform.clock.set(new Date('2026-11-24T10:25:00Z'));
    await second.press(path, 'confirm', '', { proposal });
    expect((await readSettings(db)).changes.at(-1)?.validFrom).toEqual(platform.now());
    expect(await feeNow()).toBe('82.00');
  });

  it('is announced to the other administrators, and to nobody else', async () => {
    await proposeFee('83');
    const seenBy = async (staff: typeof one) => (await deskSignals(db, staff, NOW)).proposals;
    expect([await seenBy(one), await seenBy(two), await seenBy(manager)]).toEqual([0, 1, 0]);
    expect((await second.open('/admin/settings')).html).toContain(
      'Waiting for a second administrator',
    );
  });

  it('is answered once, also by two at the same moment', async () => {
    const three = await storeStaff(platform, { role: 'administrator', name: 'C. Aydın' });
    const third = settingsDesk(app, platform, three.cookie);
    const proposal = await proposeFee('85');
    const before = (await readSettings(db)).changes.length;
    const answers = await Promise.all([
      second.press(path, 'confirm', '', { proposal }),
      third.press(path, 'confirm', '', { proposal }),
      second.press(path, 'confirm', '', { proposal }),
      third.press(path, 'decline', '', { proposal, [`why-${proposal}`]: 'Too much' }),
      first.press(path, 'withdraw_proposal', '', { proposal }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409, 409, 409, 409]);
    const { state } = await newest();
    const added = (await readSettings(db)).changes.length - before;
    expect(added).toBe(state === 'confirmed' ? 1 : 0);
    await db
      .update(staffAccount)
      .set({ active: false })
      .where(sql`id = ${three.id}`);
  });

  it('is asked for the price of a plan as well, and only on its own page', async () => {
    const plans = '/admin/settings/plans';
    const priceOf = async () =>
      /name="30-days"[^>]*value="([\d.]+)"/.exec((await first.open(plans)).html)?.[1];
    const before = await priceOf();
    const shown = await first.press(plans, 'review', (await first.open(plans)).html, {
      '30-days': '191',
      reason: 'The insurer asks for more',
    });
    const saved = await first.press(plans, 'save', shown.html);
    expect(saved.location).toBe(`${plans}?done=proposed`);
    const proposal = String((await newest()).id);
    expect(await priceOf()).toBe(before);
    expect((await first.press(plans, 'confirm', '', { proposal })).status).toBe(409);
    // What one page shows is not confirmed on another, whose rules are other ones.
    expect((await second.press(path, 'confirm', '', { proposal })).status).toBe(404);
    expect((await second.press(plans, 'confirm', '', { proposal })).status).toBe(303);
    expect(await priceOf()).toBe('191.00');
  });

  it('is shown, proposed and confirmed by administrators alone', async () => {
    const proposal = await proposeFee('86');
    const outsider = settingsDesk(app, platform, manager.cookie);
    expect((await outsider.open(path)).status).toBe(403);
    for (const intent of ['confirm', 'decline', 'save', 'withdraw']) {
      const typed = { proposal, evisa_fee: '1', reason: 'x', change: '1' };
      expect((await outsider.press(path, intent, '', typed)).status).toBe(403);
    }
    await db
      .update(staffAccount)
      .set({ role: 'reviewer' })
      .where(sql`id = ${two.id}`);
    expect((await second.press(path, 'confirm', '', { proposal })).status).toBe(403);
    await db
      .update(staffAccount)
      .set({ role: 'administrator' })
      .where(sql`id = ${two.id}`);
    expect((await newest()).state).toBe('waiting');
  });

  it('answers a proposal that does not exist with 404', async () => {
    for (const proposal of ['0', '999999', '99999999999', 'x']) {
      expect((await second.press(path, 'confirm', '', { proposal })).status).toBe(404);
    }
  });
});

describe('with one administrator', () => {
  it('the page says that nobody can confirm, and a change waits', async () => {
    await db
      .update(staffAccount)
      .set({ active: false })
      .where(sql`id = ${two.id}`);
    const { html } = await first.open(path);
    expect(html).toContain('There is no other administrator yet');
    await proposeFee('84');
    await db
      .update(staffAccount)
      .set({ active: true })
      .where(sql`id = ${two.id}`);
  });

  it('decides alone only where the configuration says so, and only until there is a second', async () => {
    const alone = await makeTestPlatform({
      now: NOW,
      variables: { ONE_ADMINISTRATOR_SETS_PRICES: 'yes' },
    });
    await seedAll(alone.db, seeders, NOW);
    const only = await storeStaff(alone, { role: 'administrator' });
    const desk = settingsDesk(makeTestApp(alone), alone, only.cookie);
    const typed = { evisa_fee: '72', reason: 'Costs went up' };
    const page = (await desk.open(path)).html;
    expect(page).toContain('the configuration lets you change prices alone');
    const shown = await desk.press(path, 'review', page, typed);
    expect((await desk.press(path, 'save', shown.html)).location).toBe(`${path}?done=saved`);
    expect((await readSettings(alone.db)).changes.at(-1)).toMatchObject({
      alone: true,
      confirmedBy: null,
    });
    expect((await desk.open(path)).html).toContain('Decided by the only administrator.');
    await storeStaff(alone, { role: 'administrator' });
    const next = await desk.press(path, 'review', (await desk.open(path)).html, {
      ...typed,
      evisa_fee: '73',
    });
    expect((await desk.press(path, 'save', next.html)).location).toBe(`${path}?done=proposed`);
  });
});
