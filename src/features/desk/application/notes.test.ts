import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { CORRECTABLE_MS, MAX_STAFF_NOTE_LENGTH } from './note.ts';
import { notesByApplication, addNote, editNote, strikeNote } from './notes.server.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sealer, clock } = platform;
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const demir = await storeStaff(platform, { name: 'B. Demir' });
const manager = await storeStaff(platform, { name: 'M. Kaya', role: 'manager' });

async function storeNoted(typed = 'Booking confirmed by the hotel') {
  const { id: applicationId, number } = await makeApplication(platform);
  const id = randomUUID();
  await addNote(platform, aydin, { id, applicationId, typed });
  return { id, applicationId, number };
}
const read = (applicationId: string) => notesByApplication(db, sealer, applicationId);
const trail = async (id: string) =>
  (await auditEntriesBySubject(db, { kind: 'application', id })).map(({ action }) => action);

describe('a note', () => {
  test('is stored with author and moment, sealed, and audited without its text', async () => {
    const { id, applicationId } = await storeNoted();
    expect(await read(applicationId)).toMatchObject([
      { id, staffId: aydin.id, text: 'Booking confirmed by the hotel', editedAt: null },
    ]);
    const { rows } = await platform.pool.query('select text from desk_note where id = $1', [id]);
    expect(String(rows[0]?.text)).not.toContain('Booking');
    const entries = await auditEntriesBySubject(db, { kind: 'application', id: applicationId });
    expect(entries).toMatchObject([{ action: 'note_added', detail: { noteId: id } }]);
    expect(JSON.stringify(entries)).not.toContain('Booking');
  });

  test('sent twice is one note; under another note’s id it is none', async () => {
    const { id, applicationId } = await storeNoted();
    const again = { id, applicationId, typed: 'Booking confirmed by the hotel' };
    expect(await addNote(platform, aydin, again)).toMatchObject({ ok: true });
    expect(await addNote(platform, demir, again)).toEqual({ ok: false, error: 'unknown_note' });
    expect(await read(applicationId)).toHaveLength(1);
    expect(await trail(applicationId)).toEqual(['note_added']);
  });

  test('another text under the same id, from a page the browser brought back, is another note', async () => {
    const { id, applicationId } = await storeNoted();
    clock.advance(1000);
    const other = { id, applicationId, typed: 'The hotel has called back' };
    expect(await addNote(platform, aydin, other)).toMatchObject({ ok: true });
    expect(await read(applicationId)).toMatchObject([
      { id, text: 'Booking confirmed by the hotel' },
      { text: 'The hotel has called back' },
    ]);
    expect(await trail(applicationId)).toEqual(['note_added', 'note_added']);
  });

  test('is corrected by its author within ten minutes, and says so', async () => {
    const { id, applicationId } = await storeNoted();
    clock.advance(CORRECTABLE_MS - 1);
    const edited = { id, applicationId, typed: 'Booking confirmed by the hostel' };
    expect(await editNote(platform, aydin, edited)).toMatchObject({ ok: true });
    const [note] = await read(applicationId);
    expect(note).toMatchObject({ text: edited.typed, editedAt: platform.now() });
    expect(await trail(applicationId)).toContain('note_edited');
  });

  test.each([
    ['by somebody else, a manager too', 0, manager, 'late_edit'],
    ['after ten minutes', CORRECTABLE_MS, aydin, 'late_edit'],
  ])('is not corrected %s', async (_, later, who, error) => {
    const { id, applicationId } = await storeNoted();
    clock.advance(later);
    const outcome = await editNote(platform, who, { id, applicationId, typed: 'Another story' });
    expect(outcome).toEqual({ ok: false, error });
    expect(await read(applicationId)).toMatchObject([{ editedAt: null }]);
  });

  test('that is struck stays readable with who and why, and is struck once', async () => {
    const { id, applicationId } = await storeNoted();
    const strikes = await Promise.all(
      [manager, manager, manager].map((who, index) =>
        strikeNote(platform, who, { id, applicationId, typed: `Wrong person ${index}` }),
      ),
    );
    expect(strikes.filter(({ ok }) => ok)).toHaveLength(1);
    const [note] = await read(applicationId);
    expect(note?.text).toBe('Booking confirmed by the hotel');
    expect(note?.struck).toMatchObject({ by: manager.id });
    expect(note?.struck?.why).toMatch(/^Wrong person \d$/);
    const edited = { id, applicationId, typed: 'Never mind' };
    expect(await editNote(platform, aydin, edited)).toEqual({ ok: false, error: 'struck_note' });
  });

  test('is reached only under its own application', async () => {
    const { id } = await storeNoted();
    const other = await storeNoted();
    const foreign = { id, applicationId: other.applicationId, typed: 'x' };
    expect(await editNote(platform, aydin, foreign)).toMatchObject({ error: 'unknown_note' });
    expect(await strikeNote(platform, manager, foreign)).toMatchObject({ error: 'unknown_note' });
  });
});

describe('on the application’s page', () => {
  const app = makeTestApp(platform);
  const get = async (path: string, { cookie } = aydin) =>
    (await app.request(path, { headers: { cookie } })).text();
  const post = (number: string, fields: Record<string, string>, { cookie } = aydin) =>
    app.request(`/admin/applications/${number}`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams(fields),
    });

  test('a note is written without scripts and counted in the queue', async () => {
    const { number } = await makeApplication(platform, { lastName: 'Noted' });
    const about = randomUUID();
    const written = { intent: 'note', about, [`note-${about}`]: 'First line\nsecond <b>line</b>' };
    const response = await post(number, written);
    const to = response.headers.get('location') ?? '';
    expect(to).toBe(`/admin/applications/${number}?done=note_added#notes`);
    const html = await get(to.replace(/#.*/, ''));
    expect(html).toContain('First line\nsecond &lt;b&gt;line&lt;/b&gt;');
    expect(html).toContain('The note has been added.');
    expect(html).toContain('E. Aydın, Mon 23 Nov 2026');
    expect(html).toContain('1 note<');
  });

  test('what was typed is not lost when it is too long', async () => {
    const { number } = await makeApplication(platform);
    const about = randomUUID();
    const typed = 'z'.repeat(MAX_STAFF_NOTE_LENGTH + 1);
    const response = await post(number, { intent: 'note', about, [`note-${about}`]: typed });
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain(typed);
    expect(html).toContain('The note must be 2,000 characters or fewer.');
  });

  test('reviewers are not offered to strike, and may not', async () => {
    const { id, number } = await storeNoted();
    expect(await get(`/admin/applications/${number}`)).not.toContain('value="strike_note"');
    const strike = { intent: 'strike_note', about: id, [`strike_note-${id}`]: 'Because' };
    expect((await post(number, strike)).status).toBe(403);
    expect(await get(`/admin/applications/${number}`, manager)).toContain('value="strike_note"');
    expect((await post(number, strike, manager)).status).toBe(302);
    const html = await get(`/admin/applications/${number}`);
    expect(html).toMatch(/<s\b[^>]*>Booking confirmed by the hotel<\/s>/);
    expect(html).toMatch(/Retracted by M\. Kaya, .*: Because/);
  });
});
