import { expect, test } from 'vitest';
import { usd } from '~/base/money.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { refundOrder, withdraw } from './refunds.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const reviewer = await storeStaff(platform);
const notice = 'This application is being refunded. You can only reject it';

test('an open application whose refund waits says so, until the refund is withdrawn', async () => {
  const { number } = await makeApplication(platform);
  const shown = async () =>
    (
      await app.request(`/en/admin/applications/${number}`, {
        headers: { cookie: reviewer.cookie },
      })
    ).text();
  expect(await shown()).not.toContain(notice);
  const small = { ...platform, config: { ...platform.config, refundManagerAbove: usd(1_00) } };
  const order = needed(await orderByNumber(platform.db, number));
  const held = await refundOrder(small, reviewer, order, {
    choice: { cause: 'cancelled', askedAt: platform.now(), applications: [number] },
  });
  if (!held.ok) throw new Error(held.error.code);
  expect(await shown()).toContain(notice);
  expect((await withdraw(platform, reviewer, held.value.refund.id)).ok).toBe(true);
  expect(await shown()).not.toContain(notice);
});
