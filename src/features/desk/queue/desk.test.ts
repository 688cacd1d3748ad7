import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { applicationById } from '~/features/application/store.server.ts';
import { goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const admin = await storeStaff(platform, { name: 'A. Admin', role: 'administrator' });

const get = (path: string, cookie = aydin.cookie) => app.request(path, { headers: { cookie } });

function post(path: string, fields: Record<string, string | File>, cookie = aydin.cookie) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return app.request(path, { method: 'POST', headers: { cookie }, body });
}

/** Drafts a decision by a form of the panel and sends it. */
async function decide(
  number: string,
  fields: Record<string, string | File>,
  cookie = aydin.cookie,
): Promise<Response> {
  const planned = await post(`/admin/applications/${number}`, fields, cookie);
  if (planned.status !== 302) return planned;
  // The cases here are of one person, and what stands in their PDF cannot be compared.
  const ticks = { compared: 'yes', duplicates: 'yes' };
  return post(planned.headers.get('location') ?? '', ticks, cookie);
}

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const pdf = (bytes = goodPdf()) => new File([new Uint8Array(bytes)], 'visa.pdf');

describe('without a session', () => {
  test('/admin is the way in and shows nothing else', async () => {
    await makeApplication(platform, { lastName: 'Secret' });
    const response = await get('/admin', '');
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(html).toContain('name="password"');
    expect(html).not.toContain('Secret');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('a page leads to the way in and back, in its language', async () => {
    const response = await get('/tr/admin/second-factor', '');
    expect(response.headers.get('location')).toBe('/tr/admin?next=%2Fadmin%2Fsecond-factor');
  });
});

describe('signing in', () => {
  const enter = (password: string, next = '') =>
    post('/admin', { email: aydin.email, password, next }, '');

  test('with a wrong password says so in Turkish and in the language of the page', async () => {
    const response = await enter('wrong');
    const html = await response.text();
    expect(response.status).toBe(401);
    expect(html).toMatch(/<span [^>]*lang="tr">E-posta adresi veya şifre hatalı\.<\/span>/);
    expect(html).toContain('The email address or the password is wrong.');
    expect(html).toContain(`value="${aydin.email}"`);
    expect(html).toContain('<title>Error: ');
    expect(html).not.toContain('value="wrong"');
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('leads to where one wanted to go, within the desk', async () => {
    const response = await enter('correct horse battery', '/admin/second-factor');
    expect(response.headers.get('location')).toBe('/admin/second-factor');
    expect(cookieOf(response)).toMatch(/^lale_staff=[\w-]{40,}$/);
    const away = await enter('correct horse battery', 'https://evil.example/');
    expect(away.headers.get('location')).toBe('/admin');
  });

  test('asks for what is missing', async () => {
    expect(await (await enter('')).text()).toContain('href="#password"');
  });

  test('sign-out ends the session', async () => {
    const cookie = cookieOf(await enter('correct horse battery'));
    expect(await (await get('/admin', cookie)).text()).toContain('E. Aydın');
    const response = await post('/admin/sign-out', {}, cookie);
    expect(response.headers.get('location')).toBe('/admin');
    expect(await (await get('/admin', cookie)).text()).toContain('name="password"');
  });

  test('sign-out is no link', async () => {
    await get('/admin/sign-out');
    expect(await (await get('/admin')).text()).toContain('E. Aydın');
  });

  test('a form from another site is refused', async () => {
    const response = await app.request('/admin/sign-out', {
      method: 'POST',
      headers: { cookie: aydin.cookie, origin: 'https://evil.example' },
    });
    expect(response.status).toBe(403);
  });
});

describe('the queue', () => {
  test('shows the sent marker only once the e-mail has left', async () => {
    const { number } = await makeApplication(platform);
    await decide(number, { intent: 'approve' });
    expect(await (await get('/admin')).text()).toContain('data-testid="mail-waits"');
  });

  test('has an empty insurance tab', async () => {
    const html = await (await get('/admin?tab=insurance')).text();
    expect(html).toContain('No insurance applications');
  });
});

describe('an application', () => {
  test('is shown with masked numbers, and the view is written down', async () => {
    const { id, number } = await makeApplication(platform, {
      supportingDocumentNumber: 'S9988776',
    });
    const html = await (await get(`/admin/applications/${number.toLowerCase()}`)).text();
    expect(html).toContain('A0•••••47');
    expect(html).not.toMatch(/A01234547|S9988776/);
    const trail = await auditEntriesBySubject(platform.db, { kind: 'application', id });
    expect(trail).toMatchObject([{ action: 'application_viewed', staffId: aydin.id }]);
  });

  test('shows the numbers on demand, and that is written down', async () => {
    const { id, number } = await makeApplication(platform, {
      supportingDocumentNumber: 'S9988776',
    });
    const response = await post(`/admin/applications/${number}`, { intent: 'reveal' });
    const html = await response.text();
    expect(html).toContain('A01234547');
    expect(html).toContain('S9988776');
    expect(response.headers.get('cache-control')).toBe('no-store');
    const trail = await auditEntriesBySubject(platform.db, { kind: 'application', id });
    expect(trail.map(({ action }) => action)).toContain('numbers_revealed');
    expect(JSON.stringify(trail)).not.toContain('A01234547');
  });

  test('that does not exist is a 404 beside the queue', async () => {
    const response = await get('/admin/applications/TRV000000000000T');
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('No application has this number.');
  });

  test('is approved with a PDF, without scripts', async () => {
    const { id, number } = await makeApplication(platform);
    const response = await decide(number, {
      intent: 'approve',
      seen: 'pending',
      document: pdf(),
    });
    expect(response.headers.get('location')).toBe(
      `/admin/applications/${number}?done=approved#application`,
    );
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'approved' });
    const html = await (await get(`/admin/applications/${number}`)).text();
    const link = /\/admin\/documents\/[0-9a-f-]+/.exec(html)?.[0] ?? '';
    const document = await get(link);
    expect(Buffer.from(await document.arrayBuffer())).toEqual(goodPdf());
    expect(html).not.toContain('value="approve"');
    expect(html).not.toContain('value="reject"');
  });

  test('approves with no file chosen, as browsers send it', async () => {
    const { id, number } = await makeApplication(platform);
    const none = new File([], '', { type: 'application/octet-stream' });
    await decide(number, { intent: 'approve', document: none });
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'approved' });
  });

  test('is not approved with a wrong file', async () => {
    const { id, number } = await makeApplication(platform);
    const document = pdf(Buffer.from('<html>'));
    const response = await post(`/admin/applications/${number}`, { intent: 'approve', document });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('Only PDF files are allowed.');
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
  });

  test('is rejected with a reason, which is not lost when it is too long', async () => {
    const { id, number } = await makeApplication(platform);
    const path = `/admin/applications/${number}`;
    expect((await post(path, { intent: 'reject', reason: ' ' })).status).toBe(422);
    const long = await post(path, { intent: 'reject', reason: 'y'.repeat(1001) });
    expect(await long.text()).toContain('y'.repeat(1001));
    await decide(number, { intent: 'reject', reason: 'Photo missing' });
    expect(await applicationById(platform.db, id)).toMatchObject({
      rejectionReason: 'Photo missing',
    });
  });

  test('not paid offers rejection only', async () => {
    const { number } = await makeApplication(platform, { paid: false });
    const html = await (await get(`/admin/applications/${number}`)).text();
    expect(html).toContain('Not paid yet. You can only reject it.');
    expect(html).not.toContain('Start processing');
    expect(html).toContain('Reject…');
  });

  test('with hostile names runs nothing', async () => {
    const name = '"><img src=x onerror=alert(1)>';
    const { number } = await makeApplication(platform, {
      firstName: name,
      lastName: '</title><script>',
    });
    const html = await (await get(`/admin/applications/${number}`)).text();
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('</title><script>');
  });
});

describe('the outbox', () => {
  const folder = join(platform.config.dataDir, 'mail');
  mkdirSync(folder, { recursive: true });
  const source = [
    'To: thabo@example.org',
    'Subject: Hello',
    'Date: Mon, 23 Nov 2026 10:00:00 +0000',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<html><head></head><body><script>alert(1)</script>Body</body></html>',
  ].join('\r\n');
  writeFileSync(join(folder, '2026-11-23T100000Z-abc.eml'), source);

  test('lists e-mails and shows one as a document in which nothing runs', async () => {
    const html = await (await get('/admin/outbox', admin.cookie)).text();
    expect(html).toContain('thabo@example.org');
    const opened = await get('/admin/outbox?message=2026-11-23T100000Z-abc', admin.cookie);
    expect(await opened.text()).toContain('href="/admin/outbox/2026-11-23T100000Z-abc"');
    const message = await get('/admin/outbox/2026-11-23T100000Z-abc', admin.cookie);
    expect(message.status).toBe(200);
    const policy = message.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('sandbox');
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('script-src');
  });

  test.each([
    ['..%2Fsecrets', 404],
    ['..%2F..%2Fsecrets.json', 404],
    ['%00', 400],
    ['nothing', 404],
  ])('gives away no other file: %s', async (name, status) => {
    expect((await get(`/admin/outbox/${name}`, admin.cookie)).status).toBe(status);
  });

  test('does not exist where mail is sent', async () => {
    const live = makeTestApp({
      ...platform,
      config: { ...platform.config, mailUrl: 'smtp://mail.example' },
    });
    const response = await live.request('/admin/outbox', { headers: { cookie: admin.cookie } });
    expect(response.status).toBe(404);
  });
});
