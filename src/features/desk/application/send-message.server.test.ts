import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Application } from '~/features/application/store.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { DEFAULT_UNDO_SECONDS } from '~/features/staff/staff.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { useDatabase } from '../../../../test/database.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import {
  messageContext,
  messagesByApplication,
} from '~/features/application/messages/messages.server.ts';
import { caseMessage } from '~/features/application/messages/tables.server.ts';
import { MESSAGE, MESSAGE_TEMPLATE, SEEN_UNTIL } from './case-actions.ts';
import { MAX_MESSAGE_LENGTH } from './decision-types.ts';
import { draftMessage, openDraft, sendDraft } from './draft.server.ts';
import { readMessage, sendMessage } from './send-message.server.ts';
import { atOnce } from './testing/at-once.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { undoDecision } from './undo.server.ts';

const database = await useDatabase({ poolSize: 12 });
const platform = await makeTestPlatform({ database });
const { db, clock, sealer } = platform;
const staff = await storeStaff(platform, { name: 'E. Aydın' });
const colleague = await storeStaff(platform, { name: 'B. Demir' });
/** A worker whose clock is past the seconds. */
const worker = await makeTestPlatform({ database });
const app = makeTestApp(platform);

/** An application with an address of its own. */
const newCase = (given: Parameters<typeof makeApplication>[1] = {}) =>
  makeApplication(platform, { email: `${randomUUID()}@example.org`, ...given });
/** What a traveller has got once the seconds are over, in the database as well. */
async function sentTo({ email }: Pick<Application, 'email'>) {
  worker.clock.set(new Date(platform.now().getTime() + DEFAULT_UNDO_SECONDS * 1000));
  await platform.pool.query(
    "update graphile_worker._private_jobs set run_at = now() - interval '1 s'",
  );
  await worker.runJobs(emailJobs(worker));
  return worker.sent.filter(({ to }) => to === email);
}

/** What a traveller wrote just now. */
async function receive({ id: applicationId }: Application) {
  const id = randomUUID();
  const seal = (column: 'subject' | 'text' | 'sender', text: string) =>
    sealer.seal(text, messageContext(column, id));
  await db.insert(caseMessage).values({
    id,
    applicationId,
    direction: 'in',
    subject: seal('subject', 'When?'),
    text: seal('text', 'When will it be ready?'),
    sender: seal('sender', 'thabo@example.org'),
    messageIdHash: randomBytes(32),
    at: platform.now(),
  });
  return id;
}

const messagesOf = ({ id }: Application) => messagesByApplication(db, sealer, id);
const message = (found: Application, text = 'Tomorrow.') => ({
  id: randomUUID(),
  applicationId: found.id,
  text,
  seenUntil: platform.now(),
});

describe('a message', () => {
  test('leaves after the seconds, in the traveller’s language, and answers what they wrote', async () => {
    const found = await newCase({ language: 'fr' });
    await receive(found);
    clock.advance(1000);
    const written = message(found, 'Demain.\n\nVoir https://phish.example');
    expect(await sendMessage(platform, staff, written)).toMatchObject({ ok: true });
    await platform.runJobs(emailJobs(platform));
    expect(platform.sent).toEqual([]);
    const [email, ...more] = await sentTo(found);
    expect(more).toEqual([]);
    expect(email?.subject).toContain('Un message sur votre demande');
    expect(email?.text).toContain('Demain.\n\nVoir https://phish.example');
    expect(email?.html).not.toContain('href="https://phish.example');
    const [question, answer] = await messagesOf(found);
    expect(question?.readAt).toEqual(platform.now());
    expect(answer).toMatchObject({ direction: 'out', staffId: staff.id, text: written.text });
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: found.id });
    expect(trail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['message_sent', 'email_sent']),
    );
  });

  test('is stored and sent once, however often it is sent', async () => {
    const found = await newCase();
    const written = message(found);
    const send = () => sendMessage(platform, staff, written);
    await atOnce(database, 'application', [send, send]);
    expect(await messagesOf(found)).toHaveLength(1);
    expect(await sentTo(found)).toHaveLength(1);
  });

  test('taken back is gone with its email, and what it answered is new again', async () => {
    const found = await newCase();
    await receive(found);
    const written = message(found);
    await sendMessage(platform, staff, written);
    expect(await undoDecision(platform, colleague, written.id)).toMatchObject({
      error: { code: 'undo_unknown' },
    });
    const undone = await undoDecision(platform, staff, written.id);
    const draftId = undone.ok ? (undone.value.draftId ?? '') : '';
    expect(await openDraft(platform, staff, { application: found, id: draftId })).toMatchObject({
      kind: 'message',
      words: 'Tomorrow.',
    });
    expect(await messagesOf(found)).toMatchObject([{ direction: 'in', readAt: null }]);
    expect(await sentTo(found)).toEqual([]);
  });

  test('that is leaving stays', async () => {
    const found = await newCase();
    const written = message(found);
    await sendMessage(platform, staff, written);
    expect(await sentTo(found)).toHaveLength(1);
    expect(await undoDecision(platform, staff, written.id)).toMatchObject({
      error: { code: 'undo_late' },
    });
    expect(await messagesOf(found)).toHaveLength(1);
  });

  test.each([
    ['message_required', ''],
    ['message_too_long', 'a'.repeat(MAX_MESSAGE_LENGTH + 1)],
  ])('is refused: %s', async (code, text) => {
    const found = await newCase();
    expect(await sendMessage(platform, staff, message(found, text))).toMatchObject({
      error: { code },
    });
  });

  test('to an address that the mail server does not know is refused until it is another one', async () => {
    const found = await newCase();
    await sendMessage(platform, staff, message(found));
    await sentTo(found);
    await platform.pool.query(
      `update email set sent_at = null, failed_at = $2, failure = 'address'
        where id in (select email_id from application_email where application_id = $1)`,
      [found.id, platform.now()],
    );
    const again = () => sendMessage(platform, staff, message(found));
    expect(await again()).toMatchObject({ error: { code: 'address_refused' } });
    await platform.pool.query('update application set email = $2 where id = $1', [
      found.id,
      'right@example.org',
    ]);
    expect(await again()).toMatchObject({ ok: true });
  });

  test('after one that its author has not seen is refused once, with who wrote', async () => {
    const found = await newCase();
    const seenUntil = platform.now();
    clock.advance(1000);
    await sendMessage(platform, colleague, message(found));
    const at = platform.now();
    const text = 'Tomorrow.';
    expect(await draftMessage(platform, staff, found, { text, seenUntil })).toEqual({
      ok: false,
      error: { code: 'answered', name: 'B. Demir', at },
    });
    const drafted = await draftMessage(platform, staff, found, { text, seenUntil: at });
    const id = drafted.ok ? drafted.value : '';
    clock.advance(1000);
    await receive(found);
    const send = async () => {
      const draft = needed(await openDraft(platform, staff, { application: found, id }));
      return sendDraft(platform, staff, { draft, hasCompared: true, hasCheckedDuplicates: true });
    };
    expect(await send()).toMatchObject({ error: { code: 'answered', name: null } });
    expect(await send()).toMatchObject({ ok: true });
  });
});

test('without words it says what its template says, in the language of the email', async () => {
  const found = await newCase({ language: 'tr' });
  const read = (typed: string, template: string) =>
    readMessage(platform, found, { typed, template });
  expect(await read('', 'download')).toContain('Belgenizi durum sayfasından indirebilirsiniz');
  expect(await read(' Line\r\nline ', 'download')).toBe('Line\nline');
  expect(await read('', 'nothing')).toBe('');
});

describe('the page of an application', async () => {
  const headers = { cookie: staff.cookie };
  const found = await newCase({ language: 'de' });
  const path = `/admin/applications/${found.number}`;
  const get = async (to: string) => (await app.request(to, { headers })).text();
  async function write(fields: Record<string, string>) {
    const body = new FormData();
    for (const [name, value] of Object.entries({ intent: 'message', ...fields })) {
      body.set(name, value);
    }
    return app.request(path, { method: 'POST', headers, body });
  }

  test('keeps what was typed where it is refused, and says why at the field', async () => {
    const response = await write({ [MESSAGE]: 'Ä'.repeat(MAX_MESSAGE_LENGTH + 1) });
    expect(response.status).toBe(422);
    const html = await response.text();
    expect(html).toContain(`href="#${MESSAGE}"`);
    expect(html).toContain('ÄÄÄ</textarea>');
  });

  test('leads to the email as it will go, back to the text, and to sending it', async () => {
    const seen = String(platform.now().getTime());
    const response = await write({ [MESSAGE_TEMPLATE]: 'cancel', [SEEN_UNTIL]: seen });
    const at = (response.headers.get('location') ?? '').replace(/\?.*/, '');
    expect(await get(`${at}/email`)).toContain('Nur wer bestellt hat, kann stornieren');
    const back = /href="([^"]*draft=[^"#]*)#messageText"/.exec(await get(at))?.[1] ?? '';
    expect(await get(back.replaceAll('&amp;', '&'))).toContain('storniert wird.</textarea>');
    const sent = await app.request(at, { method: 'POST', headers, body: new FormData() });
    expect(sent.headers.get('location')).toContain('done=message_sent');
    const page = await get(path);
    expect(page).toContain('storniert wird.');
  });
});
