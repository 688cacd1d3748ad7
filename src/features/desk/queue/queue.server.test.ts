import { describe, expect, test } from 'vitest';
import type { Application } from '~/features/application/store.server.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { readFilter, sortings, type QueueKind, type ListPlace } from './list-filter.ts';
import { queuePage } from './queue.server.ts';
import { readSearch } from './search-words.ts';
import { listApplications } from './list.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const staff = await storeStaff(platform, { name: 'E. Aydın' });
const looking = () => ({ staffId: staff.id, now: platform.now() });
const HOUR = 3600_000;
const names = ['Öztürk', 'Łukasz', 'Naidoo', 'Núñez', 'Smith', 'Ibrahim', 'Ærø', 'García'];

const cases: Application[] = [];
for (const [index, lastName] of names.entries()) {
  platform.clock.advance(60_000);
  cases.push(
    await makeApplication(platform, {
      lastName,
      firstName: `Ana ${index}`,
      email: `ana${index}@correo.example`,
      countryCode: index % 2 === 0 ? 'MEX' : 'ZAF',
      service: index < 3 ? 'urgent' : 'standard',
      paid: index !== 5,
      promisedAt: new Date(platform.now().getTime() + (4 - index) * HOUR),
    }),
  );
}

const filter = (query: string, typed = '', kind: QueueKind = 'visa') =>
  readFilter(new URLSearchParams(query), kind, readSearch(typed, platform.sealer));
const lastNames = async (query: string, typed = '') =>
  (await queuePage(db, filter(query, typed), looking())).rows.map(({ lastName }) => lastName);

describe('the queue', () => {
  test('shows what is due first, then the unpaid', async () => {
    expect((await lastNames('')).slice(0, 2)).toEqual(['García', 'Ærø']);
    expect((await lastNames('')).at(-1)).toBe('Ibrahim');
  });

  test.each(sortings)('pages by %s forth and back without a gap or a double', async (sort) => {
    const page = (place: ListPlace) =>
      listApplications(db, { ...filter(`sort=${sort}`), place }, looking(), { pageSize: 3 });
    const forth = [await page(null)];
    for (let last = forth[0]; last?.hasAfter; last = forth.at(-1)) {
      forth.push(await page({ after: last.rows.at(-1)?.id ?? '' }));
    }
    const all = forth.flatMap(({ rows }) => rows.map(({ id }) => id));
    expect(all).toHaveLength(names.length);
    expect(new Set(all).size).toBe(names.length);
    expect(forth[0]?.hasBefore).toBe(false);

    const back = [forth.at(-1)];
    for (let first = back[0]; first?.hasBefore; first = back[0]) {
      back.unshift(await page({ before: first.rows[0]?.id ?? '' }));
    }
    expect(back.flatMap((one) => one?.rows.map(({ id }) => id) ?? [])).toEqual(all);
  });

  test('reads nonsense in an address as if it were not there', () => {
    const odd = 'show=x&sort=y&status=z&nationality=drop&service=%27&from=2026-02-30&after=1';
    expect(filter(odd)).toEqual(filter(''));
  });
});
