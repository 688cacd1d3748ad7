import { describe, expect, test, it } from 'vitest';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { languages } from '~/base/languages.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { readTerms, typedTerms } from './terms.server.ts';
import { decideSetting, sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { plansOnSale, termsInForce } from '~/features/insurance/store/plan-store.server.ts';
import { sampleTerms, endSampleTerms } from '~/features/insurance/store/seed.server.ts';
import { completeAnswers } from '~/features/insurance/testing/sample-answers.ts';
import { requireTerms } from '~/features/insurance/certificate/certificate-job.server.ts';
import type { PublishedTerms } from '~/features/insurance/rules/terms.ts';
import { settingsDesk } from '../application/testing/settings-desk.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';

/** What an administrator types. */
const typed = {
  insurer: 'Bosphorus Test Insurance Inc.',
  address: '5 Harbour Road, Test City',
  licence: '',
  assistancePhone: '+90 212 555 00 00',
  complaintContact: 'complaints@bosphorus.example',
  'covers-en': 'Emergency treatment | USD 50,000\nBaggage | USD 500',
  'covers-de': 'Notfallbehandlung | 50.000 USD\nGepäck | 500 USD',
  'wording-en': 'One.\n\nTwo.',
};

function termsOfForm(changes: Record<string, string> = {}): PublishedTerms {
  const { terms, problems } = readTerms({ ...typed, ...changes });
  if (!terms) throw new Error(JSON.stringify(problems));
  return terms;
}

async function service(mode: 'test' | 'live') {
  const platform = await makeTestPlatform();
  await seedAll(platform.db, seeders, platform.now());
  const running = { ...platform, config: { ...platform.config, mode } };
  await endSampleTerms(platform.db, mode, platform.now());
  const publish = async (terms: PublishedTerms | null, validFrom: Date | null = null) => {
    const { db } = platform;
    const asked = {
      section: 'insurance_terms' as const,
      values: { terms },
      validFrom,
      reason: 'A test',
      staffId: await storeStaffId(db),
      seen: sectionVersion(await readSettings(db), 'insurance_terms'),
      now: platform.now(),
    };
    const kept = await decideSetting(
      db,
      asked,
      () => true,
      async () => undefined,
    );
    if (!kept.ok) throw new Error(kept.error);
  };
  return { platform, app: makeTestApp(running), publish };
}

const apply = (app: ReturnType<typeof makeTestApp>) =>
  app.request('/api/insurance/applications', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...completeAnswers, totalAmount: 149 }),
  });

describe('live mode without an insurer’s terms', () => {
  test('sells no insurance, and says so on every way to it', async () => {
    const { platform, app } = await service('live');
    expect(await plansOnSale(platform.db, platform.now())).toEqual([]);
    const refused = await apply(app);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('content-type')).toContain('application/problem+json');
    expect(await refused.json()).toMatchObject({ code: 'insurance_not_on_sale' });
    expect(await (await app.request('/api/insurance/products')).json()).toEqual([]);
    for (const { code } of languages) {
      const form = await (await app.request(`/${code}/insurance`)).text();
      expect(form).not.toContain('name="passportNumber"');
      expect(await (await app.request(`/${code}`)).text()).not.toContain('insurance-panel');
    }
    expect(await (await app.request('/en/insurance')).text()).toContain(
      'Travel insurance is not available right now',
    );
    expect((await app.request('/insurance/terms')).status).toBe(404);
    expect((await app.request('/test-mode')).status).toBe(404);
  });

  test('takes no payment for what was ordered on sample terms', async () => {
    const { platform, app } = await service('test');
    const bought = await apply(app);
    expect(bought.status).toBe(201);
    const { orderReference }: { orderReference: string } = await bought.json();
    const pay = () =>
      app.request('/api/payment/create', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ orderReference, amount: '149.00' }),
      });
    // No provider answers in this test, but the request goes there.
    expect(await (await pay()).json()).toMatchObject({ code: 'payment_start_failed' });
    await endSampleTerms(platform.db, 'live', platform.now());
    const refused = await pay();
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ code: 'order_closed' });
  });

  test('sells from the moment on at which terms are in force', async () => {
    const { platform, app, publish } = await service('live');
    await publish(termsOfForm(), new Date(platform.now().getTime() + 3_600_000));
    expect((await apply(app)).status).toBe(503);
    platform.clock.advance(3_600_000);
    expect((await plansOnSale(platform.db, platform.now())).length).toBeGreaterThan(0);
    expect(await termsInForce(platform.db, platform.now())).toMatchObject({
      insurer: typed.insurer,
      isSample: false,
    });
  });

  test('does not take real terms out of force at the next start', async () => {
    const { platform, publish } = await service('live');
    await publish(termsOfForm());
    await endSampleTerms(platform.db, 'live', platform.now());
    expect(await termsInForce(platform.db, platform.now())).toMatchObject({
      insurer: typed.insurer,
    });
  });
});

describe('a version of terms', () => {
  test('is kept with what was sold on it, whatever is decided later', async () => {
    const { platform, publish } = await service('test');
    const first = await termsInForce(platform.db, platform.now());
    expect(first).toMatchObject({ isSample: true, insurer: sampleTerms.insurer });
    platform.clock.advance(1000);
    await publish(termsOfForm());
    const second = await termsInForce(platform.db, platform.now());
    expect(second?.version).not.toBe(first?.version);
    expect(second?.insurer).toBe(typed.insurer);
    expect(await requireTerms(platform.db, first?.version ?? 0)).toEqual(first);
    // Reading again makes no other version.
    expect(await termsInForce(platform.db, platform.now())).toEqual(second);
  });

  test('is the same for those who ask at the same moment', async () => {
    const { platform, publish } = await service('test');
    await publish(termsOfForm());
    const seen = await Promise.all(
      Array.from({ length: 5 }, () => termsInForce(platform.db, platform.now())),
    );
    expect(new Set(seen.map((one) => one?.version)).size).toBe(1);
  });

  test('has a page of its own, in the traveller’s language where it has one', async () => {
    const { platform, app, publish } = await service('test');
    await publish(termsOfForm());
    const version = (await termsInForce(platform.db, platform.now()))?.version ?? 0;
    const now = await app.request('/de/insurance/terms');
    expect(now.headers.get('location')).toBe(`/de/insurance/terms/${version}`);
    const german = await (await app.request(`/de/insurance/terms/${version}`)).text();
    expect(german).toContain('Notfallbehandlung');
    expect(german).toContain('lang="en"');
    expect(german).toContain(typed.complaintContact);
    const form = await (await app.request('/en/insurance')).text();
    expect(form).toContain(`href="/en/insurance/terms/${version}"`);
    expect(form).toContain('USD 50,000');
    expect((await app.request('/insurance/terms/999')).status).toBe(404);
    expect((await app.request('/insurance/terms/x')).status).toBe(404);
  });
});

describe('the form of an insurer’s terms', () => {
  test('shows again what it read', () => {
    expect(readTerms(typedTerms(termsOfForm())).terms).toEqual(termsOfForm());
  });

  test.each([
    ['insurer', '', 'operator_required'],
    ['insurer', 'x'.repeat(301), 'operator_long', { limit: 300 }],
    ['insurer', '[insurer legal name]', 'operator_required'],
    ['assistancePhone', '112', 'phone_unreal'],
    ['complaintContact', '', 'operator_required'],
    ['covers-en', '', 'cover_unreal', { most: 12 }],
    ['covers-en', 'Treatment without a sum', 'cover_unreal', { most: 12 }],
    ['covers-de', 'Gepäck | 500 USD', 'cover_lines'],
    ['wording-en', ' ', 'operator_required'],
    ['wording-fr', 'x'.repeat(60_001), 'wording_long', { limit: 60_000 }],
  ])('refuses %s as %.20j: %s', (field, text, code, values?: Record<string, number>) => {
    const { terms, problems } = readTerms({ ...typed, [field]: text });
    expect(terms).toBeNull();
    expect(problems).toContainEqual(values ? { field, code, values } : { field, code });
  });
});

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
  expect((await requireTerms(platform.db, version)).insurer).toContain('Sample Insurer');
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
