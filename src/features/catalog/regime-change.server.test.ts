import { isDeepStrictEqual } from 'node:util';
import { dateOf, UTC } from '~/base/dates/dates.ts';
import { describe, expect, it } from 'vitest';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { decide, sectionVersion } from '~/features/settings/decide.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { eligibility } from './eligibility.ts';
import type { RegimeValue } from './regime-change.server.ts';
import { seedAll } from './seed.server.ts';
import { allCountries, countryByCode } from './store.server.ts';

const NOW = new Date('2026-11-23T10:00:00Z');
const platform = await makeTestPlatform({ now: NOW });
await seedAll(platform.db, seeders, NOW);
const app = makeTestApp(platform);

const evisa: RegimeValue = {
  regime: 'evisa',
  maxStayDays: 30,
  entries: 'single',
  source: 'Official Gazette, 1 December 2026',
  sourceAddress: 'https://gazette.example/1',
  note: '',
  checkedOn: dateOf(NOW, UTC),
};

async function setRegimes(values: Record<string, RegimeValue>, validFrom: Date | null) {
  const kept = await decide(
    platform.db,
    {
      section: 'countries',
      values,
      validFrom,
      reason: 'A test',
      staffId: await storeStaffId(platform.db),
      seen: sectionVersion(await readSettings(platform.db), 'countries'),
      now: platform.now(),
    },
    () => true,
    async () => undefined,
  );
  if (!kept.ok) throw new Error(kept.error);
}

const page = async (path: string) => (await app.request(path)).text();

describe('a regime', () => {
  it('changes at its moment, everywhere', async () => {
    const moment = new Date('2026-12-01T00:00:00Z');
    await setRegimes({ CUB: evisa }, moment);
    const answer = async () => {
      const response = await app.request('/api/countries?language=en');
      const countries: { code: string; isEligible: boolean }[] = await response.json();
      return {
        call: countries.find(({ code }) => code === 'CUB')?.isEligible,
        card: (await page('/en?countryId=CUB')).includes('E-visa available'),
        list: (await page('/en/requirements')).includes('Cuba'),
      };
    };
    platform.clock.set(new Date(moment.getTime() - 1));
    expect(await answer()).toEqual({ call: false, card: false, list: false });
    platform.clock.set(moment);
    expect(await answer()).toEqual({ call: true, card: true, list: true });
    expect(await countryByCode(platform, 'CUB')).toMatchObject({
      regime: 'evisa',
      maxStayDays: 30,
      validityDays: 180,
    });
  });

  it('is kept by browsers no longer than it holds', async () => {
    await setRegimes({ ZAF: evisa }, new Date(platform.now().getTime() + 90_000));
    const response = await app.request('/api/countries');
    expect(response.headers.get('cache-control')).toBe('public, max-age=90');
  });

  it('may exempt another document, and leaves the others as they were', async () => {
    const exempt = { ...evisa, regime: 'visa_free' as const, maxStayDays: 60, entries: null };
    await setRegimes({ 'DZA.service': exempt }, null);
    const found = await countryByCode(platform, 'DZA');
    if (!found) throw new Error('no country');
    expect(eligibility(found, 'service')).toEqual({
      regime: 'visa_free',
      reason: 'visa_free_document',
      stayDays: 60,
    });
    expect(eligibility(found, 'diplomatic')).toMatchObject({ stayDays: 90 });
    expect(eligibility(found, 'ordinary').regime).toBe('evisa_with_document');
    const html = await page('/en?countryId=DZA&documentType=service');
    expect(html).toContain('with this document: no visa for 60 days in any 180');
  });

  it('leaves every other country as it was', async () => {
    const before = await allCountries(platform);
    await setRegimes({ DEU: evisa }, null);
    const after = await allCountries(platform);
    const changed = after.filter((country, index) => !isDeepStrictEqual(country, before[index]));
    expect(changed.map(({ code }) => code)).toEqual(['DEU']);
  });
});
