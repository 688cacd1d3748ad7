import { expect, test } from 'vitest';
import { applicationById } from '~/features/application/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { evisaPdf, goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { needed } from '../../../../test/needed.ts';
import { makeApplication, makeOrder, makePayment, seedSales } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'M. Kaya' });

await seedSales(platform);

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
  const thabo = await makeApplication(platform);
  const { id, number } = thabo;
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
  const evisa = evisaPdf(thabo, 'A01234547');
  form.append('documents', new File([new Uint8Array(evisa)], 'a.pdf'));
  form.append('documents', new File([new Uint8Array(goodPdf())], `${other.number}.pdf`));
  form.append('documents', new File(['hello'], 'letter.pdf'));
  const sent = await (await post('/admin/pdfs', form)).text();
  expect(sent).toContain('These files were not added');
  expect(sent).toContain('Only PDF files are allowed.');

  const answer = await get('/admin/pdfs');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-security-policy')).toContain("frame-src 'self'");
  const html = await answer.text();
  expect(html).toContain(number);
  expect(html).toContain('Naidoo, Thabo');
  expect(html).toContain('A01234547');
  expect(html.match(/data-mark="match"/g)).toHaveLength(6);
  expect(html).toContain('It was matched by its file name only.');
  const fields = fieldsOf(html);
  expect([...fields.keys()].filter((name) => name.startsWith('tick-'))).toHaveLength(1);

  // The one whose text cannot be read is shown beside the data.
  const [picture] = /<iframe[^>]*>/.exec(html) ?? [];
  const document = /src="(\/admin\/pdfs\/[^"#]+)#/.exec(picture ?? '')?.[1] ?? '';
  const file = await get(document);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(file.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
  expect((await get(document, kaya)).status).toBe(404);
  expect(await (await get('/admin/pdfs', kaya)).text()).not.toContain('a.pdf');

  // The return key only stores what was typed.
  fields.set('intent', 'find_files');
  await post('/admin/pdfs', fields);
  expect(needed(await applicationById(platform.db, id)).status).toBe('pending');

  fields.set('intent', 'approve_files');
  const done = await post('/admin/pdfs', fields);
  expect(done.headers.get('set-cookie')).toContain('lale_desk_undo');
  expect(await done.text()).toContain('Done: 1 of 1');
  expect(needed(await applicationById(platform.db, id)).status).toBe('approved');
  expect(needed(await applicationById(platform.db, other.id)).status).toBe('pending');
  const again = await (await get('/admin/pdfs')).text();
  expect(again).not.toContain('a.pdf');

  const none = new FormData();
  none.set('intent', 'approve_files');
  expect(await (await post('/admin/pdfs', none)).text()).toContain('Select at least one PDF.');

  const removal = new FormData();
  removal.set('remove', document.split('/').at(-1) ?? '');
  expect(await (await post('/admin/pdfs', removal)).text()).not.toContain(`${other.number}.pdf`);
});

test('ticks that were taken away, and numbers that were typed, stay through another button', async () => {
  const files: [string, Buffer][] = [];
  for (const passport of ['D1000001', 'D1000002']) {
    const found = await makeApplication(platform, { passportNumber: passport });
    files.push([passport, evisaPdf(found, passport)]);
  }
  files.push(['scan', goodPdf('scan of nobody')], ['more', goodPdf('more')]);
  for (const [name, bytes] of files) {
    // In the order of adding.
    platform.clock.advance(1);
    const form = new FormData();
    form.append('documents', new File([new Uint8Array(bytes)], `${name}.pdf`));
    await post('/admin/pdfs', form);
  }
  const fields = fieldsOf(await (await get('/admin/pdfs')).text());
  const [left = '', kept = ''] = [...fields.keys()].filter((name) => name.startsWith('tick-'));
  const [, , scan = '', more = ''] = [...fields.keys()].filter((name) =>
    name.startsWith('number-'),
  );
  fields.delete(left);
  fields.set(scan, 'TRV');
  fields.set('intent', 'find_files');
  const html = await (await post('/admin/pdfs', fields)).text();
  const answered = fieldsOf(html);
  expect([answered.has(left), answered.has(kept), answered.get(scan)]).toEqual([
    false,
    true,
    'TRV',
  ]);
  expect(html).toMatch(new RegExp(`<input(?=[^>]*aria-invalid="true")[^>]*name="${scan}"`));

  const chosen = await makeApplication(platform);
  answered.set(scan, chosen.number);
  answered.set('remove', more.replace('number-', ''));
  const after = await (await post('/admin/pdfs', answered)).text();
  expect(after).not.toContain('more.pdf');
  expect(after).toContain('Chosen by you');
  const last = fieldsOf(after);
  expect([last.has(left), last.has(kept), last.get(scan)]).toEqual([false, true, '']);
});

test('a PDF that names nobody may be for each undecided traveller of the order it was added at', async () => {
  const { order, visas } = await makeOrder(platform, {
    travellers: [{ firstName: 'Anna' }, { firstName: 'Bela' }],
  });
  await makePayment(platform, order);
  const at = `/admin/pdfs?order=${order.number}`;
  const form = new FormData();
  form.append('documents', new File([new Uint8Array(goodPdf('scan'))], 'scan.pdf'));
  const sent = await post(at, form);
  expect([sent.status, sent.headers.get('location')]).toEqual([302, at]);
  const html = await (await get(at)).text();
  for (const { number } of visas)
    expect(html).toMatch(new RegExp(`<input(?=[^>]*type="radio")[^>]*value="${number}"`));
  expect(html).toContain(`href="/admin/orders/${order.number}#group"`);
  expect(await (await get('/admin/pdfs')).text()).toContain('No application found');
});
