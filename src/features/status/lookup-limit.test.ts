import { expect, it } from 'vitest';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { costOf } from '../../../test/statements/count-statements.ts';
import { makeNumber, prefixes } from '~/features/application/number.ts';
import { makeApplication } from '../../../test/make.ts';

const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform);
const unknown = makeNumber(prefixes.visa, Buffer.alloc(12, 7));

it('slows down an address that guesses numbers, on page and call alike, and nobody who knows them', async () => {
  const application = await makeApplication(platform, { paid: false });
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const look = (number: string, address = '192.0.2.1') =>
    app.request(`/api/applications/${number}`, from(address));
  const statuses = async (number: string, times: number) => {
    const all: number[] = [];
    for (let count = 0; count < times; count++) all.push((await look(number)).status);
    return all;
  };
  expect(new Set(await statuses(application.number, 70))).toEqual(new Set([200]));
  const guesses = await statuses(unknown, 70);
  expect(guesses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 404));
  expect(new Set(guesses.slice(60))).toEqual(new Set([429]));
  // Whoever is over the limit costs no statement any more.
  const { answer: refused, cost } = await costOf(async () => look(application.number));
  expect(cost.statements).toEqual([]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await refused.json()).code).toBe('too_many_lookups');
  expect((await look(application.number, '192.0.2.2')).status).toBe(200);
  const page = await app.request(`/status?ref=${application.number}`, from('192.0.2.1'));
  expect(page.status).toBe(429);
  const html = await page.text();
  expect(html).toContain('Too many searches');
  expect(html).not.toContain('Naidoo');
});
