import { beforeAll, expect, it } from 'vitest';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { timeLeft } from '../frame/formats.ts';
import { readFilter } from './list-filter.ts';
import { queuePage } from './queue.server.ts';
import { readSearch } from './search-words.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makePayment, makeInsurance } from '../../../../test/make.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { needed } from '../../../../test/needed.ts';

const MONDAY = new Date('2026-11-23T10:00:30Z');
const PROMISED = new Date('2026-11-23T18:00:00Z');
const platform = await makeTestPlatform({ now: MONDAY });
const app = makeTestApp(platform);
const staff = await storeStaff(platform, { name: 'E. Aydın' });

beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], MONDAY));

const queue = async (query = '') => {
  const filter = readFilter(
    new URLSearchParams(query),
    'insurance',
    readSearch('', platform.sealer),
  );
  const looking = { staffId: staff.id, now: platform.now() };
  return (await queuePage(platform.db, filter, looking)).rows;
};

it('a paid insurance of a minor is due after eight working hours, in the queue and on its pages; an adult’s is not', async () => {
  const minor = await makeInsurance(platform, { dateOfBirth: '2012-02-29' });
  const adult = await makeInsurance(platform);
  expect(needed(await applicationById(platform.db, minor.id)).promisedAt).toBeNull();
  await makePayment(platform, minor);
  await makePayment(platform, adult);
  expect(needed(await applicationById(platform.db, minor.id)).promisedAt).toEqual(PROMISED);
  expect(needed(await applicationById(platform.db, adult.id)).promisedAt).toBeNull();

  const [first] = await queue();
  expect(first).toMatchObject({ number: minor.number, promisedAt: PROMISED, decidedAt: null });
  platform.clock.set(new Date('2026-11-23T17:30:00Z'));
  expect(timeLeft({ promisedAt: PROMISED, decidedAt: null }, platform.now().getTime())).toEqual({
    urgency: 'now',
    minutes: 30,
  });
  const paths = [`/status?ref=${minor.number}`, `/payment-success?order=${minor.number}`];
  for (const path of paths) {
    const html = await (await app.request(path)).text();
    expect(html).toContain('issue your certificate by');
  }
  platform.clock.set(new Date('2026-11-23T18:01:00Z'));
  expect((await queue('show=hand_in')).map(({ number }) => number)[0]).toBe(minor.number);
  const late = await (await app.request(`/status?ref=${minor.number}`)).text();
  expect(late).not.toContain('issue your certificate by');
  expect(late).toContain('we missed the ready-by time');
});
