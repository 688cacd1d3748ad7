import { MAX_VIEW_NAME_LENGTH, MAX_VIEWS, readViewName, viewQuery } from './list-filter.ts';
import { expect, test } from 'vitest';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { viewsByStaff } from './views.server.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const reviewer = await storeStaff(platform, { name: 'E. Aydın' });
const manager = await storeStaff(platform, { name: 'D. Kaya', role: 'manager' });

type Person = typeof reviewer;
const post = (who: Person, fields: Record<string, string>) =>
  app.request('/admin/views', {
    method: 'POST',
    headers: { cookie: who.cookie },
    body: new URLSearchParams(fields),
  });
const save = async (who: Person, name: string, list = '?show=hand_in') =>
  (await post(who, { intent: 'save', list, name })).headers.get('location');
const page = async (who: Person, path = '/admin') =>
  (await app.request(path, { headers: { cookie: who.cookie } })).text();
const idOf = async (who: Person, name: string) =>
  (await viewsByStaff(platform, { ...who, startView: null })).find((view) => view.name === name)
    ?.id ?? '';

test('a list gets a name, without search and place, and stands above the queue', async () => {
  const list = '?show=hand_in&search=sealed&after=00000000-0000-4000-8000-000000000000';
  expect(await save(reviewer, ' Late  ones ', list)).toBe('/admin?show=hand_in&view=saved');
  const html = await page(reviewer, '/admin?show=hand_in&view=saved');
  expect(html).toContain('The view has been saved.');
  expect(html).toMatch(/aria-current="page"[^>]*href="\/admin\?show=hand_in"[^>]*><bdi>Late ones/);
  // Nobody else sees it, and the same name gets the new list.
  expect(await page(manager)).not.toContain('Late ones');
  await save(reviewer, 'Late ones', '?show=mine');
  expect(await page(reviewer)).toContain('href="/admin?show=mine"><bdi>Late ones');
  expect(await save(reviewer, '  ')).toContain('view=empty_name');
  expect(await save(reviewer, 'x'.repeat(41))).toContain('view=long_name');
  const actions = await platform.db.select({ action: auditEntry.action }).from(auditEntry);
  expect(actions.map(({ action }) => action)).toContain('view_saved');
});

test('a manager shares a view, and takes it back or removes it; a reviewer does not', async () => {
  await save(reviewer, 'Mine alone');
  await save(manager, 'For all', '?tab=insurance');
  const [mine, all] = [await idOf(reviewer, 'Mine alone'), await idOf(manager, 'For all')];
  expect((await post(reviewer, { intent: 'share', id: mine })).status).toBe(403);
  // A view that is not shared is its owner's.
  expect((await post(manager, { intent: 'share', id: mine })).status).toBe(404);
  expect((await post(manager, { intent: 'share', id: all })).status).toBe(302);
  expect(await page(reviewer)).toContain('For all');
  expect((await post(reviewer, { intent: 'remove', id: all })).status).toBe(404);
  expect((await post(reviewer, { intent: 'remove', id: 'x' })).status).toBe(404);
  expect((await post(manager, { intent: 'unshare', id: all })).status).toBe(302);
  expect(await page(reviewer)).not.toContain('For all');
  expect((await post(reviewer, { intent: 'remove', id: mine })).status).toBe(302);
  expect(await page(reviewer)).not.toContain('Mine alone');
});

test('the queue begins with the chosen view, from the navigation and after signing in', async () => {
  const who = await storeStaff(platform, { name: 'K. Demir' });
  await save(who, 'Urgent', '?show=to_deliver&sort=newest');
  const id = await idOf(who, 'Urgent');
  await post(who, { intent: 'start', id });
  const navigation = /href="\/admin\?show=to_deliver&amp;sort=newest"[^>]*>Queue/;
  expect(await page(who, '/admin/refunds')).toMatch(navigation);
  expect((await post(who, { intent: 'start', id: await idOf(manager, 'For all') })).status).toBe(
    404,
  );
  await post(who, { intent: 'no_start' });
  expect(await page(who, '/admin/refunds')).not.toMatch(navigation);
  // One that is gone is as none.
  await post(who, { intent: 'start', id });
  await post(who, { intent: 'remove', id });
  expect(await page(who, '/admin/refunds')).not.toMatch(navigation);
});

test('nobody has more views than can be told apart', async () => {
  const who = await storeStaff(platform, { name: 'A. Many' });
  for (let count = 0; count < MAX_VIEWS; count += 1) await save(who, `View ${count}`);
  expect(await save(who, 'One more')).toContain('view=limit');
  expect(await save(who, 'View 0', '?show=mine')).toContain('view=saved');
});

test.each([
  ['', ''],
  ['?show=to_deliver&status=pending', '?show=to_deliver&status=pending'],
  [
    '?status=pending&show=to_deliver&tab=insurance',
    '?tab=insurance&show=to_deliver&status=pending',
  ],
  ['?search=sealed&nationality=IND', '?nationality=IND'],
  ['?after=00000000-0000-4000-8000-000000000000&sort=name&done=x', '?sort=name'],
  ['?show=nonsense', ''],
])('of the address %s a view keeps “%s”', (address, kept) => {
  expect(viewQuery(address)).toBe(kept);
});

test('a name is a line of some length', () => {
  expect(readViewName('  Urgent \n today ')).toEqual({ name: 'Urgent today' });
  expect(readViewName(' ')).toEqual({ problem: 'empty_name' });
  expect(readViewName('x'.repeat(MAX_VIEW_NAME_LENGTH + 1))).toEqual({ problem: 'long_name' });
});
