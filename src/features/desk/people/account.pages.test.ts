import { describe, expect, test } from 'vitest';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { ensureFirstAdministrator } from '~/features/staff/accounts/first-administrator.server.ts';
import { openSession, sessionCookie } from '~/features/staff/session.server.ts';
import { accountByEmail, accountById } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const app = makeTestApp(platform);
const first = await ensureFirstAdministrator(platform);
const { id } = needed(await accountByEmail(db, first.email));
const token = await openSession(db, { accountId: id, half: false, now: platform.now() });
const chief = needed(sessionCookie(platform, token).split(';')[0]);

async function read(address: string, cookie: string): Promise<string> {
  const html = await (await app.request(address, { headers: { cookie } })).text();
  return html.split('window.__reactRouterContext')[0] ?? '';
}

function post(address: string, cookie: string, fields: Record<string, string>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return app.request(address, { method: 'POST', headers: { cookie }, body });
}

const NOTICE = 'Your colleagues see you as “Administrator”.';

describe('names at the desk, without scripts', () => {
  test('the first administrator is asked on every page until they have given theirs', async () => {
    for (const page of ['/admin', '/admin/refunds'])
      expect(await read(page, chief)).toContain(NOTICE);
    const asked = await read('/admin/name', chief);
    expect(asked).toContain('What is your name?');
    expect(asked).not.toContain(NOTICE);
    const empty = await post('/admin/name', chief, { name: ' ' });
    expect(empty.status).toBe(422);
    expect(await empty.text()).toContain('Enter a name.');
    const given = await post('/admin/name', chief, { name: 'Defne Yılmaz' });
    expect(given.headers.get('location')).toBe('/admin');
    const queue = await read('/admin', chief);
    expect(queue).not.toContain(NOTICE);
    expect(queue).toContain('Defne Yılmaz');
  });

  test('everybody changes their own on the page of their account', async () => {
    const reviewer = await storeStaff(platform, { name: 'E. Aydın' });
    const changed = await post('/admin/account', reviewer.cookie, {
      intent: 'name',
      name: 'Elif Aydın',
    });
    expect(await changed.text()).toContain('Your name has been changed.');
    expect((await accountById(db, reviewer.id))?.name).toBe('Elif Aydın');
    const empty = await post('/admin/account', reviewer.cookie, { intent: 'name', name: '' });
    expect(empty.status).toBe(422);
    expect(await empty.text()).toContain('Enter a name.');
  });

  test('an administrator changes a colleague’s; a taken address is refused at its field', async () => {
    const one = await storeStaff(platform, { name: 'S. Kaya' });
    const other = needed(await accountById(db, (await storeStaff(platform)).id));
    const page = `/admin/accounts/${one.id}`;
    expect(await read('/admin/accounts', chief)).toContain(page);
    expect(await read(page, chief)).toMatch(
      /name="name"[^>]*value="S. Kaya"|value="S. Kaya"[^>]*name="name"/,
    );
    const typed = { name: 'Selin Kaya', email: other.email };
    const taken = await post(page, chief, typed);
    expect(taken.status).toBe(422);
    const html = await taken.text();
    expect(html).toContain('Another account already has this email address.');
    expect(html).toMatch(
      /<input[^>]*aria-invalid="true"[^>]*name="email"|<input[^>]*name="email"[^>]*aria-invalid="true"/,
    );
    expect(html).toContain('value="Selin Kaya"');
    const moved = await post(page, chief, { ...typed, email: 'selin@office.example' });
    expect(moved.headers.get('location')).toBe(`${page}?done=yes`);
    const after = await read(`${page}?done=yes`, chief);
    expect(after).toContain('The changes have been saved.');
    expect(after).toMatch(/S\. Kaya.{0,40}was changed to.{0,40}Selin Kaya/);
  });

  test('one’s own id leads to the own account, an unknown one nowhere', async () => {
    const own = await app.request(`/admin/accounts/${id}`, { headers: { cookie: chief } });
    expect(own.headers.get('location')).toBe('/admin/account');
    const unknown = `/admin/accounts/${id.replace(/^./, (c) => (c === '0' ? '1' : '0'))}`;
    expect((await app.request(unknown, { headers: { cookie: chief } })).status).toBe(404);
    expect((await app.request('/admin/accounts/x', { headers: { cookie: chief } })).status).toBe(
      404,
    );
  });
});

/** For which screens a page names the dark colours, and what it tells the browser before they are there. */
async function coloursOf(path: string) {
  const html = await (await app.request(path, { headers: { cookie: chief } })).text();
  const [, dark = null] = /<link[^>]*media="(screen[^"]*)"/.exec(html) ?? [];
  return {
    dark,
    scheme: /<meta name="color-scheme" content="([^"]*)"/.exec(html)?.[1] ?? null,
  };
}

test('at the desk the device decides about light or dark; pages of visitors and of the lab are light', async () => {
  expect(await coloursOf('/admin')).toEqual({
    dark: 'screen and (prefers-color-scheme: dark)',
    scheme: 'light dark',
  });
  expect(await coloursOf('/en')).toEqual({ dark: null, scheme: null });
  expect(await coloursOf('/payment-troubleshoot')).toEqual({ dark: null, scheme: null });
});
