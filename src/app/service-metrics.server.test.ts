import { expect, it } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { makeTestApp } from '../../test/pages.ts';
import { makeTestPlatform } from '../../test/platform.ts';
import { startVisaClocks } from '~/features/visa/store/store.server.ts';
import { makeApplication } from '../../test/make.ts';

const TOKEN = 'a token of some length';
const platform = await makeTestPlatform({ variables: { METRICS_TOKEN: TOKEN } });
const app = makeTestApp(platform);

it('shows Prometheus what waits and what is overdue', async () => {
  const application = await makeApplication(platform, { paid: false });
  const paid = { paidAt: platform.now(), office: firstOffice };
  await platform.db.transaction((tx) => startVisaClocks(tx, [application.number], paid));
  platform.clock.advance(40 * 24 * 3600_000);
  await app.request('/api/countries');
  const answer = await app.request('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
  const text = await answer.text();
  expect(text).toContain('lale_applications_waiting{of="waiting"} 1');
  expect(text).toContain('lale_applications_waiting{of="overdue"} 1');
  expect(text).toContain('lale_payment_alerts_open 0');
  expect(text).toMatch(/lale_request_seconds_count\{method="GET",kind="call",status="2xx"\} 1/);
  expect(text).toContain('process_cpu_seconds_total');
});

it('shows nothing without the token, and has no such address where none is set', async () => {
  expect((await app.request('/metrics')).status).toBe(401);
  const other = await makeTestPlatform();
  expect((await makeTestApp(other).request('/metrics')).status).toBe(404);
});
