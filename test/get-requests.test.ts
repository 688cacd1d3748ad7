import { expect, test } from 'vitest';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { makePayments } from '../src/app/composition/payments.server.ts';
import { storeObjects } from './access/objects.ts';
import { watchWrites } from './access/written-tables.ts';
import { newBrowser } from './browser.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { callsOf, dataAddress, fillAddress, pageAddresses } from './routes-and-calls.ts';

const platform = await makeTestPlatform();
const payments = makePayments(platform);
const app = makeTestApp(platform, payments);
const { at } = await storeObjects(platform);
const stored: Record<string, readonly string[]> = at;
const { cookie: staff } = await storeStaff(platform, { role: 'administrator' });
const { cookie: session } = newBrowser(platform);

/** Views of personal data and limits are recorded; sample terms are stored when they are first shown. */
const NOTED = ['audit_entry', 'desk_look', 'rate_limit', 'staff_session', 'insurance_terms'];
/** What a test page creates, in test mode only: an order and an attempt. */
const IN_TEST_MODE = ['purchase_order', 'order_line', 'payment_attempt', 'simulated_document'];

const ways = [
  ...pageAddresses().flatMap((page) => [page, dataAddress(page)]),
  ...callsOf(platform, payments)
    .filter(({ method }) => method === 'GET')
    .map(({ path }) => path),
].map((path) => fillAddress(path, stored));

test('opening pages and calls changes nothing, by GET and HEAD', { timeout: 240_000 }, async () => {
  expect(ways.length).toBeGreaterThan(150);
  const faults: string[] = [];
  const written = await watchWrites(platform.pool);
  for (const path of new Set(ways)) {
    for (const method of ['GET', 'HEAD']) {
      await app.request(path, { method, headers: { cookie: `${staff}; ${session}` } });
    }
    const changed = (await written()).filter((table) => !NOTED.includes(table));
    if (changed.some((table) => !IN_TEST_MODE.includes(table)))
      faults.push(`${path}: ${changed.join(', ')}`);
  }
  expect(faults).toEqual([]);
});
