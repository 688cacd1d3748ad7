import { expect, it } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { placeApplication } from '../../../../test/applications.ts';

const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform);

it('slows down an address that looks up too much, on page and call alike', async () => {
  const { application } = await placeApplication(platform);
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const look = (address = '192.0.2.1') =>
    app.request(`/api/applications/${application.number}`, from(address));
  const statuses: number[] = [];
  for (let count = 0; count < 70; count++) statuses.push((await look()).status);
  expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 200));
  expect(new Set(statuses.slice(60))).toEqual(new Set([429]));
  const refused = await look();
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await refused.json()).code).toBe('too_many_lookups');
  expect((await look('192.0.2.2')).status).toBe(200);
  const page = await app.request(`/status?ref=${application.number}`, from('192.0.2.1'));
  expect(page.status).toBe(429);
  const html = await page.text();
  expect(html).toContain('Too many searches');
  expect(html).not.toContain('Hernández');
});
