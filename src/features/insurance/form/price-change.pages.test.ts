import { count } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { languages, languageCodes } from '~/base/languages.ts';
import { usd } from '~/base/money.ts';
import { application } from '~/features/application/tables.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seedInsurance, sampleTerms } from '../store/seed.server.ts';
import { decidePlans } from '../testing/decide-plans.server.ts';
import { adultForm, formRequest, visitor } from '../testing/visit.ts';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { decideSetting, sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { certificateFacts } from '../certificate/certificate-job.server.ts';
import { readInsuranceDetails } from '../store/store.server.ts';
import { TERMS_SUBJECT } from '../store/plan-store.server.ts';
import { applicationByNumber, applicationById } from '~/features/application/store.server.ts';
import { makePayment } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform();
const browser = visitor(makeTestApp(platform));

beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

const setPrice = (dollars: number, plan = '14-days') =>
  decidePlans(platform, { [plan]: usd(dollars * 100) });

const stored = async () => {
  const [row] = await platform.db.select({ all: count() }).from(application);
  return row?.all ?? 0;
};

/** The prices that the page's form sends back. */
const shownIn = (html: string) => /name="pricesShown" value="([^"]*)"/.exec(html)?.[1] ?? '';

describe('a price that changes while somebody fills the form in', () => {
  it.each(languages)(
    'is announced in $code with both amounts before anything is stored',
    async ({ code }) => {
      await setPrice(149);
      const visit = browser();
      const path = `/${code}/insurance`;
      const pricesShown = shownIn((await visit(path)).html);
      expect(pricesShown).not.toBe('');
      await setPrice(155);
      const before = await stored();
      const refused = await visit(path, formRequest({ ...adultForm, pricesShown }));
      expect(refused.response.status).toBe(409);
      const alert = /<div[^>]*role="alert"[^>]*>.*?<\/div>/s.exec(refused.html)?.[0] ?? '';
      expect(alert).toContain('149');
      expect(alert).toContain('155');
      expect(await stored()).toBe(before);
      // The page shows the new price now, so sending it again agrees to it.
      const again = formRequest({ ...adultForm, pricesShown: shownIn(refused.html) });
      expect((await visit(path, again)).location).toMatch(/\/insurance\/review$/);
      const paying = await visit(`${path}/review`, formRequest({ intent: 'pay' }));
      expect(paying.location).toMatch(/\/insurance\/payment\?ref=TRI/);
      expect(await stored()).toBe(before + 1);
    },
  );

  it('is announced beside whatever else is wrong', async () => {
    await setPrice(149);
    const visit = browser();
    const pricesShown = shownIn((await visit('/insurance')).html);
    await setPrice(160);
    const refused = await visit(
      '/insurance',
      formRequest({ ...adultForm, phone: '', pricesShown }),
    );
    expect(refused.response.status).toBe(422);
    expect(refused.html).toContain('from $149.00 to $160.00');
  });

  it('of another plan than the chosen one is no matter', async () => {
    await setPrice(149);
    const visit = browser();
    const pricesShown = shownIn((await visit('/insurance')).html);
    await setPrice(191, '30-days');
    const sent = formRequest({ ...adultForm, pricesShown });
    expect((await visit('/insurance', sent)).location).toBe('/insurance/review');
  });

  it('leaves what was submitted before at its price', async () => {
    await setPrice(149);
    const visit = browser();
    await visit('/insurance', formRequest(adultForm));
    const { location } = await visit('/insurance/review', formRequest({ intent: 'pay' }));
    await setPrice(170);
    expect((await visit(location)).html).toContain('Pay $149.00');
  });
});

describe('a plan that is taken off sale', () => {
  const sell = (isOnSale: boolean, validFrom: Date | null = null) =>
    decidePlans(platform, { '14-days.on_sale': isOnSale }, validFrom);
  beforeEach(async () => {
    await setPrice(149);
    await sell(true);
  });

  it('is not offered any more, and says so to whoever had chosen it', async () => {
    const visit = browser();
    const page = await visit('/insurance');
    expect(page.html).toContain('value="14-days"');
    await sell(false);
    const refused = await visit(
      '/insurance',
      formRequest({ ...adultForm, pricesShown: shownIn(page.html) }),
    );
    expect(refused.response.status).toBe(422);
    expect(refused.html).toContain('The plan you chose is no longer available');
    expect(refused.html).not.toContain('value="14-days"');
    // It is replaced by the shortest one on sale that covers the trip.
    expect(refused.html).toMatch(
      /<input[^>]*checked=""[^>]*value="30-days"|<input[^>]*value="30-days"[^>]*checked=""/,
    );
    await sell(true);
    expect((await visit('/insurance')).html).toContain('value="14-days"');
  });

  it('stays with an order that was quoted with it, which can be paid', async () => {
    const visit = browser();
    await visit('/insurance', formRequest(adultForm));
    const { location } = await visit('/insurance/review', formRequest({ intent: 'pay' }));
    await sell(false);
    const waiting = await visit(location);
    expect(waiting.html).toContain('Pay $149.00');
    const paying = await visit(location, formRequest({ scripts: 'no' }));
    expect(paying.location).toMatch(/^\/payment-cancel|^\/gpay-checkout\?data=/);
    await sell(true);
  });

  it('goes and comes back at the moments that were decided', async () => {
    const start = platform.now();
    const at = (hours: number) => new Date(start.getTime() + hours * 3600_000);
    await sell(false, at(2));
    await sell(true, at(4));
    const offered = async () => (await browser()('/insurance')).html.includes('value="14-days"');
    expect(await offered()).toBe(true);
    platform.clock.set(at(2));
    expect(await offered()).toBe(false);
    platform.clock.set(at(4));
    expect(await offered()).toBe(true);
    platform.clock.set(start);
  });
});

describe('shown terms', async () => {
  const platform = await makeTestPlatform();
  await seedAll(platform.db, seeders, platform.now());
  const browser = visitor(makeTestApp(platform));

  const [cover] = sampleTerms.covers;
  if (!cover) throw new Error('The sample terms cover something');

  async function publish(insurer: string, sum: string) {
    platform.clock.advance(1000);
    const kept = await decideSetting(
      platform.db,
      {
        section: 'insurance_terms',
        values: {
          [TERMS_SUBJECT]: {
            ...sampleTerms,
            insurer,
            covers: [{ ...cover, limit: { en: sum } }],
          },
        },
        validFrom: null,
        reason: 'A test',
        staffId: await storeStaffId(platform.db),
        seen: sectionVersion(await readSettings(platform.db), 'insurance_terms'),
        now: platform.now(),
      },
      () => true,
      async () => undefined,
    );
    if (!kept.ok) throw new Error(kept.error);
  }

  const link = (html: string) => /\/insurance\/terms\/(\d+)"/.exec(html)?.[1];

  it('before and after payment every page of an insurance names insurer, sums and the version it is bought on', async () => {
    await publish('First Insurer', 'USD 11,000');
    const visit = browser();
    await visit('/insurance', formRequest({ ...adultForm, intent: 'next' }));
    const review = await visit('/insurance/review');
    const version = link(review.html);
    expect(version).toBeDefined();
    const submitted = await visit('/insurance/review', formRequest({ intent: 'pay' }));
    const number = new URL(submitted.location, 'http://lale').searchParams.get('ref') ?? '';
    // From now on another version is on sale.
    await publish('Second Insurer', 'USD 22,000');

    const payment = await visit(submitted.location);
    const unpaid = await visit(`/status?ref=${number}`);
    const stored = await applicationByNumber(platform.db, number);
    if (!stored) throw new Error('It was stored');
    await makePayment(platform, stored);
    const pages = [
      review,
      payment,
      unpaid,
      await visit(`/payment-success?order=${number}`),
      await visit(`/status?ref=${number}`),
    ];
    for (const { html } of pages) {
      expect(html).toContain('First Insurer');
      expect(html).toContain('USD 11,000');
      expect(link(html)).toBe(version);
      expect(html).not.toContain('Second Insurer');
    }
    const details = await readInsuranceDetails(platform.db, platform.sealer, stored.id);
    if (!details) throw new Error('It was stored');
    const facts = await certificateFacts(
      platform,
      needed(await applicationById(platform.db, stored.id)),
      details,
    );
    expect(facts.terms.insurer).toBe('First Insurer');
    expect(facts.termsAddress).toMatch(new RegExp(`/en/insurance/terms/${version}$`));
  });

  it.each(languageCodes)('names them in %s', async (code) => {
    await publish(`Insurer for ${code}`, 'USD 33,000');
    const visit = browser();
    await visit(`/${code}/insurance`, formRequest({ ...adultForm, intent: 'next' }));
    const { html } = await visit(`/${code}/insurance/review`);
    expect(html).toMatch(new RegExp(`href="/${code}/insurance/terms/\\d+"`));
    expect(html).toContain(`Insurer for ${code}`);
  });
});
