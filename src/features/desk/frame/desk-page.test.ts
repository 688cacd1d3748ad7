import { expect, it } from 'vitest';
import type { Role } from '~/features/staff/roles.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

const platform = await makeTestPlatform({ now: new Date('2044-12-31T23:00:00Z') });
const app = makeTestApp(platform);

it('tells whoever may close days, from the year on before which feasts are missing', async () => {
  const pageFor = async (role: 'reviewer' | 'manager' | 'administrator') => {
    const { cookie } = await storeStaff(platform, { role });
    return (await app.request('/admin', { headers: { cookie } })).text();
  };
  expect(await pageFor('administrator')).not.toContain('feasts-missing');
  platform.clock.set(new Date('2045-01-01T00:00:00Z'));
  for (const role of ['manager', 'administrator'] as const) {
    const page = await pageFor(role);
    expect(page).toContain('data-testid="feasts-missing"');
    expect(page).toContain('Some holidays in 2046 are missing');
  }
  expect(await pageFor('reviewer')).not.toContain('feasts-missing');
});

it('leads each role to every page that it may open, by eight rooms at most', async () => {
  const linksFor = async (role: Role, path: string) => {
    const { cookie } = await storeStaff(platform, { role });
    const html = await (await app.request(path, { headers: { cookie } })).text();
    const rooms = /<nav aria-label="Staff site".*?<\/nav>/s.exec(html)?.[0] ?? '';
    return { rooms: rooms.split('<a ').length - 1, html };
  };
  for (const [role, most] of [
    ['reviewer', 4],
    ['manager', 6],
    ['administrator', 8],
  ] as const) {
    const { rooms, html } = await linksFor(role, '/admin');
    expect(rooms, role).toBe(most);
    expect(html).toMatch(/href="[^"]*\/admin\/account"/);
  }
  for (const [path, beside] of [
    ['/admin/accounts', '/admin/audit'],
    ['/admin/settings', '/admin/outbox'],
  ] as const) {
    const { html } = await linksFor('administrator', path);
    expect(html, path).toMatch(new RegExp(`href="[^"]*${beside}"`));
  }
});
