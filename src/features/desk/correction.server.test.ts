import { describe, expect, test } from 'vitest';
import { applicationById, eventsOf } from '~/features/application/store.server.ts';
import { auditEntriesOf } from '~/features/staff/store.server.ts';
import { correctionsOf } from '~/features/visa/correction/correction-store.server.ts';
import { correct, correctionAddress } from '~/features/visa/correction/correct.server.ts';
import { visaDetailsOf } from '~/features/visa/store.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { noticeJobs } from '../notice/jobs.server.ts';
import { askCorrection, withdrawCorrection } from './ask-correction.server.ts';
import { claim } from './claim.server.ts';
import { approve } from './decide.server.ts';
import { storeCase, storeStaff } from './testing/case-store.server.ts';

// A Wednesday.
const MORNING = new Date('2026-11-18T10:00:00Z');
const platform = await makeTestPlatform({ now: MORNING });
const { db, clock } = platform;
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const demir = await storeStaff(platform, { name: 'K. Demir' });
const HOUR = 3600_000;

async function asked(fields: string[] = ['passportNumber']) {
  clock.set(MORNING);
  const stored = await storeCase(platform);
  const outcome = await askCorrection(platform, aydin, {
    applicationId: stored.id,
    fields,
    note: 'The number does not match the photo page.',
  });
  if (!outcome.ok) throw new Error(outcome.error.code);
  const [correction] = await correctionsOf(db, stored.id);
  if (!correction) throw new Error('Nothing was asked');
  const path = new URL(correctionAddress(platform, correction, 'en')).pathname;
  return { id: stored.id, number: stored.number, correction, path, promisedAt: stored.promisedAt };
}

const form = (values: Record<string, string>) => {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
};
const tokenOf = (path: string) => path.split('/').at(-1) ?? '';
const answer = (path: string, values: Record<string, string>) =>
  correct(platform, tokenOf(path), form(values));

describe('asking a traveller for a correction', () => {
  test('stops the clock, is written down, and an e-mail leads to the page', async () => {
    const { id } = await asked();
    expect(await applicationById(db, id)).toMatchObject({
      actionRequired: true,
      pausedAt: MORNING,
    });
    expect((await eventsOf(db, id)).at(-1)).toMatchObject({
      kind: 'correction_asked',
      staffId: aydin.id,
    });
    const trail = await auditEntriesOf(db, { kind: 'application', id });
    expect(trail.map(({ action }) => action)).toEqual(['correction_asked']);
    await platform.runJobs(noticeJobs(platform));
    expect((await auditEntriesOf(db, { kind: 'application', id })).at(-1)).toMatchObject({
      action: 'email_sent',
      detail: { kind: 'correction' },
    });
  });

  test('needs fields and a note, a payment, and nobody else at work on it', async () => {
    clock.set(MORNING);
    const { id: applicationId } = await storeCase(platform);
    const ask = (some: { fields?: string[]; note?: string }, staff = aydin) =>
      askCorrection(platform, staff, { applicationId, fields: ['phone'], note: 'See', ...some });
    expect(await ask({ fields: ['email'] })).toMatchObject({ error: { code: 'fields_required' } });
    expect(await ask({ note: ' ' })).toMatchObject({ error: { code: 'note_required' } });
    await claim(platform, demir, applicationId);
    expect(await ask({})).toMatchObject({ error: { code: 'claimed' } });
    expect(await ask({}, demir)).toMatchObject({ ok: true });
    expect(await ask({}, demir)).toMatchObject({ error: { code: 'already_waiting' } });
    const unpaid = await storeCase(platform, { paid: false });
    const wanted = { applicationId: unpaid.id, fields: ['phone'], note: 'See' };
    expect(await askCorrection(platform, aydin, wanted)).toMatchObject({
      error: { code: 'unpaid' },
    });
    expect(await applicationById(db, unpaid.id)).toMatchObject({ actionRequired: false });
  });
});

describe('the traveller’s answer', () => {
  test('is stored sealed, moves the promised moment by the waiting, and counts once', async () => {
    const { id, path, promisedAt } = await asked(['passportNumber', 'phone']);
    clock.set(new Date(MORNING.getTime() + 3 * HOUR));
    const values = { passportNumber: 'b 7654321', phone: '+27 11 555 0199' };
    expect(await answer(path, values)).toEqual({ kind: 'done' });
    expect(await visaDetailsOf(db, platform.sealer, id)).toMatchObject({
      passportNumber: 'B7654321',
      motherName: 'Nomsa Naidoo',
    });
    expect(await applicationById(db, id)).toMatchObject({
      phone: '+27 11 555 0199',
      actionRequired: false,
      pausedAt: null,
      promisedAt: new Date((promisedAt?.getTime() ?? 0) + 3 * HOUR),
    });
    expect((await eventsOf(db, id)).at(-1)?.kind).toBe('correction_answered');
    expect(await answer(path, values)).toEqual({ kind: 'over', why: 'answered' });
  });

  test('changes nothing where an answer is wrong, and never a field that was not reopened', async () => {
    const { id, path } = await asked(['passportExpiryDate']);
    const short = { 'passportExpiryDate-day': '1', 'passportExpiryDate-month': '2' };
    expect(await answer(path, { ...short, 'passportExpiryDate-year': '2027' })).toMatchObject({
      kind: 'problems',
      problems: [{ field: 'passportExpiryDate', code: 'six_months' }],
    });
    expect(await applicationById(db, id)).toMatchObject({ actionRequired: true });
    const good = { ...short, 'passportExpiryDate-year': '2031', passportNumber: 'X9999999' };
    expect(await answer(path, good)).toEqual({ kind: 'done' });
    expect(await visaDetailsOf(db, platform.sealer, id)).toMatchObject({
      passportExpiryDate: '2031-02-01',
      passportNumber: 'A01234547',
    });
  });

  test('of two at once counts once', async () => {
    const { path } = await asked(['phone']);
    const values = { phone: '+27 11 555 0101' };
    const kinds = await Promise.all([answer(path, values), answer(path, values)]);
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['done', 'over']);
  });

  test('is over once it was withdrawn, decided or 28 days have passed', async () => {
    const withdrawn = await asked();
    expect(await withdrawCorrection(platform, aydin, withdrawn.id)).toMatchObject({ ok: true });
    expect(await answer(withdrawn.path, {})).toEqual({ kind: 'over', why: 'over' });
    expect(await applicationById(db, withdrawn.id)).toMatchObject({ pausedAt: null });

    const decided = await asked();
    await approve(platform, aydin, { applicationId: decided.id });
    expect(await answer(decided.path, {})).toEqual({ kind: 'over', why: 'over' });
    expect(await applicationById(db, decided.id)).toMatchObject({ actionRequired: false });

    const old = await asked();
    clock.set(new Date(MORNING.getTime() + 29 * 24 * HOUR));
    expect(await answer(old.path, {})).toEqual({ kind: 'over', why: 'over' });
  });
});

describe('the pages', () => {
  test('show the reopened fields alone, filled in, and take the answer without scripts', async () => {
    const { path } = await asked(['phone', 'passportExpiryDate']);
    const page = await app.request(path);
    const html = await page.text();
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(html).toContain('The number does not match the photo page.');
    expect(html).toContain('value="+27 11 555 0100"');
    expect(html).toMatch(
      /name="passportExpiryDate-year"[^>]*value="2033"|value="2033"[^>]*name="passportExpiryDate-year"/,
    );
    expect(html).not.toContain('name="motherName"');
    expect(html).not.toContain('A01234547');
    expect((await app.request(`${path}x`)).status).toBe(410);
  });

  test('tell the desk what is waited for, and the status page what to do without a personal word', async () => {
    const { number } = await asked(['passportNumber']);
    const headers = { cookie: aydin.cookie };
    const panel = await (await app.request(`/admin/applications/${number}`, { headers })).text();
    expect(panel).toContain('Waiting for the traveller since');
    expect(panel).toContain('Withdraw the request');
    const status = await (await app.request(`/status?ref=${number}`)).text();
    expect(status).toContain('Open the link in our e-mail');
    expect(status).not.toContain('The number does not match');
  });
});
