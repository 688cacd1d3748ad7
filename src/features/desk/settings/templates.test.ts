import { beforeEach, describe, expect, test } from 'vitest';
import { applicationById } from '~/features/application/store.server.ts';
import { askCorrection } from '../application/ask-correction.server.ts';
import { draftDecision, openDraft, sendDraft } from '../application/draft.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { settingsDesk } from '../application/testing/settings-desk.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { applicationCorrections, makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { toggleOfferedText } from './template-preview.tsx';

const platform = await makeTestPlatform({ now: new Date('2026-11-18T10:00:00Z') });
const { db } = platform;
const app = makeTestApp(platform);
const manager = await storeStaff(platform, { role: 'manager', name: 'M. Polat' });
const clerk = await storeStaff(platform, { name: 'E. Aydın' });
const { open, press } = settingsDesk(app, platform, manager.cookie);

const reason = 'Travellers asked what to do';
const pageOf = (template: string) => `/admin/settings/templates/${template}`;

async function change(template: string, texts: Record<string, string>) {
  const path = pageOf(template);
  const shown = await press(path, 'review', (await open(path)).html, { ...texts, reason });
  const saved = await press(path, 'save', shown.html);
  expect(saved.location).toBe(`${path}?done=saved`);
  return shown.html;
}

async function reject(given: { language?: string } = {}) {
  const { id, number } = await makeApplication(platform, given);
  const outcome = await decideApplication(platform, clerk, {
    kind: 'reject',
    applicationId: id,
    code: 'duplicate',
  });
  expect(outcome.ok).toBe(true);
  platform.sent.length = 0;
  await platform.runJobs(emailJobs(platform));
  return { id, number, email: needed(platform.sent[0]).text };
}

const read = async (address: string) => (await app.request(address)).text();

beforeEach(() => platform.clock.advance(60_000));

describe('the template of a reason for rejection', () => {
  test('is changed by a manager for each language, and holds for later rejections alone', async () => {
    const before = await reject();
    const original = 'There is another application for the same trip.';
    expect(before.email).toContain(original);

    platform.clock.advance(60_000);
    const shown = await change('rejection.duplicate', {
      en: 'You have applied twice.\nKeep {{number}} in mind.',
      de: 'Sie haben zweimal einen Antrag gestellt.',
    });
    expect(shown).toContain('You have applied twice. Keep {{number}} in mind.');
    expect(shown).toContain('Türkçe, Français, Español, العربية');

    platform.clock.advance(60_000);
    const after = await reject();
    expect(after.email).toContain('You have applied twice. Keep TR');
    expect(after.email).not.toContain('{{');
    const german = await reject({ language: 'de' });
    expect(german.email).toContain('Sie haben zweimal einen Antrag gestellt.');
    const french = await reject({ language: 'fr' });
    expect(french.email).toContain('Il existe une autre demande pour le même voyage.');

    expect(await read(`/en/status?ref=${after.number}`)).toContain('You have applied twice.');
    expect(await read(`/de/status?ref=${after.number}`)).toContain('Sie haben zweimal');
    expect(await read(`/en/status?ref=${before.number}`)).toContain(original);
    const { html: list } = await open('/admin/settings/templates');
    expect(list).toContain('Changed in: English, Deutsch');

    const trail = await auditEntriesBySubject(db, { kind: 'setting', id: 'templates' });
    expect(trail.at(-1)).toMatchObject({ action: 'setting_changed', staffId: manager.id });
    const { html } = await open(pageOf('rejection.duplicate'));
    expect(html).toContain('M. Polat');
    expect(html).toContain(reason);
  });

  test('is the original one again when it is emptied', async () => {
    await change('rejection.withdrawn', { tr: 'Başka bir metin.' });
    platform.clock.advance(60_000);
    await change('rejection.withdrawn', { tr: '' });
    const { html } = await open(pageOf('rejection.withdrawn'));
    expect(html).not.toMatch(/<textarea[^>]*name="tr"[^>]*>Başka/);
    expect(html).toContain('Türkçe: back to the original text');
  });

  test.each([
    ['a placeholder that names the traveller', { en: 'Dear {{name}}' }, '{{name}}'],
    ['a brace that was left open', { ar: 'انظر {{number' }, '{{number'],
    ['a text that is too long', { fr: 'x'.repeat(301) }, '300'],
  ])('is refused with %s', async (_, texts, named) => {
    const path = pageOf('rejection.duplicate');
    const answer = await press(path, 'save', (await open(path)).html, { ...texts, reason });
    expect(answer.status).toBe(422);
    expect(answer.html).toContain(named);
  });

  test('takes effect at the time that was chosen', async () => {
    const path = pageOf('rejection.duplicate');
    const later = {
      from: 'later',
      'date-day': '18',
      'date-month': '11',
      'date-year': '2026',
      time: '10:30',
      en: 'From half past ten.',
      reason,
    };
    const shown = await press(path, 'review', (await open(path)).html, later);
    expect((await press(path, 'save', shown.html)).status).toBe(303);
    expect((await reject()).email).not.toContain('From half past ten.');
    platform.clock.set(new Date('2026-11-18T10:30:00Z'));
    expect((await reject()).email).toContain('From half past ten.');
  });

  test('has to be seen again by whoever is about to send another one', async () => {
    const found = await makeApplication(platform);
    const decision = { kind: 'reject', code: 'passport_too_short' } as const;
    const drafted = await draftDecision(platform, clerk, found, decision);
    if (!drafted.ok) throw new Error(drafted.error.code);
    const send = async () => {
      const opened = await openDraft(platform, clerk, { application: found, id: drafted.value });
      return sendDraft(platform, clerk, {
        draft: needed(opened),
        hasCompared: false,
        hasCheckedDuplicates: false,
      });
    };
    platform.clock.advance(60_000);
    await change('rejection.passport_too_short', { en: 'Renew the passport first.' });
    platform.clock.advance(60_000);
    expect(await send()).toMatchObject({ ok: false, error: { code: 'text_changed' } });
    expect(await applicationById(db, found.id)).toMatchObject({ status: 'pending' });
    expect(await send()).toMatchObject({ ok: true });
  });

  test('is not found for a reason without a text of its own', async () => {
    expect((await open(pageOf('rejection.other'))).status).toBe(404);
    expect((await open(pageOf('correction.email'))).status).toBe(404);
  });
});

describe('the template of a correction', () => {
  const noteOf = async (given: { language?: string; fields?: string[] }) => {
    const { fields = ['phone', 'passportNumber'], ...rest } = given;
    const { id } = await makeApplication(platform, rest);
    const asked = await askCorrection(platform, clerk, { applicationId: id, fields, note: ' ' });
    expect(asked.ok).toBe(true);
    expect(await applicationById(db, id)).toMatchObject({ actionRequired: true });
    return needed((await applicationCorrections(db, id))[0]).note;
  };

  test('is the note where nothing was written, a line for each field in the traveller’s language', async () => {
    const [first, second, ...others] = (await noteOf({ language: 'tr' })).split('\n');
    expect(first).toMatch(/^Pasaport numarasını kontrol edin/);
    expect(second).toMatch(/ülke koduyla/);
    expect(others).toEqual([]);
  });

  test('names the traveller and the application where a manager wants it to', async () => {
    await change('correction.phone', { en: '{{name}}, we cannot call you about {{number}}.' });
    platform.clock.advance(60_000);
    expect(await noteOf({ fields: ['phone'] })).toMatch(
      /^Thabo Naidoo, we cannot call you about TR[^{}]+\.$/,
    );
  });

  test('is offered in the forms of an open application, in its language and in the reader’s', async () => {
    const { number } = await makeApplication(platform, { language: 'de' });
    const { cookie } = await storeStaff(platform);
    const address = `/admin/applications/${number}?reject`;
    const page = await (await app.request(address, { headers: { cookie } })).text();
    expect(page).toContain('Geben Sie alle Vornamen genau so ein');
    expect(page).toContain('Enter all first names exactly');
    expect(page).toContain('ist für diese Reise nicht lange genug gültig');
  });
});

test('a ticked field adds its text in a line of its own, once', () => {
  const one = toggleOfferedText('', 'First.', true);
  expect(one).toBe('First.');
  const two = toggleOfferedText(one, 'Second.', true);
  expect(two).toBe('First.\nSecond.');
  expect(toggleOfferedText(two, 'First.', true)).toBe(two);
  expect(toggleOfferedText('Own words. \n', 'First.', true)).toBe('Own words.\nFirst.');
});

test('taking the tick away removes only what was not changed', () => {
  expect(toggleOfferedText('First.\nSecond.', 'First.', false)).toBe('Second.');
  expect(toggleOfferedText('First, please.\nSecond.', 'First.', false)).toBe(
    'First, please.\nSecond.',
  );
});
