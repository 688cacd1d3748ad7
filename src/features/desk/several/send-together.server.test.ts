import { beforeAll, expect, test } from 'vitest';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import type { Provider } from '~/features/payment/provider.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { purchases } from '../../../../test/purchases.ts';
import { startTestService } from '../../../../test/service.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { actOnGroup } from './decide-several.server.ts';
import { makeOrder, seedSales } from '../../../../test/make.ts';

const service = await startTestService({ now: NOW });
const { platform, payments } = service;
const { start } = purchases(service);
const aydin = await storeStaff(platform);

beforeAll(() => seedSales(platform));

/** The same payments, and the attempts that their partners were asked about. */
function counting(counted: Payments) {
  const asked: string[] = [];
  const providers = counted.providers.map((provider): Provider => ({
    ...provider,
    ask: (attempt, options) => {
      asked.push(attempt.id);
      return provider.ask(attempt, options);
    },
  }));
  return { asked, payments: { ...counted, providers } };
}

test('the partner is asked once about an unpaid order, however many travellers are rejected', async () => {
  const { order, visas } = await makeOrder(platform, {
    travellers: [{ firstName: 'Anna' }, { firstName: 'Bela' }, { firstName: 'Carl' }],
  });
  const attempt = await start(order);
  const counted = counting(payments);
  const form = new FormData();
  form.set('intent', 'reject_chosen');
  form.set('reasonCode', 'duplicate');
  for (const { number } of visas) form.append('chosen', number);
  const { answer } = await actOnGroup(platform, counted.payments, aydin, { order, form });
  expect(answer.outcomes.map((one) => 'done' in one)).toEqual([true, true, true]);
  const statuses = (await applicationsByOrder(platform.db, order.number)).map((one) => one.status);
  expect(statuses).toEqual(['rejected', 'rejected', 'rejected']);
  expect(counted.asked).toEqual([attempt]);
});
