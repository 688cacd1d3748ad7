import { beforeAll, describe, expect, it, vi, afterEach } from 'vitest';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { settingsDesk } from '~/features/desk/application/testing/settings-desk.ts';
import { MAX_FAILED_STARTS } from '~/features/payment/provider.ts';
import {
  noteFailedStart,
  noteStart,
  offeredProviders,
} from '~/features/payment/providers/outage.server.ts';
import { decideSetting, sectionVersion } from '~/features/settings/decide.server.ts';
import { proposalsBySection } from '~/features/settings/proposals.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { signOut } from '~/features/staff/session.server.ts';
import { saveDraft } from '~/features/form/draft/draft.server.ts';
import { visaDrafts } from '~/features/visa/store/draft.server.ts';
import { southAfrican } from '~/features/visa/testing/sample-browser.server.ts';
import { visaPrices } from '~/features/visa/store/store.server.ts';
import { makePayments } from '~/app/composition/payments.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { adult } from '~/features/insurance/testing/sample-answers.ts';
import { completeAnswers, countries, NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { listenAsProcess, startSecondProcess } from './second-process.ts';
import { useDatabase } from './database.ts';
import { isThorough } from './thorough.ts';

describe('two processes', async () => {
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
      const [proposal] = (await proposalsBySection(here.db, 'visa_prices')).waiting;
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
      await decideSetting(here.db, { ...asked, ...by }, () => true, quiet);
      await expect.poll(regime, soon).toBe('visa_free');
    });

    it('that a payment partner is down, and that it is back', async () => {
      const { providers } = makePayments(there);
      const offered = async () =>
        (await offeredProviders(there, providers)).map(({ name }) => name);
      expect(await offered()).toEqual(['card', 'paypal', 'stripe']);
      for (let failure = 0; failure < MAX_FAILED_STARTS; failure++)
        await noteFailedStart(here, 'card');
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
});

describe('concurrent requests', async () => {
  const TRAVELLERS = 128;
  const ROUNDS = isThorough ? [1, 2, 3] : [1];

  // Far fewer connections than travellers: a request that holds one and asks for another would block all others.
  const database = await useDatabase({ poolSize: 3, waitMs: 100_000 });
  const platform = await makeTestPlatform({
    now: NOW,
    database,
    variables: { TRUST_PROXY: 'yes' },
  });
  const app = makeTestApp(platform);
  beforeAll(() => seedAll(platform.db, seeders, NOW));

  let travellers = 0;
  /** Each traveller has an address of their own. */
  const address = () => {
    travellers++;
    return `2001:db8:${travellers.toString(16)}::1`;
  };

  const call = (path: string, body: object) => () =>
    app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address() },
      body: JSON.stringify(body),
    });

  async function atOnce(submit: readonly (() => Response | Promise<Response>)[]) {
    const before = await stored();
    const answers = await Promise.all(submit.map(async (one) => one()));
    const done = answers.filter(({ status }) => status < 400).length;
    const others = answers.filter(({ status }) => status >= 400);
    return {
      unanswered: others.filter(
        ({ status, headers }) => status !== 503 || !headers.get('retry-after'),
      ),
      done,
      refused: others.length,
      stored: (await stored()) - before,
    };
  }

  async function stored(): Promise<number> {
    const { rows } = await platform.pool.query<{ n: number }>(
      'select count(*)::int as n from application',
    );
    return rows[0]?.n ?? 0;
  }

  /** The wizard's last page, with all answers given, in a browser of its own. */
  async function atReview() {
    const entries = southAfrican;
    const request = new Request('http://127.0.0.1/application');
    const writing = { step: 'details', entries, page: 'p', seen: 0, turn: 1, by: 'next' } as const;
    const saved = await saveDraft(visaDrafts, platform, request, null, writing, 'en');
    const cookie = (saved.kind === 'saved' && saved.setCookie?.split(';')[0]) || '';
    const headers = { cookie, 'x-forwarded-for': address() };
    const body = new URLSearchParams({ intent: 'pay', totalAmount: '94.00', scripts: 'yes' });
    return () => app.request('/application/review', { method: 'POST', headers, body });
  }

  const { purpose: _, ...visa } = completeAnswers(countries.southAfrica);
  const insurance = {
    ...adult,
    travelDate: '2026-12-12',
    returnDate: '2026-12-21',
    dateOfBirth: '1991-07-14',
    productId: '14-days',
    totalAmount: '149.00',
  };

  const everybody = <T>(make: () => T): T[] => Array.from({ length: TRAVELLERS }, make);

  describe.each(ROUNDS)('128 travellers at once over three connections, round %i', () => {
    it('post applications: each is stored', { timeout: 180_000 }, async () => {
      const post = call('/api/applications', { ...visa, totalAmount: '94.00' });
      const all = await atOnce(everybody(() => post));
      expect(all).toEqual({ unanswered: [], done: TRAVELLERS, refused: 0, stored: TRAVELLERS });
    });

    it('take the wizard’s last step: each is stored', { timeout: 180_000 }, async () => {
      const all = await atOnce(await Promise.all(everybody(atReview)));
      expect(all).toEqual({ unanswered: [], done: TRAVELLERS, refused: 0, stored: TRAVELLERS });
    });

    it('buy an insurance: each is stored', { timeout: 180_000 }, async () => {
      const all = await atOnce(everybody(() => call('/api/insurance/applications', insurance)));
      expect(all).toEqual({ unanswered: [], done: TRAVELLERS, refused: 0, stored: TRAVELLERS });
    });
  });
});

describe('no connection', async () => {
  const POOL = 2;
  // Long enough to connect on a busy machine, too.
  const database = await useDatabase({ poolSize: POOL, waitMs: 2000 });
  const platform = await makeTestPlatform({ now: NOW, database });
  const app = makeTestApp(platform);
  beforeAll(() => seedAll(platform.db, seeders, NOW));

  const held: (() => void)[] = [];
  const release = () => held.splice(0).forEach((one) => one());
  afterEach(release);

  /** Takes every connection. */
  async function takeAllConnections() {
    for (let n = 0; n < POOL; n++) {
      const client = await platform.pool.connect();
      held.push(() => client.release());
    }
  }

  const page = (path: string, init: RequestInit = {}) =>
    app.request(path, {
      ...init,
      headers: { accept: 'text/html', cookie: 'lale_draft=x' },
    });

  describe('without a free connection', () => {
    it.each([
      ['en', 'Lale is very busy right now', 'ltr'],
      ['ar', 'عدد الزوار كبير جدًا الآن', 'rtl'],
    ])('a page in %s says that we are busy, with 503', async (language, title, direction) => {
      await takeAllConnections();
      const answer = await page(`/${language}/application`);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      const text = await answer.text();
      expect(text).toContain(`lang="${language}" dir="${direction}"`);
      expect(text).toContain(`<h1>${title}</h1>`);
    });

    it('a form that is sent is refused in the same way', async () => {
      await takeAllConnections();
      const body = new URLSearchParams({ intent: 'next', countryId: 'ZAF' });
      const answer = await page('/application', { method: 'POST', body });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    });

    it('the script of an open page is refused with 503', async () => {
      await takeAllConnections();
      const answer = await app.request('/application', {
        headers: { cookie: 'lale_draft=x', accept: 'application/json' },
      });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
    });

    it('a call is refused with 503 and a code', async () => {
      await takeAllConnections();
      const { purpose: _, ...answers } = completeAnswers(countries.southAfrica);
      const answer = await app.request('/api/applications', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...answers, totalAmount: '94.00' }),
      });
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toMatchObject({ status: 503, code: 'busy' });
    });

    it('is over as soon as there is one', async () => {
      await takeAllConnections();
      expect((await page('/application')).status).toBe(503);
      release();
      expect((await page('/application')).status).toBe(200);
    });
  });
});
