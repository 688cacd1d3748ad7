import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { addNote, editNote, strikeNote, notesByApplication } from '../application/notes.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { forYouEntries } from './for-you.server.ts';
import {
  claimApplication,
  CLAIM_MS,
  claimHolder,
  assignApplication,
} from '../application/claim.server.ts';
import { nextNumber } from '../application/testing/next-number.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { ASSIGNED_MS } from '../application/note.ts';
import { makeApplication } from '../../../../test/make.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'D. Kaya' });
const manager = await storeStaff(platform, { name: 'M. Manager', role: 'manager' });
const demir = await storeStaff(platform, { name: 'K. Demir' });

const post = (path: string, fields: Record<string, string>, cookie: string) =>
  app.request(path, { method: 'POST', headers: { cookie }, body: new URLSearchParams(fields) });
const page = async (path: string, cookie: string) =>
  (await app.request(path, { headers: { cookie } })).text();
/** Signed in now: sessions of those above end while the clock advances. */
const newcomers = async (one: string, other: string) =>
  [await storeStaff(platform, { name: one }), await storeStaff(platform, { name: other })] as const;
const kinds = async (staffId: string, number: string) =>
  (await forYouEntries(db, staffId)).filter((one) => one.number === number).map(({ kind }) => kind);
const auditActionsOf = async (id: string) =>
  (await auditEntriesBySubject(db, { kind: 'application', id })).map(({ action }) => action);

test('an assigned application stays with its colleague while they work elsewhere, for three days', async () => {
  const { id } = await makeApplication(platform);
  const given = { applicationId: id, to: kaya.id, note: 'You know this traveller.' };
  expect(await assignApplication(platform, aydin, given)).toEqual({ ok: true, value: null });
  const until = new Date(platform.now().getTime() + ASSIGNED_MS);
  expect(await claimHolder(platform, aydin, id)).toEqual({
    name: 'D. Kaya',
    until,
    isAssigned: true,
  });
  // Opening it does not shorten it to the ten minutes of one's own claim.
  expect(await claimApplication(platform, kaya, id)).toEqual({
    name: null,
    until,
    isAssigned: true,
  });
  platform.clock.advance(CLAIM_MS * 2);
  expect((await claimApplication(platform, aydin, id)).name).toBe('D. Kaya');
  const [note] = await notesByApplication(db, sealer, id);
  expect(note).toMatchObject({ text: 'You know this traveller.', staffId: aydin.id });
  expect(await auditActionsOf(id)).toEqual(expect.arrayContaining(['case_assigned', 'note_added']));
  platform.clock.advance(ASSIGNED_MS);
  expect((await claimApplication(platform, aydin, id)).name).toBeNull();
});

test('a colleague hands it on, somebody takes it over, and a decision ends it', async () => {
  const { id } = await makeApplication(platform);
  const give = (from: typeof aydin, to: typeof aydin) =>
    assignApplication(platform, from, { applicationId: id, to: to.id, note: '' });
  await give(aydin, kaya);
  // What somebody else has is taken over first.
  expect(await give(demir, aydin)).toMatchObject({
    ok: false,
    error: { code: 'claimed', name: 'D. Kaya' },
  });
  expect((await give(kaya, demir)).ok).toBe(true);
  const taken = await claimApplication(platform, aydin, id, { takeOver: true });
  expect(taken).toMatchObject({ name: null, isAssigned: false });
  expect((await give(aydin, aydin)).ok).toBe(true);
  const asked = { kind: 'reject', applicationId: id, code: 'other', reason: 'Photo' } as const;
  expect((await decideApplication(platform, aydin, asked)).ok).toBe(true);
  expect(await claimHolder(platform, kaya, id)).toBeNull();
});

test('nobody is given an application who does not work here, and the next one skips what is given', async () => {
  const { id, number } = await makeApplication(platform, { promisedAt: new Date(0) });
  const unknown = { applicationId: id, to: randomUUID(), note: '' };
  expect(await assignApplication(platform, aydin, unknown)).toMatchObject({
    error: { code: 'unknown_colleague' },
  });
  await assignApplication(platform, aydin, { applicationId: id, to: kaya.id, note: '' });
  expect(await nextNumber(platform, aydin)).not.toBe(number);
  expect(await nextNumber(platform, kaya)).toBe(number);
});

test('who gets a case or is mentioned reads it under “For you”, once for each note', async () => {
  const [aydin, kaya] = await newcomers('B. Aydın', 'B. Kaya');
  const { id, number } = await makeApplication(platform);
  const noteId = randomUUID();
  const note = { id: noteId, applicationId: id };
  await addNote(platform, aydin, { ...note, typed: '@B. Kaya, @B. Aydın: is the photo fine?' });
  await editNote(platform, aydin, { ...note, typed: '@B. Kaya, @K. Demir: is the photo fine?' });
  expect(await kinds(kaya.id, number)).toEqual(['mentioned']);
  expect(await kinds(demir.id, number)).toEqual(['mentioned']);
  expect(await kinds(aydin.id, number)).toEqual([]);
  const fields = { intent: 'assign', colleague: kaya.id, assignNote: 'Yours, @B. Kaya' };
  const sent = await post(`/admin/applications/${number}`, fields, aydin.cookie);
  expect(sent.headers.get('location')).toContain('done=assigned');
  // The note came with the case, which says it already.
  expect((await kinds(kaya.id, number)).toSorted()).toEqual(['assigned', 'mentioned']);
  expect(await auditActionsOf(id)).toEqual(expect.arrayContaining(['colleague_mentioned']));
});

test('unread entries are counted on every page; opening one leads to its note and marks it', async () => {
  const [reader, kaya] = await newcomers('Z. Reader', 'C. Kaya');
  const { id, number } = await makeApplication(platform);
  const note = { id: randomUUID(), applicationId: id };
  await addNote(platform, aydin, { ...note, typed: '@Z. Reader please' });
  await assignApplication(platform, aydin, { applicationId: id, to: reader.id, note: '' });
  const badge = /title="(\d) new entr(?:y|ies) for you"/;
  expect(badge.exec(await page('/admin/account', reader.cookie))?.[1]).toBe('2');
  expect(badge.exec(await page('/admin/account', kaya.cookie))?.[1]).not.toBe('2');
  const mention = (await forYouEntries(db, reader.id)).find(({ kind }) => kind === 'mentioned');
  const entry = mention?.id ?? '';
  expect((await post('/admin/for-you', { entry }, kaya.cookie)).status).toBe(404);
  const opened = await post('/admin/for-you', { entry }, reader.cookie);
  expect(opened.headers.get('location')).toBe(`/admin/applications/${number}#note-${note.id}`);
  expect(badge.exec(await page('/admin/for-you', reader.cookie))?.[1]).toBe('1');
  expect(await page('/admin/for-you', reader.cookie)).toContain('@Z. Reader please');
  await strikeNote(platform, manager, { ...note, typed: 'about somebody else' });
  expect(await page('/admin/for-you', reader.cookie)).not.toContain('@Z. Reader please');
  await post('/admin/for-you', {}, reader.cookie);
  expect(badge.exec(await page('/admin/for-you', reader.cookie))).toBeNull();
  expect((await post('/admin/for-you', { entry: 'x' }, reader.cookie)).status).toBe(422);
});
