import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform({ variables: { REFUND_MANAGER_ABOVE: '50.00' } });
const app = makeTestApp(platform);
const reviewer = await storeStaff(platform);
const manager = await storeStaff(platform, { role: 'manager' });

async function call(path: string, body: unknown, cookie = reviewer.cookie) {
  const response = await app.request(`/api/admin${path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

describe('the refund calls', () => {
  test('propose, open once per id, and refuse what is not possible', async () => {
    const { number } = await makeApplication(platform);
    const proposal = await call(`/orders/${number}/refund-proposal`, { cause: 'cancelled' });
    expect(proposal).toMatchObject({
      status: 200,
      answer: {
        total: '25.00',
        lines: [
          { code: 'evisa_fee', amount: '0.00', reason: 'fee_kept' },
          { code: 'processing_fee', amount: '25.00', reason: 'within_first_hours' },
        ],
      },
    });
    const asked = { cause: 'cancelled', id: randomUUID() };
    const open = () => call(`/orders/${number}/refunds`, asked);
    for (const opened of [await open(), await open()]) {
      expect(opened).toMatchObject({
        status: 201,
        answer: { id: asked.id, amount: '25.00', state: 'requested' },
      });
    }
    expect(await call(`/orders/${number}/refunds`, { cause: 'cancelled' })).toMatchObject({
      status: 422,
      answer: { code: 'nothing' },
    });
    expect((await call(`/orders/${number}/refunds`, { cause: 'because' })).status).toBe(422);
    expect((await call('/orders/TRV0000000000000/refunds', asked)).status).toBe(404);
    expect((await call(`/orders/${number}/refunds`, asked, '')).status).toBe(401);
  });

  test('let a manager release what a reviewer asked for', async () => {
    const { number } = await makeApplication(platform);
    const id = randomUUID();
    const opened = await call(`/orders/${number}/refunds`, { cause: 'duplicate_payment', id });
    expect(opened).toMatchObject({ status: 201, answer: { state: 'held' } });
    expect((await call(`/refunds/${id}/release`, {})).status).toBe(403);
    const released = await call(`/refunds/${id}/release`, {}, manager.cookie);
    expect(released).toMatchObject({ status: 200, answer: { id, state: 'requested' } });
    expect(await call(`/refunds/${id}/withdraw`, {}, manager.cookie)).toMatchObject({
      status: 409,
      answer: { code: 'not_held' },
    });
  });
});
