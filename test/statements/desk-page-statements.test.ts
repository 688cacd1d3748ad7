import { beforeAll, describe, expect, test } from 'vitest';
import { seedAll } from '../../src/features/catalog/seed.server.ts';
import { storeStaff } from '../../src/features/desk/application/testing/case-store.server.ts';
import { orderByNumber } from '../../src/features/order/store.server.ts';
import { refundOrder } from '../../src/features/desk/money/refunds.server.ts';
import { watchedTables } from '../../src/platform/postgres/topics.ts';
import { seeders } from '../../src/app/composition/seeders.server.ts';
import { makeTestApp } from '../pages.ts';
import { makeTestPlatform } from '../platform.ts';
import { countCost } from './count-statements.ts';
import { makeApplication, makePayment, makeOrder } from '../make.ts';
import { needed } from '../needed.ts';

const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '1.00' } });
const app = makeTestApp(platform);
const manager = await storeStaff(platform, { role: 'manager' });
const reviewer = await storeStaff(platform, { role: 'reviewer' });

/** What every page of the desk runs: the session, the counts, and one audit entry. */
const FRAME = 3;
/** A list within its time limit: transaction and limit, rows with their count. */
const LIST = 4;
/** Marks of the rows, duplicates, the four figures, the counts of the lists. */
const QUEUE = LIST + 4;

let insurance = '';
let visa = '';

beforeAll(async () => {
  await seedAll(platform.db, seeders, platform.now());
  // More than one page, with all kinds of rows: decided, unpaid, the same passport twice, refunds.
  for (let count = 0; count < 60; count += 1) {
    const stored = await makeApplication(platform, {
      kind: count % 5 === 4 ? 'insurance' : 'visa',
      paid: count % 7 !== 3,
      passportNumber: `A${1_000_000 + (count % 40)}`,
    });
    if (stored.kind === 'visa') visa = stored.number;
    else insurance = stored.number;
    if (count % 9 !== 0) continue;
    const order = needed(await orderByNumber(platform.db, stored.orderNumber));
    const choice = {
      cause: 'our_error',
      askedAt: platform.now(),
      applications: [stored.number],
    } as const;
    await refundOrder(platform, reviewer, order, { choice });
  }
});

/** Cached until a notification; here, where none arrive, read once a second. */
const KEPT = new RegExp(`from "(${watchedTables.join('|')})"`);

/** A page as opened repeatedly: what a process caches was read before. */
async function statementsOf(path: string): Promise<readonly string[]> {
  const open = async () =>
    (await app.request(path, { headers: { cookie: manager.cookie } })).status;
  expect(await open()).toBe(200);
  const { answer, cost } = await countCost(open);
  expect(answer).toBe(200);
  return cost.statements
    .filter((text) => !KEPT.test(text))
    .map((text) => text.trim().replace(/\s+/g, ' ').slice(0, 200));
}

const table: readonly [string, string, number][] = [
  ['the queue', '/admin', FRAME + QUEUE],
  ['its second kind, by name', '/admin?tab=insurance&sort=name', FRAME + QUEUE],
  ['a filtered list', '/admin?show=hand_in&status=pending&payment=paid', FRAME + QUEUE],
  ['what an open queue asks by itself', '/admin/live?queue', FRAME - 1 + QUEUE],
  ['refunds to release and automatic ones', '/admin/refunds', FRAME + 2],
  // Four of the steps, nationalities, seven of the work, second looks, money, reports and differences; in one snapshot.
  ['the figures', '/admin/figures', FRAME + 17],
];

describe('what a page of the desk may cost in statements', () => {
  test.each(table)('%s', async (_, path, most) => {
    const statements = await statementsOf(path);
    expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most);
  });

  test('an application beside the queue', async () => {
    for (const number of [visa, insurance]) {
      const statements = await statementsOf(`/admin/applications/${number}`);
      // One of them notes who looked, so that “next” does not lead there again at once.
      expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(33);
    }
  });

  test('an order of ten travellers side by side costs what one of three does', async () => {
    const costs = [];
    for (const count of [3, 10]) {
      const travellers = Array.from({ length: count }, (_, index) => ({
        firstName: `Anna${'abcdefghij'[index]}`,
      }));
      const { order } = await makeOrder(platform, { travellers });
      await makePayment(platform, order);
      const page = await statementsOf(`/admin/orders/${order.number}`);
      const live = await statementsOf(`/admin/live?order=${order.number}&mark=`);
      costs.push({ page: page.length, live: live.length });
      expect(page.length, page.join('\n')).toBeLessThanOrEqual(25);
    }
    expect(costs[1]).toEqual(costs[0]);
  });
});
