import { eq } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { application } from '~/features/application/tables.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { newBrowser } from '../../../../test/browser.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { seedInsurance } from '../store/seed.server.ts';

const service = await startTestService();
const { platform, payments } = service;
const app = makeTestApp(platform, payments);
const { payer, place, start, pay, comeBack } = purchases(service);

beforeAll(() => seedAll(platform.db, [seedCatalog, seedInsurance], platform.now()));

async function page(path: string, cookie: string): Promise<string> {
  const html = await (await app.request(path, { headers: { cookie } })).text();
  return (html.split('<script id="page-data"')[0] ?? '').replaceAll('<!-- -->', '');
}
const valueOf = (html: string, name: string) => {
  const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(html)?.[0] ?? '';
  return /value="([^"]*)"/.exec(input)?.[1] ?? '';
};

it('the confirmation of an e-visa leads its payer to a form with nationality, names and first day, as an order of its own', async () => {
  const order = await place();
  await comeBack(await pay(await start(order)));
  const path = `/insurance?visa=${order.number}`;
  const confirmation = await page(`/payment-success?order=${order.number}`, payer.cookie);
  expect(confirmation).toContain(`href="${path}"`);
  expect(confirmation).toContain('This is a separate order');
  const html = await page(path, payer.cookie);
  expect(valueOf(html, 'firstName')).toBe('Sofía');
  expect(valueOf(html, 'lastName')).toBe('Hernández Ruiz');
  expect(valueOf(html, 'travelDate-day')).toBe('12');
  expect(valueOf(html, 'travelDate-year')).toBe('2026');
  expect(html).toMatch(/<option(?=[^>]*value="MEX")[^>]*selected|value="Mexico"/);
  for (const name of ['passportNumber', 'email', 'phone', 'dateOfBirth-year']) {
    expect(valueOf(html, name), name).toBe('');
  }
});

it('a single name is taken once, with its box', async () => {
  const { number } = await place();
  await platform.db
    .update(application)
    .set({ firstName: 'Suharto', lastName: 'Suharto' })
    .where(eq(application.orderNumber, number));
  const html = await page(`/insurance?visa=${number}`, payer.cookie);
  expect(valueOf(html, 'lastName')).toBe('Suharto');
  expect(valueOf(html, 'firstName')).toBe('');
  expect(html).toMatch(/<input(?=[^>]*name="oneName")[^>]*checked/);
});

it('shows nothing of an e-visa to browsers that only know its number', async () => {
  const { number } = await place();
  for (const cookie of ['', newBrowser(platform).cookie]) {
    const html = await page(`/insurance?visa=${number}`, cookie);
    expect(html).toContain('name="lastName"');
    expect(html).not.toMatch(/Sofía|Hernández/);
    expect(valueOf(html, 'travelDate-day')).toBe('');
  }
});

it('is no reason to fail where the number is none, or an insurance’s', async () => {
  for (const visa of ['x', 'TRV7K2M9QXD4HPBX', '']) {
    expect(await page(`/insurance?visa=${visa}`, payer.cookie)).toContain('name="lastName"');
  }
});
