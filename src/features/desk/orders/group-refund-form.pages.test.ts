import { beforeAll, expect, test } from 'vitest';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { needed } from '../../../../test/purchases.ts';
import { decide } from '../decision/decide.server.ts';
import { storeStaff } from '../testing/case-store.server.ts';
import { payGroup, placeGroup, seedGroups } from '../testing/group-order.server.ts';

const platform = await makeTestPlatform({ now: NOW });
const app = makeTestApp(platform);
const manager = await storeStaff(platform, { role: 'manager' });
const page = async (path: string) =>
  (await app.request(path, { headers: { cookie: manager.cookie } })).text();

beforeAll(() => seedGroups(platform));

/** The travellers for whose lines the proposal has an amount. */
const proposed = (html: string): string[] =>
  [
    ...html.matchAll(
      /dir="ltr">(TR[VI][0-9A-Z]{13})<\/bdi>(?:<!-- -->)? (?:<!-- -->)?<bdi>([^<]*)/g,
    ),
  ]
    .filter(
      ({ index }) => html.lastIndexOf('field-hint', index) > html.lastIndexOf('check-row', index),
    )
    .map(([, number = '']) => number);

test('the refund form offers each traveller as a whole, one application alone, and nobody who left', async () => {
  const { order, visas, insurances } = await placeGroup(platform, [
    { firstName: 'Anna', isInsured: true },
    { firstName: 'Bela' },
    { firstName: 'Carl' },
  ]);
  const [anna, bela, carl] = visas.map(({ number }) => number);
  const ofAnna = needed(insurances.get(1)).number;
  const gone = needed(visas[2]);
  await decide(platform, manager, { kind: 'reject', applicationId: gone.id, code: 'duplicate' });
  await payGroup(platform, order);
  const address = `/admin/orders/${order.number}`;
  const form = await page(address);
  expect(form).toContain('Travellers');
  expect(form).toMatch(
    /<input[^>]*type="checkbox"[^>]*name="traveller"[^>]*checked=""[^>]*value="1"/,
  );
  expect(form).toMatch(new RegExp(`name="app"[^>]*checked=""[^>]*value="${bela}"`));
  expect(form).not.toMatch(new RegExp(`name="app"[^>]*value="${carl}"`));

  const asked = (chosen: string) => page(`${address}?cause=visa_refused&asked=&${chosen}`);
  expect(new Set(proposed(await asked('traveller=1')))).toEqual(new Set([anna, ofAnna]));
  expect(new Set(proposed(await asked(`app=${ofAnna}`)))).toEqual(new Set([ofAnna]));
  expect(new Set(proposed(await asked(`app=${bela}&app=${anna}`)))).toEqual(new Set([anna, bela]));
});
