import { expect, it } from 'vitest';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { languageCodes } from '~/base/languages.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { decide, sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { certificateFacts } from '../certificate/certificate-job.server.ts';
import { insuranceDetailsOf } from '../store/store.server.ts';
import { sampleTerms } from '../store/seed-terms.server.ts';
import { TERMS_SUBJECT } from '../store/terms-store.server.ts';
import { filledIn, sentForm, visitor } from '../testing/visit.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { makePayment } from '../../../../test/make.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform();
await seedAll(platform.db, seeders, platform.now());
const browser = visitor(makeTestApp(platform));

const [cover] = sampleTerms.covers;
if (!cover) throw new Error('The sample terms cover something');

async function publish(insurer: string, sum: string) {
  platform.clock.advance(1000);
  const kept = await decide(
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
  await visit('/insurance', sentForm({ ...filledIn, intent: 'next' }));
  const review = await visit('/insurance/review');
  const version = link(review.html);
  expect(version).toBeDefined();
  const submitted = await visit('/insurance/review', sentForm({ intent: 'pay' }));
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
  const details = await insuranceDetailsOf(platform.db, platform.sealer, stored.id);
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
  await visit(`/${code}/insurance`, sentForm({ ...filledIn, intent: 'next' }));
  const { html } = await visit(`/${code}/insurance/review`);
  expect(html).toMatch(new RegExp(`href="/${code}/insurance/terms/\\d+"`));
  expect(html).toContain(`Insurer for ${code}`);
});
