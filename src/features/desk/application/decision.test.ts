import { describe, expect, test } from 'vitest';
import { applicationById, currentDocument } from '~/features/application/store.server.ts';
import { decideApplication } from './decide.server.ts';
import { draftDecision, deleteUnsentDrafts } from './draft.server.ts';
import { evisaPdf, textPdf, goodPdf, storeStaff } from './testing/case-store.server.ts';
import { DEFAULT_UNDO_SECONDS } from '~/features/staff/staff.ts';
import { deleteUnusedUploads, upload } from './uploads.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const demir = await storeStaff(platform, { name: 'K. Demir' });
const manager = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });

let passports = 0;
/** An application of somebody with a passport that nobody else has. */
const newCase = (given: Parameters<typeof makeApplication>[1] = {}) =>
  makeApplication(platform, { passportNumber: `A${1_000_000 + ++passports}`, ...given });
const passport = () => `A${1_000_000 + passports}`;

const get = (path: string, cookie = aydin.cookie) => app.request(path, { headers: { cookie } });
function post(path: string, fields: Record<string, string | File> = {}, cookie = aydin.cookie) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return app.request(path, { method: 'POST', headers: { cookie }, body });
}
const pdf = (text = 'Visa') => new File([new Uint8Array(goodPdf(text))], 'visa.pdf');

/** The address of the preview to which a form redirects. */
async function planned(
  number: string,
  fields: Record<string, string | File>,
  cookie = aydin.cookie,
): Promise<string> {
  const response = await post(`/admin/applications/${number}`, fields, cookie);
  expect(response.status).toBe(302);
  return (response.headers.get('location') ?? '').replace(/\?.*/, '');
}

describe('a decision before it is sent', () => {
  test('shows e-mail and PDF, and decides nothing', async () => {
    const { id, number } = await newCase({ language: 'ar' });
    const fields = { intent: 'approve', seen: 'pending', document: pdf() };
    const at = await planned(number, fields);
    const page = await get(at);
    const html = await page.text();
    expect(html).toContain(`src="${at}/email"`);
    expect(html).toContain(`src="${at}/document"`);
    expect(html).toContain('thabo@example.org');
    expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
    const email = await get(`${at}/email`);
    const text = await email.text();
    expect(text).toContain('<html dir="rtl" lang="ar">');
    expect(text).not.toContain('/download?token=');
    expect(email.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/);
    const file = await get(`${at}/document`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(goodPdf());
    expect(file.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
    expect(await currentDocument(platform.db, id)).toBeNull();
    await platform.runJobs({});
    expect((await post(at, { compared: 'yes' })).headers.get('location')).toContain(
      'done=approved',
    );
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'approved' });
    expect((await post(at)).status).toBe(404);
  });

  test('of a rejection says the reason in the traveller’s language, and can be changed', async () => {
    const { id, number } = await newCase({ language: 'de' });
    const fields = { intent: 'reject', reasonCode: 'duplicate', reason: 'See the first one.' };
    const at = await planned(number, fields);
    const email = await (await get(`${at}/email`)).text();
    expect(email).toContain('Für dieselbe Reise gibt es einen weiteren Antrag.');
    expect(email).toContain('See the first one.');
    const page = await (await get(at)).text();
    const back = /href="([^"]*reject=[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const form = await (await get(back.replace(/#.*/, ''))).text();
    expect(form).toMatch(/<option value="duplicate" selected/);
    expect(form).toContain('>See the first one.</textarea>');
    await post(at);
    expect(await applicationById(platform.db, id)).toMatchObject({
      rejectionCode: 'duplicate',
      rejectionReason: 'See the first one.',
    });
  });

  test('is its author’s alone, and of its own application', async () => {
    const [{ id, number }, other] = [await newCase(), await newCase()];
    const at = await planned(number, { intent: 'approve', document: pdf() });
    for (const path of [at, `${at}/email`, `${at}/document`]) {
      expect((await get(path, manager.cookie)).status).toBe(404);
      expect((await get(path.replace(number, other.number))).status).toBe(404);
    }
    expect((await post(at, {}, demir.cookie)).status).toBe(404);
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
  });

  test('whose file serves nobody else and no other application', async () => {
    const [one, other] = [await newCase(), await newCase()];
    const uploaded = await upload(platform, aydin, goodPdf(), { draftFor: one.id });
    if (!uploaded.ok) throw new Error(uploaded.error);
    const plan = { kind: 'approve', fileId: uploaded.value.id, seen: undefined } as const;
    const unknown = { ok: false, error: { code: 'unknown_document' } };
    expect(await draftDecision(platform, aydin, other, plan)).toEqual(unknown);
    expect(await draftDecision(platform, demir, one, plan)).toEqual(unknown);
    expect(await draftDecision(platform, aydin, one, plan)).toMatchObject({ ok: true });
  });

  test('that somebody else takes meanwhile says who was first', async () => {
    const { number } = await newCase();
    const at = await planned(number, { intent: 'approve', seen: 'pending' });
    await post(`/admin/applications/${number}`, { intent: 'take' }, demir.cookie);
    const theirs = await planned(number, { intent: 'reject', reason: 'No' }, demir.cookie);
    await post(theirs, {}, demir.cookie);
    const response = await post(at);
    expect(response.status).toBe(409);
    expect(await response.text()).toContain('K. Demir has already changed the status: Rejected');
  });

  test('is gone after a day', async () => {
    const { number } = await newCase();
    const at = await planned(number, { intent: 'approve' });
    platform.clock.advance(25 * 3600_000);
    await deleteUnsentDrafts(platform);
    const { rows } = await platform.pool.query('select id from desk_draft where id = $1', [
      at.split('/').at(-1),
    ]);
    expect(rows).toEqual([]);
    platform.clock.advance(-25 * 3600_000);
  });
});

describe('a PDF beside its application', () => {
  const file = (pdf: Buffer) => new File([new Uint8Array(pdf)], 'visa.pdf');
  const detailOf = async (id: string) => {
    const { rows } = await platform.pool.query<{ detail: Record<string, unknown> }>(
      `select detail from audit_entry where subject_id = $1 and action = 'approved'`,
      [id],
    );
    return rows[0]?.detail;
  };

  test('that is the traveller’s own has a mark at each fact, and goes without another question', async () => {
    const found = await newCase();
    const { id, number } = found;
    const document = file(evisaPdf(found, passport()));
    const at = await planned(number, { intent: 'approve', document });
    const html = await (await get(at)).text();
    expect(html.match(/data-mark="match"/g)).toHaveLength(6);
    expect(html).not.toContain('name="compared"');
    expect(html).toContain(passport());
    expect(html).not.toContain('name="duplicates"');
    expect((await post(at)).status).toBe(302);
    expect(await detailOf(id)).toMatchObject({ documentCheck: 'match', sameFileElsewhere: 0 });
    const until = `${Number(found.startsOn.slice(0, 4)) + 1}${found.startsOn.slice(4)}`;
    expect(await currentDocument(platform.db, id)).toMatchObject({
      validFrom: found.startsOn,
      validUntil: until,
    });
    expect(await (await get(`/admin/applications/${number}`)).text()).toMatch(/Valid: [^<]* – /);
  });

  test('that names somebody else is only sent after a confirmation', async () => {
    const { id, number } = await newCase();
    const document = file(textPdf(['SMITH, JOHN', 'Passport B7654321', 'Born 02/05/1984', number]));
    const at = await planned(number, { intent: 'approve', document });
    const html = await (await get(at)).text();
    expect(html).toMatch(/data-mark="differs" data-testid="fact-passportNumber"/);
    expect(html).toMatch(/data-mark="missing" data-testid="fact-validity"/);
    expect(html).toContain('It may belong to someone else.');
    expect(html.replaceAll(/<[^>]*>/g, '')).toContain('B7654321');
    const refused = await post(at);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('Compare them, then confirm');
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
    expect((await post(at, { compared: 'yes' })).status).toBe(302);
    expect(await detailOf(id)).toMatchObject({ documentCheck: 'differs' });
  });

  test('that another traveller was given says whose it is, and asks', async () => {
    const first = await newCase();
    const evisa = evisaPdf(first, passport());
    await post(await planned(first.number, { intent: 'approve', document: file(evisa) }));
    const second = await newCase();
    const at = await planned(second.number, { intent: 'approve', document: file(evisa) });
    const html = await (await get(at)).text();
    expect(html).toContain('This file is already attached to another traveller’s application');
    expect(html).toContain(`href="/admin/applications/${first.number}"`);
    expect((await post(at)).status).toBe(409);
    expect((await post(at, { compared: 'yes' })).status).toBe(302);
    expect(await detailOf(second.id)).toMatchObject({ sameFileElsewhere: 1 });
  });

  test('whose text cannot be read is compared by eye, with the whole number, and somebody says so', async () => {
    const { id, number } = await newCase();
    const at = await planned(number, { intent: 'approve', document: pdf(`Scan of ${number}`) });
    const html = await (await get(at)).text();
    expect(html).toContain('The text of this PDF cannot be read.');
    expect(html).toContain(passport());
    expect(html).toMatch(/<input(?=[^>]*required)[^>]*name="compared"/);
    const trail = await auditEntriesBySubject(platform.db, { kind: 'application', id });
    expect(trail.map(({ action }) => action)).toContain('numbers_revealed');
    expect((await post(at)).status).toBe(409);
    expect(await applicationById(platform.db, id)).toMatchObject({ status: 'pending' });
    expect((await post(at, { compared: 'yes' })).status).toBe(302);
    expect(await detailOf(id)).toMatchObject({ documentCheck: 'unread' });
  });

  test('of a possible duplicate says so, and somebody says that they have checked it', async () => {
    const first = await newCase();
    const second = await newCase({ passportNumber: passport() });
    const at = await planned(second.number, { intent: 'approve' });
    const html = await (await get(at)).text();
    expect(html).toContain('Same passport, dates overlap');
    expect(html).toContain(`href="/admin/applications/${first.number}"`);
    expect(html).toMatch(/<input(?=[^>]*required)[^>]*name="duplicates"/);
    const refused = await post(at);
    expect(refused.status).toBe(409);
    expect(await refused.text()).toContain('This application may be a duplicate.');
    expect((await post(at, { duplicates: 'yes' })).status).toBe(302);
    expect(await applicationById(platform.db, second.id)).toMatchObject({ status: 'approved' });
  });

  test('leaves none of its text behind once it can no longer be undone', async () => {
    const found = await newCase();
    const document = file(evisaPdf(found, passport()));
    const at = await planned(found.number, { intent: 'approve', document });
    const kept = async () =>
      (await platform.pool.query('select text from desk_upload order by created_at desc limit 1'))
        .rows[0];
    const before = await kept();
    expect(before.text).toBeInstanceOf(Buffer);
    expect(before.text.includes('NAIDOO')).toBe(false);
    await post(at);
    await deleteUnusedUploads(platform);
    expect((await kept()).text).toEqual(before.text);
    platform.clock.advance(DEFAULT_UNDO_SECONDS * 1000);
    await deleteUnusedUploads(platform);
    const { rows } = await platform.pool.query(
      'select 1 from desk_upload where application_id is not null and text is not null',
    );
    expect(rows).toEqual([]);
  });
});

describe('a delivered document', () => {
  test('is replaced by a manager alone, and the e-mail names the one that it replaces', async () => {
    const { id, number } = await newCase();
    const [first, next] = [`First of ${number}`, `New of ${number}`];
    const compared = { compared: 'yes' };
    await post(await planned(number, { intent: 'approve', document: pdf(first) }), compared);
    const refused = await post(`/admin/applications/${number}`, {
      intent: 'attach',
      document: pdf(next),
    });
    expect(refused.status).toBe(403);
    const at = await planned(number, { intent: 'attach', document: pdf(next) }, manager.cookie);
    const email = await (await get(`${at}/email`, manager.cookie)).text();
    expect(email).toContain('This document replaces the one from Monday 23 November 2026');
    await post(at, compared, manager.cookie);
    const current = await currentDocument(platform.db, id);
    const file = current && (await platform.files.read(current.fileId));
    expect(file?.bytes).toEqual(goodPdf(next));
  });

  test('needs a file', async () => {
    const { number } = await newCase();
    await post(await planned(number, { intent: 'approve' }));
    const response = await post(`/admin/applications/${number}`, { intent: 'attach' });
    expect(response.status).toBe(422);
    expect(await response.text()).toContain('Choose a PDF first.');
  });
});

test.each([
  ['visa', 'Your refund is $25.00'],
  ['insurance', 'We refund what you paid for the insurance in full'],
] as const)(
  'the status page says what becomes of the money of a rejected %s',
  async (kind, words) => {
    const { id, number } = await newCase({ kind });
    await decideApplication(platform, aydin, {
      kind: 'reject',
      applicationId: id,
      code: 'duplicate',
    });
    expect(await (await get(`/en/status?ref=${number}`)).text()).toContain(words);
  },
);
