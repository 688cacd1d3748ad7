import { expect, test } from 'vitest';
import { orderByNumber } from '../store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { receiptPath } from './receipt-link.server.ts';
import { receiptsOfOrder } from './issue-receipt.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);

test('programs that open the link of a receipt leave it to the traveller', async () => {
  const { number } = await makeApplication(platform);
  const order = needed(await orderByNumber(platform.db, number));
  const path = receiptPath(platform, needed((await receiptsOfOrder(platform.db, order.id))[0]).id);
  for (let opened = 0; opened < 30; opened++) {
    for (const method of ['HEAD', 'GET'])
      expect((await app.request(path, { method })).status, `${method} ${opened}`).toBe(200);
  }
  const bytes = await (await app.request(path)).arrayBuffer();
  expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe('%PDF-');
});
