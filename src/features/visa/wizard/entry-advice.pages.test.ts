import { beforeAll, expect, it } from 'vitest';
import { languages } from '~/base/languages.ts';
import { EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { visitor } from '~/features/insurance/testing/visit.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { seedVisaPrices } from '../store/store.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import { southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ now: NOW });
const browser = visitor(makeTestApp(platform));

beforeAll(async () => {
  await storeCountries(platform);
  await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
});

it('asks for the day from which the e-visa is valid, not for an approximate one', async () => {
  const visit = browser();
  const body = new URLSearchParams({ ...southAfrican, intent: 'next' });
  for (const step of ['', '/what-it-allows']) {
    await visit(`/application${step}`, { method: 'POST', body });
  }
  const { html } = await visit('/application/arrival');
  const text = html.replaceAll('\u00a0', ' ');
  expect(text).toContain('valid for 180 days from then');
  expect(text).toContain('You cannot enter before this date');
  expect(text).not.toContain('approximate');
});

it.each(languages)('counts the days from the arrival date in $code', ({ code }) => {
  const t = makeTranslate(code);
  const lead = t('visa:arrival.lead', { count: EVISA_VALIDITY_DAYS });
  expect(lead).toContain('180');
  expect(lead).not.toMatch(/approx|ungefähr|yaklaşık|aproximad|تقريبي/i);
});
