import { beforeAll, describe, expect, it, vi } from 'vitest';
import { storeStaffId } from '../src/features/staff/testing/staff-id.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { countryByCode } from '../src/features/catalog/store.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { settingsDesk } from '../src/features/desk/application/testing/settings-desk.ts';
import { FAILURES } from '../src/features/payment/providers/failures.ts';
import {
  noteFailedStart,
  noteStart,
  offeredProviders,
} from '../src/features/payment/providers/outage.server.ts';
import { decide, sectionVersion } from '../src/features/settings/decide.server.ts';
import { proposalsOf } from '../src/features/settings/proposals.server.ts';
import { readSettings } from '../src/features/settings/store.server.ts';
import { signOut } from '../src/features/staff/session.server.ts';
import { saveDraft } from '../src/features/form/draft/draft.server.ts';
import { visaDrafts } from '../src/features/visa/store/draft.server.ts';
import { southAfrican } from '../src/features/visa/testing/sample-browser.server.ts';
import { visaPrices } from '../src/features/visa/store/prices.server.ts';
import { makePayments } from '../src/app/composition/payments.server.ts';
import { makeLimiter } from '../src/platform/http/rate-limit.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { listenAsProcess, startSecondProcess } from './second-process.ts';

// Changes of one process reach the other: two platforms on one database, each with its own memory.
const NOW = new Date('2026-11-23T10:00:00Z');
const here = await makeTestPlatform({ now: NOW });
listenAsProcess(here, here.url);
const there = await startSecondProcess(here.url, { now: NOW });
const [appHere, appThere] = [makeTestApp(here), makeTestApp(there)];
const administrator = await storeStaff(here, { role: 'administrator' });
const { open, press } = settingsDesk(appHere, here, administrator.cookie);

beforeAll(async () => {
  await seedAll(here.db, seeders, NOW);
  await vi.waitFor(() => expect(there.invalidations.mark('setting_change')).not.toBeNull());
});

/** Within a second. */
const soon = { interval: 10, timeout: 1000 };

async function save(section: string, typed: Record<string, string>) {
  const path = `/admin/settings/${section}`;
  const shown = await press(path, 'review', (await open(path)).html, { reason: 'x', ...typed });
  expect(shown.status).toBe(200);
  expect((await press(path, 'save', shown.html)).status).toBe(303);
}

describe('the other process knows within a second', () => {
  it('a price', async () => {
    const prices = async () => JSON.stringify(await visaPrices(there));
    const before = await prices();
    await save('prices', { evisa_fee: '72' });
    const { cookie } = await storeStaff(here, { role: 'administrator' });
    const [proposal] = (await proposalsOf(here.db, 'visa_prices')).waiting;
    const typed = { proposal: String(proposal?.id) };
    const second = settingsDesk(appHere, here, cookie);
    expect((await second.press('/admin/settings/prices', 'confirm', '', typed)).status).toBe(303);
    await expect.poll(prices, soon).not.toBe(before);
    expect(await prices()).toBe(JSON.stringify(await visaPrices(here)));
  });

  it('the operator, on pages that it keeps', async () => {
    const home = async () => (await appThere.request('/en')).text();
    expect(await home()).not.toContain('Example Travel Ltd');
    await save('operator', { legalName: 'Example Travel Ltd' });
    await expect.poll(home, soon).toContain('Example Travel Ltd');
  });

  it('a country’s regime', async () => {
    const regime = async () => (await countryByCode(there, 'IND'))?.regime;
    expect(await regime()).not.toBe('visa_free');
    const value = {
      regime: 'visa_free',
      maxStayDays: 30,
      entries: null,
      source: 'x',
      sourceAddress: '',
      note: '',
      checkedOn: '2026-11-20',
    };
    const seen = sectionVersion(await readSettings(here.db), 'countries');
    const asked = { section: 'countries', values: { IND: value }, seen } as const;
    const by = { validFrom: null, reason: 'x', staffId: await storeStaffId(here.db), now: NOW };
    const quiet = async () => undefined;
    await decide(here.db, { ...asked, ...by }, () => true, quiet);
    await expect.poll(regime, soon).toBe('visa_free');
  });

  it('that a payment partner is down, and that it is back', async () => {
    const { providers } = makePayments(there);
    const offered = async () => (await offeredProviders(there, providers)).map(({ name }) => name);
    expect(await offered()).toEqual(['card', 'paypal', 'stripe']);
    for (let failure = 0; failure < FAILURES; failure++) await noteFailedStart(here, 'card');
    await expect.poll(offered, soon).toEqual(['paypal', 'stripe', 'card']);
    await noteStart(here, 'card');
    await expect.poll(offered, soon).toEqual(['card', 'paypal', 'stripe']);
  });

  it('that a limit was reset, though it refused from its memory', async () => {
    const limit = { name: 'two_processes', points: 2, seconds: 600 };
    const [mine, theirs] = [makeLimiter(here.pool, limit), makeLimiter(there.pool, limit)];
    for (let call = 0; call < 2; call++) await theirs.consume('somebody');
    expect((await theirs.consume('somebody')).allowed).toBe(false);
    const asked = there.acquired();
    expect((await theirs.consume('somebody')).allowed).toBe(false);
    expect(there.acquired()).toBe(asked);
    await mine.reset('somebody');
    await expect.poll(async () => (await theirs.consume('somebody')).allowed, soon).toBe(true);
  });

  it('that a session of staff was ended, at once', async () => {
    const { cookie } = await storeStaff(here, { role: 'reviewer' });
    const status = async () =>
      (await appThere.request('/api/admin/applications', { headers: { cookie } })).status;
    expect(await status()).toBe(200);
    await signOut(here, new Request('http://127.0.0.1/admin', { headers: { cookie } }));
    expect(await status()).toBe(401);
  });
});

describe('what a visitor began at one process', () => {
  it('goes on at the other: a draft', async () => {
    const request = new Request('http://127.0.0.1/application');
    const writing = {
      step: 'details',
      entries: southAfrican,
      page: 'p',
      seen: 0,
      turn: 1,
    } as const;
    const saved = await saveDraft(
      visaDrafts,
      here,
      request,
      null,
      { ...writing, by: 'next' },
      'en',
    );
    const cookie = (saved.kind === 'saved' && saved.setCookie?.split(';')[0]) || '';
    const review = await appThere.request('/application/review', { headers: { cookie } });
    expect(review.status).toBe(200);
    expect(await review.text()).toContain(southAfrican.lastName ?? 'no name');
  });
});

describe('while nothing changes', () => {
  it('kept pages and prices ask the database nothing, however long', async () => {
    await appThere.request('/en/faq');
    await visaPrices(there);
    const before = there.acquired();
    const until = performance.now() + 2200;
    while (performance.now() < until) {
      await appThere.request('/en/faq');
      await visaPrices(there);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(there.acquired() - before).toBe(0);
  });
});
