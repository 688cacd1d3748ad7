import { expect, test } from 'vitest';
import { applicationById } from '~/features/application/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { goodPdf, storeStaff, textPdf } from '../application/testing/case-store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'M. Kaya' });

const get = (path: string, { cookie } = aydin) => app.request(path, { headers: { cookie } });
const post = (path: string, body: FormData) =>
  app.request(path, { method: 'POST', headers: { cookie: aydin.cookie }, body });

/** The fields of a page's forms, as a browser without scripts would send them. */
function fieldsOf(html: string): FormData {
  const form = new FormData();
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const value = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
    const [type, name] = [value('type'), value('name')];
    if (name === undefined || type === 'file' || type === 'radio') continue;
    if (type === 'checkbox' && !/ checked/.test(input)) continue;
    form.append(name, value('value') ?? '');
  }
  return form;
}

test('without JavaScript: choose PDFs, look, confirm, read what happened', async () => {
  const { id, number } = await makeApplication(platform);
  const other = await makeApplication(platform, { passportNumber: 'C7654321' });
  expect(await (await get('/admin')).text()).toContain('href="/admin/pdfs"');
  const page = await (await get('/admin/pdfs')).text();
  expect(page).toMatch(/<input[^>]*multiple/);

  const empty = await post('/admin/pdfs', new FormData());
  expect([empty.status, await empty.text()]).toEqual([
    422,
    expect.stringContaining('Choose at least one PDF.'),
  ]);

  const form = new FormData();
  const evisa = textPdf(['NAIDOO', 'THABO', 'A01234547', '02/05/1984']);
  form.append('documents', new File([new Uint8Array(evisa)], 'a.pdf'));
  form.append('documents', new File([new Uint8Array(goodPdf())], `${other.number}.pdf`));
  form.append('documents', new File(['hello'], 'letter.pdf'));
  const sent = await post('/admin/pdfs', form);
  const address = sent.headers.get('location') ?? '';
  expect([sent.status, address]).toEqual([
    302,
    expect.stringMatching(/^\/admin\/pdfs\/[\w-]{36}$/),
  ]);

  const answer = await get(address);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const html = await answer.text();
  expect(html).toContain(number);
  expect(html).toContain('Naidoo, Thabo');
  expect(html).toContain('A0•••••47');
  expect(html).not.toContain('A01234547');
  expect(html).toContain('It was matched by its file name only.');
  expect(html).toContain('Only PDF files are allowed.');
  const fields = fieldsOf(html);
  expect([...fields.keys()].filter((name) => name.startsWith('tick-'))).toHaveLength(1);

  const document = /href="(\/admin\/pdfs\/[\w-]+\/[\w-]+)"/.exec(html)?.[1] ?? '';
  expect((await get(document)).headers.get('content-type')).toBe('application/pdf');
  expect((await get(document, kaya)).status).toBe(404);
  expect((await get(address, kaya)).status).toBe(404);

  // The return key only stores what was typed.
  fields.set('intent', 'find_files');
  await post(address, fields);
  expect(needed(await applicationById(platform.db, id)).status).toBe('pending');

  fields.set('intent', 'approve_files');
  const done = await post(address, fields);
  expect(done.headers.get('set-cookie')).toContain('lale_desk_undo');
  expect(await done.text()).toContain('Approved: 1 of 1');
  expect(needed(await applicationById(platform.db, id)).status).toBe('approved');
  expect(needed(await applicationById(platform.db, other.id)).status).toBe('pending');
  const again = await (await get(address)).text();
  expect(again).toContain('letter.pdf');
  expect(await (await get('/admin/pdfs')).text()).toContain('Not used yet: 1');

  const none = new FormData();
  none.set('intent', 'approve_files');
  expect(await (await post(address, none)).text()).toContain('Select at least one PDF.');
});
