import { beforeAll, expect, test } from 'vitest';
import { refundOrder } from '../money/refunds.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { sealDays } from '~/features/staff/audit/audit-seal.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, pool } = platform;
const app = makeTestApp(platform);
const administrator = await storeStaff(platform, { role: 'administrator' });
const manager = await storeStaff(platform, { role: 'manager' });
const reviewer = await storeStaff(platform, { name: 'R. Reader' });

const open = async (path: string, cookie = administrator.cookie) => {
  const response = await app.request(path, { headers: { cookie, accept: 'text/html' } });
  return { status: response.status, html: await response.text(), headers: response.headers };
};
const verify = async (cookie = administrator.cookie) => {
  const headers = { cookie, accept: 'text/html', origin: platform.config.publicUrl };
  const response = await app.request('/admin/audit', { method: 'POST', headers });
  return { status: response.status, html: await response.text() };
};
const rowsIn = (html: string) => html.split('data-testid="audit-row"').length - 1;

/** A person who is refused the page and its file, once each. */
const refused = await storeStaff(platform);
const application = await makeApplication(platform);
const other = await makeApplication(platform);
const on = (id: string, at: string, staffId: string | null = reviewer.id) =>
  audit(db, {
    at: new Date(at),
    staffId,
    action: 'application_viewed',
    subject: { kind: 'application', id },
  });

beforeAll(async () => {
  await on(application.id, '2026-11-20T10:00:00Z');
  await on(application.id, '2026-11-21T10:00:00Z', manager.id);
  await on(other.id, '2026-11-21T11:00:00Z');
  for (const path of ['/admin/audit', '/admin/audit/csv']) await open(path, refused.cookie);
});

test.each([
  [{ number: application.number, views: 'yes' }, 2],
  [{ number: application.number.toLowerCase(), views: 'yes' }, 2],
  [{ number: application.number, day: '2026-11-20', views: 'yes' }, 1],
  // Who only saw something is shown when asked for, by the box or by the action.
  [{ number: application.number }, 0],
  [{ action: 'application_viewed' }, 3],
  [{ action: 'application_viewed', staff: manager.id }, 1],
  [{ staff: reviewer.id, action: 'application_viewed' }, 2],
  // Refused access is recorded as well.
  [{ staff: refused.id, action: 'access_refused' }, 2],
  [{ day: '2026-11-21', views: 'yes' }, 2],
  [{ number: 'TRV000' }, 0],
])('a search for %j finds %i', async (query, count) => {
  const { html } = await open(`/admin/audit?${new URLSearchParams(query)}`);
  expect(rowsIn(html)).toBe(count);
});

test('says in the reader’s language what was done, and to what', async () => {
  const { html } = await open('/tr/admin/audit?day=2026-11-20&views=yes');
  expect(html).toContain('>Başvuru görüntülendi</td>');
  expect(html).not.toContain('application viewed');
});

test('what was searched for is a file, and both were written down', async () => {
  const { html, headers } = await open(`/admin/audit/csv?number=${application.number}&views=yes`);
  expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
  expect(html.trim().split('\r\n')).toHaveLength(3);
  const trail = await open('/admin/audit?action=audit_exported');
  expect(rowsIn(trail.html)).toBeGreaterThan(0);
});

test('the seals are checked on demand, and tampering is reported', async () => {
  expect((await verify()).html).toContain('no seal');
  await sealDays(platform);
  expect((await verify()).html).toContain('Nothing was changed');
  await pool.query('alter table audit_entry disable trigger user');
  await pool.query(`update audit_entry set staff_id = null where at::date = '2026-11-20'`);
  expect((await verify()).html).toContain('20 November 2026: entry 1 was changed');
  await pool.query(`update audit_entry set staff_id = $1 where at::date = '2026-11-20'`, [
    reviewer.id,
  ]);
  await pool.query('alter table audit_entry enable always trigger audit_entry_append_only');
  await pool.query('alter table audit_entry enable always trigger audit_entry_no_truncate');
});

test('the story of an application has the refunds of its own lines', async () => {
  const { number } = await makeApplication(platform);
  const order = await orderByNumber(db, number);
  if (!order) throw new Error('No order');
  const opened = await refundOrder(platform, manager, order, {
    choice: { cause: 'cancelled', askedAt: platform.now(), applications: [number] },
  });
  expect(opened.ok).toBe(true);
  const { html } = await open(`/admin/audit?number=${number}&action=refund_opened`);
  expect(rowsIn(html)).toBe(1);
  const elsewhere = await open(`/admin/audit?number=${other.number}&action=refund_opened`);
  expect(rowsIn(elsewhere.html)).toBe(0);
});
