import { afterEach, describe, expect, it } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { settingsDesk } from '../application/testing/settings-desk.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { operatorProblem } from './operator.server.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
// Two administrators: see `settings-prices.test.ts`.
const platform = await makeTestPlatform({
  now: NOW,
  variables: { ONE_ADMINISTRATOR_SETS_PRICES: 'yes' },
});
await seedAll(platform.db, seeders, NOW);
const app = makeTestApp(platform);
const { cookie } = await storeStaff(platform, { role: 'administrator' });

const { open, press } = settingsDesk(app, platform, cookie);
afterEach(() => platform.clock.set(NOW));

const trail = async () => {
  const entries = await platform.db.select().from(auditEntry);
  return entries.map(({ action, subjectId }) => `${action} ${subjectId}`);
};

describe('prices at the desk', () => {
  const path = '/admin/settings/prices';
  const reason = 'Costs went up';
  const feeIn = (html: string) => /name="evisa_fee"[^>]*value="([\d.]+)"/.exec(html)?.[1];

  it('show what will change, and keep nothing before that was seen', async () => {
    const form = await open(path);
    const before = await readSettings(platform.db);
    const shown = await press(path, 'review', form.html, { evisa_fee: '72', reason });
    expect(shown.status).toBe(200);
    expect(shown.html).toContain(`$${feeIn(form.html)}`);
    expect(shown.html).toContain('$72.00');
    expect(await readSettings(platform.db)).toEqual(before);
    const saved = await press(path, 'save', shown.html);
    expect(saved).toMatchObject({ status: 303, location: `${path}?done=saved` });
    expect((await open(path)).html).toContain('value="72.00"');
    expect(await trail()).toContain('setting_changed visa_prices');
  });

  it('say at the field what is wrong, and lose nothing that was typed', async () => {
    const form = await open(path);
    const wrong = await press(path, 'review', form.html, {
      'without_document.fast': '20',
      from: 'later',
      'date-day': '1',
      'date-month': 'January',
      'date-year': '2020',
    });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('A faster speed must cost more');
    expect(wrong.html).toContain('This time has passed');
    expect(wrong.html).toContain('Enter the reason');
    expect(wrong.html).toContain('value="January"');
    expect(wrong.html).toContain('<title>Error:');
    const same = await press(path, 'review', form.html, { reason });
    expect(same.status).toBe(422);
    expect(same.html).toContain('This is the same as what already applies');
  });

  it('tell the second of two administrators that somebody was first', async () => {
    const mine = await open(path);
    const theirs = await press(path, 'review', mine.html, { evisa_fee: '73', reason });
    expect((await press(path, 'save', theirs.html)).status).toBe(303);
    const late = await press(path, 'review', mine.html, { evisa_fee: '74', reason });
    const refused = await press(path, 'save', late.html);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('Someone changed these settings');
    expect((await open(path)).html).toContain('value="73.00"');
  });

  it('say of each price that was replaced until when it was in force', async () => {
    const html = (await open(path)).html;
    const beginning = html.slice(html.indexOf('From the beginning'));
    expect(beginning).toMatch(/<s>E-visa fee: [^<]*<\/s> (<!-- -->)?until Mon 23 Nov 2026/);
    expect(beginning).toMatch(/<li>[^<]*Fast[^<]*<\/li>/);
  });

  it('can be planned, and taken back until their moment', async () => {
    const later = {
      from: 'later',
      'date-day': '1',
      'date-month': '12',
      'date-year': '2026',
      time: '09:30',
    };
    const form = await open(path);
    const shown = await press(path, 'review', form.html, {
      evisa_fee: '80',
      reason,
      ...later,
    });
    expect(shown.html).toContain('09:30');
    await press(path, 'save', shown.html);
    const planned = (await readSettings(platform.db)).changes.at(-1);
    expect(planned?.validFrom.toISOString()).toBe('2026-12-01T09:30:00.000Z');
    expect(feeIn((await open(path)).html)).toBe(feeIn(form.html));
    const withdrawn = await press(path, 'withdraw', '', { change: String(planned?.id) });
    expect(withdrawn.location).toBe(`${path}?done=withdrawn`);
    expect((await press(path, 'withdraw', '', { change: String(planned?.id) })).status).toBe(404);
    expect(await trail()).toContain('setting_withdrawn visa_prices');
  });
});

describe('insurance plans at the desk', () => {
  const path = '/admin/settings/plans';
  const reason = 'The insurer wants it so';
  const offered = async () => {
    const answer = await app.request('/api/insurance/products');
    const plans: { id: string; price: string }[] = await answer.json();
    return new Map(plans.map(({ id, price }) => [id, price]));
  };
  const planned = {
    from: 'later',
    'date-day': '23',
    'date-month': '11',
    'date-year': '2026',
    time: '10:20',
  };

  it('are taken off sale from a moment on, and come back with the price they had, or another one', async () => {
    const typed = { 'sale-30-days': 'no', '60-days': '260', reason, ...planned };
    const shown = await press(path, 'review', (await open(path)).html, typed);
    expect(shown.status).toBe(200);
    expect(shown.html).toContain('Not on sale');
    expect(shown.html).toContain('$260.00');
    expect((await press(path, 'save', shown.html)).status).toBe(303);
    expect((await offered()).has('30-days')).toBe(true);
    platform.clock.set(new Date('2026-11-23T10:20:00Z'));
    expect((await offered()).has('30-days')).toBe(false);
    expect((await offered()).get('60-days')).toBe('260.00');
    expect((await open(path)).html).toContain('30 days: Not on sale');
    expect(await (await app.request('/en/insurance')).text()).not.toContain('value="30-days"');
    expect(await (await app.request('/en')).text()).not.toContain('$189.00');

    // While it is not sold, its price is not checked.
    const cheap = { '30-days': '100', reason };
    const priced = await press(path, 'review', (await open(path)).html, cheap);
    expect((await press(path, 'save', priced.html)).status).toBe(303);
    const back = { 'sale-30-days': 'yes', reason };
    const wrong = await press(path, 'review', (await open(path)).html, back);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('A longer plan must cost more');
    const dearer = await press(path, 'review', wrong.html, { '30-days': '195' });
    expect((await press(path, 'save', dearer.html)).status).toBe(303);
    expect((await offered()).get('30-days')).toBe('195.00');
  });

  it('are never all off sale, neither at once nor by what is planned', async () => {
    const ids = [...(await offered()).keys()];
    const none = Object.fromEntries(ids.map((id) => [`sale-${id}`, 'no']));
    const all = await press(path, 'review', (await open(path)).html, { ...none, reason });
    expect(all.status).toBe(422);
    expect(all.html).toContain('At least one plan must stay on sale');
    const later = { ...planned, 'date-year': '2027', reason };
    const most = { ...none, 'sale-1-year': 'yes', ...later };
    const shown = await press(path, 'review', (await open(path)).html, most);
    expect((await press(path, 'save', shown.html)).status).toBe(303);
    // Allowed now, but a year from now nothing would be on sale.
    const last = { 'sale-1-year': 'no', reason };
    const one = await press(path, 'review', (await open(path)).html, last);
    const refused = await press(path, 'save', one.html);
    expect(refused.status).toBe(409);
    expect(refused.html).toContain('no plan would be on sale');
  });
});

describe('the operator', () => {
  const path = '/admin/settings/operator';

  it('is named by footer and policies as the settings say', async () => {
    const typed = {
      legalName: 'Example Travel Ltd',
      supportEmail: 'help@example.org',
      reason: 'x',
    };
    const shown = await press(path, 'review', (await open(path)).html, typed);
    expect(shown.status).toBe(200);
    await press(path, 'save', shown.html);
    const home = await (await app.request('/en')).text();
    expect(home).toContain('Example Travel Ltd');
    expect(home).toContain('mailto:help@example.org');
    expect(await (await app.request('/en/kvkk')).text()).toContain('Example Travel Ltd');
  });

  it('writes to an address of e-mail as contact or help, but never calls that a chat', () => {
    const mail = 'mailto:help@example.org';
    expect(operatorProblem('contactUrl', mail)).toBeNull();
    expect(operatorProblem('helpCentreUrl', mail)).toBeNull();
    expect(operatorProblem('liveChatUrl', mail)).toEqual({ code: 'chat_unreal' });
    expect(operatorProblem('liveChatUrl', 'https://chat.example.org')).toBeNull();
  });
});

describe('certifications', () => {
  const path = '/admin/settings/certifications';
  const typed = {
    name: 'Example 27001',
    number: '42',
    issuer: 'Example Registrar',
    evidence: 'https://registrar.example/42',
    'validUntil-day': '5',
    'validUntil-month': '3',
    'validUntil-year': '2027',
    reason: 'Audited',
  };
  const security = async () => (await app.request('/en/security')).text();

  it('are claimed with evidence only, and while they are valid', async () => {
    const form = await open(path);
    const without = await press(path, 'review', form.html, { ...typed, evidence: '' });
    expect(without.html).toContain('Enter an https:// address with the evidence');
    expect(await security()).not.toContain('Example 27001');
    const shown = await press(path, 'review', form.html, typed);
    await press(path, 'save', shown.html);
    expect(await security()).toContain('href="https://registrar.example/42"');
    platform.clock.set(new Date('2027-03-06T00:00:00Z'));
    expect(await security()).not.toContain('Example 27001');
  });
});

describe('retention', () => {
  const path = '/admin/settings/retention';
  const reason = 'The authority asked';

  it('moves within its bounds, and is shortened after a month at the earliest', async () => {
    const outside = await press(path, 'review', (await open(path)).html, { visa: '4', reason });
    expect(outside.status).toBe(422);
    expect(outside.html).toContain('from 5 to 10');
    const longer = await press(path, 'review', (await open(path)).html, { visa: '7', reason });
    expect((await press(path, 'save', longer.html)).status).toBe(303);
    expect(await (await app.request('/en/kvkk')).text()).toContain('7 years');
    const shorter = await press(path, 'review', (await open(path)).html, { visa: '6', reason });
    expect(shorter.status).toBe(422);
    expect(shorter.html).toContain('2026-12-23 10:00');
  });
});

describe('a nationality at the desk', () => {
  const path = '/admin/settings/countries/IND';
  const reason = 'Read again';

  it('carries its source and the day it was checked, and what each document is granted', async () => {
    const ordinary = await open(path);
    expect(ordinary.html).toContain('Source: mfa.gov.tr');
    expect(ordinary.html).toContain('Checked on: 27 May 2026');
    const diplomatic = await open(`${path}?document=diplomatic`);
    expect(diplomatic.html).toContain('Now: No visa · 90 days');
    const armenian = await open('/admin/settings/countries/ARM?document=service');
    expect(armenian.html).toContain('Now: E-visa from the official site only, free');
  });

  it('is checked anew without another change, never in the future', async () => {
    const form = await open(path);
    const future = { 'checked-day': '24', 'checked-month': '11', 'checked-year': '2026', reason };
    const wrong = await press(path, 'review', form.html, future);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('Enter today or an earlier date.');
    const shown = await press(path, 'review', form.html, { ...future, 'checked-day': '23' });
    expect(shown.html).toContain('23 November 2026');
    await press(path, 'save', shown.html);
    const home = await app.request('/en?countryId=IND');
    expect(await home.text()).toContain('Checked on 23 November 2026.');
  });

  it('may send holders of another document to the official site', async () => {
    const document = '/admin/settings/countries/CUB?document=service';
    const form = await open(document);
    const typed = { regime: 'official_site', source: 'A circular', reason };
    const shown = await press(document, 'review', form.html, typed);
    expect(shown.status).toBe(200);
    await press(document, 'save', shown.html);
    const home = await (await app.request('/en?countryId=CUB&documentType=service')).text();
    expect(home).toContain('We cannot apply with this document');
    expect(home).toContain('https://www.evisa.gov.tr/en/');
  });
});
