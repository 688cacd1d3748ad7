import { describe, expect, test } from 'vitest';
import { applicationById, applicationEvents } from '~/features/application/store.server.ts';
import {
  sendCorrectionReminders,
  openChanges,
} from '~/features/application/correction/correction-store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { correctionAddress } from '~/features/application/reopened.server.ts';
import { correct } from '~/features/status/correct.server.ts';
import { readVisaDetails } from '~/features/visa/store/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { askCorrection, checkAnswers, withdrawCorrection } from './ask-correction.server.ts';
import { claimApplication } from './claim.server.ts';
import { decideApplication } from './decide.server.ts';
import { rowMarks } from '../queue/queue.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import {
  applicationCorrections,
  makeApplication,
  type ApplicationOptions,
} from '../../../../test/make.ts';

// A Wednesday.
const MORNING = new Date('2026-11-18T10:00:00Z');
const platform = await makeTestPlatform({ now: MORNING });
const { db, clock } = platform;
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const demir = await storeStaff(platform, { name: 'K. Demir' });
const HOUR = 3600_000;

const isUnanswered = async (id: string) =>
  (await rowMarks(db, [id], { staffId: aydin.id, now: platform.now() })).get(id)?.unanswered;

async function asked(fields: string[] = ['passportNumber'], given: ApplicationOptions = {}) {
  clock.set(MORNING);
  const stored = await makeApplication(platform, given);
  const outcome = await askCorrection(platform, aydin, {
    applicationId: stored.id,
    fields,
    note: 'The number does not match the photo page.',
  });
  if (!outcome.ok) throw new Error(outcome.error.code);
  const [correction] = await applicationCorrections(db, stored.id);
  if (!correction) throw new Error('Nothing was asked');
  const path = new URL(correctionAddress(platform, correction, stored)).pathname;
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
    expect((await applicationEvents(db, id)).at(-1)).toMatchObject({
      kind: 'correction_asked',
      staffId: aydin.id,
    });
    const trail = await auditEntriesBySubject(db, { kind: 'application', id });
    expect(trail.map(({ action }) => action)).toEqual(['correction_asked']);
    await platform.runJobs(emailJobs(platform));
    expect((await auditEntriesBySubject(db, { kind: 'application', id })).at(-1)).toMatchObject({
      action: 'email_sent',
      detail: { kind: 'correction' },
    });
  });

  test('needs fields, a payment, and nobody else at work on it', async () => {
    clock.set(MORNING);
    const { id: applicationId } = await makeApplication(platform);
    const ask = (some: { fields?: string[]; note?: string }, staff = aydin) =>
      askCorrection(platform, staff, { applicationId, fields: ['phone'], note: 'See', ...some });
    expect(await ask({ fields: ['email'] })).toMatchObject({ error: { code: 'fields_required' } });
    expect(await ask({ note: 'x'.repeat(2001) })).toMatchObject({
      error: { code: 'note_too_long' },
    });
    await claimApplication(platform, demir, applicationId);
    expect(await ask({})).toMatchObject({ error: { code: 'claimed' } });
    expect(await ask({}, demir)).toMatchObject({ ok: true });
    expect(await ask({}, demir)).toMatchObject({ error: { code: 'already_waiting' } });
    const unpaid = await makeApplication(platform, { paid: false });
    const wanted = { applicationId: unpaid.id, fields: ['phone'], note: 'See' };
    expect(await askCorrection(platform, aydin, wanted)).toMatchObject({
      error: { code: 'unpaid' },
    });
    expect(await applicationById(db, unpaid.id)).toMatchObject({ actionRequired: false });
  });
});

describe('the traveller’s answer', () => {
  test('is stored sealed, moves the promised moment by the waiting, and counts once', async () => {
    const { id, number, path, promisedAt } = await asked(['passportNumber', 'phone']);
    clock.set(new Date(MORNING.getTime() + 3 * HOUR));
    const values = { passportNumber: 'b 7654321', phone: '+27 11 555 0199' };
    expect(await answer(path, values)).toEqual({ kind: 'done', number });
    expect(await readVisaDetails(db, platform.sealer, id)).toMatchObject({
      passportNumber: 'B7654321',
      motherName: 'Nomsa Naidoo',
    });
    expect(await applicationById(db, id)).toMatchObject({
      phone: '+27115550199',
      actionRequired: false,
      pausedAt: null,
      promisedAt: new Date((promisedAt?.getTime() ?? 0) + 3 * HOUR),
    });
    expect((await applicationEvents(db, id)).at(-1)?.kind).toBe('correction_answered');
    expect(await answer(path, values)).toEqual({ kind: 'over', why: 'answered' });
  });

  test('that changes nothing is refused with the form, and the link stays', async () => {
    const { id, path } = await asked(['phone']);
    expect(await answer(path, { phone: '+27 11 555 0100' })).toMatchObject({
      kind: 'unchanged',
      typed: { phone: '+27 11 555 0100' },
    });
    expect(await applicationById(db, id)).toMatchObject({ actionRequired: true });
    const body = new FormData();
    body.set('phone', '+27 11 555 0100');
    const sent = await app.request(path, { method: 'POST', body });
    expect(sent.status).toBe(422);
    expect(await sent.text()).toContain('You have not changed anything yet.');
    body.set('phone', '+27 11 555 0109');
    const thanks = await app.request(path, { method: 'POST', body });
    expect(await thanks.text()).toContain('received your correction');
    // After a reload, and when it is sent again.
    for (const method of ['GET', 'POST']) {
      const again = await app.request(path, method === 'POST' ? { method, body } : {});
      expect(again.status).toBe(200);
      expect(await again.text()).toContain('already sent this correction');
    }
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
    expect(await answer(path, good)).toMatchObject({ kind: 'done' });
    expect(await readVisaDetails(db, platform.sealer, id)).toMatchObject({
      passportExpiryDate: '2031-02-01',
      passportNumber: 'A01234547',
    });
  });

  test('is kept as before and after, sealed, and shown in full at the desk until it is checked', async () => {
    const { id, number, path, correction } = await asked(['passportNumber', 'phone', 'lastName']);
    const name = { lastName: 'Naidoo', nameConfirmed: 'yes' };
    await answer(path, { passportNumber: 'B7654321', phone: '+27 11 555 0199', ...name });
    const [kept] = await applicationCorrections(db, id);
    expect(kept && openChanges(platform.sealer, kept)).toEqual([
      { field: 'passportNumber', before: 'A01234547', after: 'B7654321' },
      { field: 'phone', before: '+27115550100', after: '+27115550199' },
    ]);
    const { rows } = await platform.pool.query<{ text: string }>(
      'select t::text as text from application_correction t where id = $1',
      [correction.id],
    );
    expect(rows[0]?.text).not.toContain(Buffer.from('B7654321').toString('hex'));
    const page = async () => {
      const headers = { cookie: aydin.cookie };
      const html = await (await app.request(`/admin/applications/${number}`, { headers })).text();
      return html.replaceAll(/<\/?mark\b[^>]*>/g, '');
    };
    const html = await page();
    expect(html).toMatch(/<del\b.*A01234547.*<ins\b.*B7654321/s);
    // On top, before the answers.
    expect(html.indexOf('B7654321')).toBeLessThan(html.indexOf('>Passport</h3>'));
    const revealed = async () =>
      (await auditEntriesBySubject(db, { kind: 'application', id })).filter(
        ({ action }) => action === 'numbers_revealed',
      );
    expect(await revealed()).toHaveLength(1);
    await checkAnswers(platform, aydin, id);
    const later = await page();
    expect(later).toMatch(/<del\b.*A0•••••47.*<ins\b.*B7••••21/s);
    expect(later).not.toContain('B7654321');
    expect(await revealed()).toHaveLength(1);
  });

  const day = (field: string, date: string) => {
    const [year = '', month = '', of = ''] = date.split('-');
    return { [`${field}-day`]: of, [`${field}-month`]: month, [`${field}-year`]: year };
  };

  test('moves an arrival within the speed that was paid, not to a day that costs another one', async () => {
    const { id, path } = await asked(['arrivalDate']);
    expect(await answer(path, day('arrivalDate', '2026-11-19'))).toMatchObject({
      kind: 'problems',
      problems: [{ field: 'arrivalDate', code: 'other_speed' }],
    });
    expect(await applicationById(db, id)).toMatchObject({ startsOn: '2026-12-12' });
    expect(await answer(path, day('arrivalDate', '2026-12-20'))).toMatchObject({ kind: 'done' });
    expect(await applicationById(db, id)).toMatchObject({ startsOn: '2026-12-20' });
  });

  test('changes the dates of a supporting document by the form’s rules', async () => {
    const document = { supportingDocumentNumber: 'S9988776', service: 'standard' } as const;
    const fields = ['supportingDocumentStartDate', 'supportingDocumentEndDate'];
    const { id, path } = await asked(fields, document);
    const start = day('supportingDocumentStartDate', '2026-02-01');
    const early = { ...start, ...day('supportingDocumentEndDate', '2026-12-01') };
    expect(await answer(path, early)).toMatchObject({ kind: 'problems' });
    const late = { ...start, ...day('supportingDocumentEndDate', '2027-12-01') };
    expect(await answer(path, late)).toMatchObject({ kind: 'done' });
    expect(await readVisaDetails(db, platform.sealer, id)).toMatchObject({
      supportingDocumentStartDate: '2026-02-01',
      supportingDocumentEndDate: '2027-12-01',
    });
  });

  test('of two at once counts once', async () => {
    const { path } = await asked(['phone']);
    const values = { phone: '+27 11 555 0101' };
    const kinds = await Promise.all([answer(path, values), answer(path, values)]);
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['done', 'over']);
  });

  test('ends once it was withdrawn, decided or its time has passed', async () => {
    const withdrawn = await asked();
    expect(await withdrawCorrection(platform, aydin, withdrawn.id)).toMatchObject({ ok: true });
    expect(await answer(withdrawn.path, {})).toEqual({ kind: 'over', why: 'over' });
    expect(await applicationById(db, withdrawn.id)).toMatchObject({ pausedAt: null });

    const decided = await asked();
    await decideApplication(platform, aydin, { kind: 'approve', applicationId: decided.id });
    expect(await answer(decided.path, {})).toEqual({ kind: 'over', why: 'over' });
    expect(await applicationById(db, decided.id)).toMatchObject({ actionRequired: false });

    const old = await asked();
    clock.set(new Date(MORNING.getTime() + 29 * 24 * HOUR));
    expect(await answer(old.path, {})).toEqual({ kind: 'over', why: 'over' });
  });
});

describe('no answer', () => {
  const DAY = 24 * HOUR;
  const at = (days: number) => clock.set(new Date(MORNING.getTime() + days * DAY));
  const sent = async (id: string) =>
    (await auditEntriesBySubject(db, { kind: 'application', id })).flatMap(({ action, detail }) =>
      action === 'email_sent' ? detail.kind : [],
    );

  test('is reminded of once, before the time is over', async () => {
    const { id, path } = await asked(['phone']);
    for (const days of [1, 17, 19, 20]) {
      at(days);
      await sendCorrectionReminders(platform);
      await platform.runJobs(emailJobs(platform));
    }
    expect(await sent(id)).toEqual(['correction', 'correction_reminder']);
    // Other travellers are reminded on the same day.
    const reminder = platform.sent.findLast(({ text }) => text.includes(path));
    expect(reminder?.subject).toMatch(/^Reminder/);
    expect(reminder?.text).toContain('there is still time before you arrive on 12 December 2026');
    expect(await answer(path, { phone: '+27 11 555 0101' })).toMatchObject({ kind: 'done' });
    at(22);
    await sendCorrectionReminders(platform);
    await platform.runJobs(emailJobs(platform));
    expect(await sent(id)).toEqual(['correction', 'correction_reminder', 'correction_ended']);
  });

  test('brings the application back to the queue, marked, with its clock running', async () => {
    const { id, path, promisedAt } = await asked(['phone']);
    at(29);
    await Promise.all([sendCorrectionReminders(platform), sendCorrectionReminders(platform)]);
    expect(await applicationById(db, id)).toMatchObject({ actionRequired: false, pausedAt: null });
    const moved = (await applicationById(db, id))?.promisedAt ?? new Date(0);
    expect(moved.getTime()).toBeGreaterThan((promisedAt?.getTime() ?? 0) + 28 * DAY);
    const kinds = (await applicationEvents(db, id)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'correction_expired')).toHaveLength(1);
    expect(await isUnanswered(id)).toBe(true);
    expect(await answer(path, { phone: '+27 11 555 0101' })).toMatchObject({ kind: 'over' });
    const again = { applicationId: id, fields: ['phone'], note: 'Once more' };
    expect(await askCorrection(platform, aydin, again)).toMatchObject({ ok: true });
    expect(await isUnanswered(id)).toBe(false);
  });
});

describe('the pages', () => {
  test('show the reopened fields alone, filled in, and take the answer without scripts', async () => {
    const { path } = await asked(['phone', 'passportExpiryDate']);
    const page = await app.request(path);
    const html = await page.text();
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(html).toContain('The number does not match the photo page.');
    expect(html).toContain('Thabo Naidoo');
    expect(html).toMatch(/Reply by .*December 2026, \d\d:\d\d UTC \(\d\d:\d\d in Türkiye\)/);
    expect(html).toContain('there is still time before you arrive on');
    expect(html).toContain('value="+27 11 555 0100"');
    expect(html).toMatch(
      /name="passportExpiryDate-year"[^>]*value="2033"|value="2033"[^>]*name="passportExpiryDate-year"/,
    );
    expect(html).not.toContain('name="motherName"');
    expect(html).not.toContain('A01234547');
    expect((await app.request(`${path}x`)).status).toBe(410);
  });

  test('ask for a phone number with the country that it is read by, as the form does', async () => {
    const { id, path } = await asked(['phone']);
    const html = await (await app.request(path)).text();
    expect(html).toMatch(/<select[^>]*name="phoneCountry"/);
    expect(html).toMatch(/<option[^>]*value="ZAF"[^>]*selected/);
    const wrong = await app.request(path, {
      method: 'POST',
      body: form({ phone: '030', phoneCountry: 'DEU' }),
    });
    expect(wrong.status).toBe(422);
    expect(await wrong.text()).toMatch(/<option[^>]*value="DEU"[^>]*selected/);
    expect(await answer(path, { phone: '030 901820', phoneCountry: 'DEU' })).toMatchObject({
      kind: 'done',
    });
    expect(await applicationById(db, id)).toMatchObject({ phone: '+4930901820' });
  });

  test('ask for no country where no phone number is reopened', async () => {
    const { path } = await asked(['passportNumber']);
    expect(await (await app.request(path)).text()).not.toContain('phoneCountry');
  });

  test('tell the desk what is waited for, and the status page what to do without a personal word', async () => {
    const { number } = await asked(['passportNumber']);
    const headers = { cookie: aydin.cookie };
    const panel = await (await app.request(`/admin/applications/${number}`, { headers })).text();
    expect(panel).toContain('Waiting for the traveller since');
    expect(panel).toContain('Withdraw the request');
    const status = await (await app.request(`/status?ref=${number}`)).text();
    expect(status).toContain('Use the link in our email');
    expect(status).toContain('data-testid="action-required"');
    expect(status).toContain('there is still time before you arrive on 12 December 2026.');
    expect(status).toContain('<li>Passport number</li>');
    expect(status).not.toContain('The number does not match');
  });
});
