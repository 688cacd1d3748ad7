import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { applicationsOfOrder } from '../src/features/application/store.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { orderByNumber } from '../src/features/order/store.server.ts';
import { completeAnswers, countries } from '../src/features/visa/testing/sample-answers.ts';
import { makeTestApp } from './pages.ts';
import { purchases } from './purchases.ts';
import { startTestService } from './service.ts';
import { needed } from './needed.ts';

const service = await startTestService({ now: new Date('2026-11-23T10:00:00Z') });
const { platform, payments } = service;
const { db } = platform;
const app = makeTestApp(platform, payments);
const { start, pay, comeBack } = purchases(service);
const made = z.object({ orderNumber: z.string(), applicationNumbers: z.array(z.string()) });

beforeAll(() => seedAll(db, seeders, platform.now()));

test('a family of three pays once: each is promised a time, is told of in one e-mail, and is found alone', async () => {
  const applications = ['Anna', 'Bela', 'Carl'].map((firstName) => ({
    ...completeAnswers(countries.southAfrica),
    firstName,
    passportNumber: `P${firstName.toUpperCase()}7`,
  }));
  const answer = await app.request('/api/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ applications, totalAmount: '282.00' }),
  });
  expect(answer.status).toBe(201);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { orderNumber, applicationNumbers } = made.parse(await answer.json());
  const order = needed(await orderByNumber(db, orderNumber));
  const page = async (path: string, headers = {}) => (await app.request(path, { headers })).text();
  expect(await page(`/en/status?ref=${orderNumber}`, { cookie })).toContain('282.00');

  await comeBack(await pay(await start(order)));
  await service.runJobs();
  const paid = await applicationsOfOrder(db, orderNumber);
  expect(paid.map(({ number }) => number)).toEqual(applicationNumbers);
  for (const { paidAt, promisedAt } of paid) {
    expect(paidAt).not.toBeNull();
    expect(promisedAt).not.toBeNull();
  }
  const { rows } = await platform.pool.query<{ kind: string; all: number }>(
    `select e.kind, count(*)::int as all from email e where e.subject = $1 and e.sent_at is not null group by e.kind`,
    [orderNumber],
  );
  expect(rows).toEqual([{ kind: 'received', all: 1 }]);
  const confirmation = await page(`/en/payment-success?order=${orderNumber}`, { cookie });
  const desktop = (text: string) => text.replaceAll(/[\s\u00a0]|<[^>]*>/g, '');
  for (const number of applicationNumbers) expect(desktop(confirmation)).toContain(number);

  // A traveller's own number shows that traveller only.
  const [, bela = '', carl = ''] = applicationNumbers;
  const own = desktop(await page(`/en/status?ref=${bela}`));
  expect(own).toContain(bela);
  expect(own).not.toContain(carl);
});
