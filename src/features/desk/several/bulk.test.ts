import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { makeNumber } from '~/features/application/number.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { emailJobs } from '~/features/email/jobs.server.ts';
import { tellUnpaid } from '~/features/order/payer/remind-unpaid.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { DEFAULT_UNDO_SECONDS } from '~/features/staff/staff.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { askCorrection } from '../application/ask-correction.server.ts';
import { assignApplication, claimApplication, claimHolder } from '../application/claim.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { putOffFields } from '../application/put-off.ts';
import { findPutOff, putOff } from '../application/put-off.server.ts';
import { storeStaff } from '../application/testing/case-store.server.ts';
import { undoableDecisions } from '../application/undo-record.server.ts';
import { MAX_CHOSEN, type BulkAction } from './bulk-actions.ts';
import { actOnBulk, planBulk, readTable, undoTogether } from './bulk.server.ts';
import type { SeveralOutcome } from './decide-several.server.ts';

const platform = await makeTestPlatform();
const { db } = platform;
const app = makeTestApp(platform);
const aydin = await storeStaff(platform, { name: 'E. Aydın' });
const kaya = await storeStaff(platform, { name: 'M. Kaya' });

const formOf = (fields: Record<string, string>, chosen: readonly Application[] = []) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const { number } of chosen) form.append('chosen', number);
  return form;
};

/** What is said beforehand, and what becomes of what was confirmed then. */
async function plannedAndDone(action: BulkAction, form: FormData, staff = aydin) {
  const { planned, problem } = await planBulk(platform, staff, { action, form });
  expect(problem).toBeNull();
  for (const one of planned) if (!one.error) form.append('confirmed', one.number);
  const { outcomes } = await actOnBulk(platform, staff, { action, form });
  return { said: planned.map(({ error }) => error?.code ?? null), done: outcomes.map(resultOf) };
}
const resultOf = (one: SeveralOutcome) => ('done' in one ? one.done : one.error.code);

const stored = async ({ id }: Application) => needed(await applicationById(db, id));
const auditOf = async ({ id }: Application) =>
  (await auditEntriesBySubject(db, { kind: 'application', id })).map(({ action }) => action);

describe('a pasted table', async () => {
  const { number } = await makeApplication(platform);
  const other = await makeApplication(platform);

  test.each([
    ['a tab', `${number}\tAB-1`],
    ['a comma, spaces and quotes', `"${number.slice(0, 3)} ${number.slice(3)}" , "AB-1"`],
    ['a semicolon, and nothing in further columns', `${number};AB-1;;`],
    ['the columns the other way round', `AB-1\t${number.toLowerCase()}`],
    [
      'a heading, empty lines and the ends of lines of Windows',
      `Number\tRef.\r\n\r\n${number}\tAB-1\r\n`,
    ],
  ])('is read with %s', (_, text) => {
    const { lines, errors } = readTable(text);
    expect(errors).toEqual([]);
    expect(lines).toMatchObject([{ number, reference: 'AB-1' }]);
  });

  test('without a reference is one that follows later', () => {
    expect(readTable(`${number}\t`).lines).toMatchObject([{ number, reference: '' }]);
  });

  test('whose first number has no digit has no heading', () => {
    const letters = 'TRVTWVRXQEVPGSZV';
    expect(readTable(letters).lines).toMatchObject([{ number: letters }]);
    expect(readTable('TRVTWVRXQEVPGSZZ').errors).toMatchObject([{ code: 'number' }]);
  });

  test('names each line that is wrong as somebody counts them', () => {
    const mistyped = `${number.slice(0, -1)}${number.endsWith('A') ? 'B' : 'A'}`;
    const text = [
      `${number}\tAB-1`,
      '',
      `${mistyped}\tAB-2`,
      `${number}\tAB-3`,
      `${other.number}\tAB-4\tNaidoo`,
      `${other.number}\t§`,
    ].join('\n');
    expect(readTable(text).errors).toEqual([
      { line: 3, text: `${mistyped}\tAB-2`, code: 'number' },
      { line: 4, text: `${number}\tAB-3`, code: 'twice', first: 1 },
      { line: 5, text: `${other.number}\tAB-4\tNaidoo`, code: 'columns' },
      { line: 6, text: `${other.number}\t§`, code: 'reference' },
    ]);
  });

  test('of too many lines, or with a number that nothing has, does nothing', async () => {
    const table = `${number}\n`.repeat(MAX_CHOSEN + 1);
    const form = formOf({ table });
    expect(await planBulk(platform, aydin, { action: 'hand_in', form })).toMatchObject({
      problem: { code: 'too_many' },
      planned: [],
    });
    const gone = makeNumber('TRV', randomBytes(12));
    const unknown = formOf({ table: `${number}\tAB-1\n${gone}\tAB-2` });
    unknown.append('confirmed', number);
    const { problem, outcomes } = await actOnBulk(platform, aydin, {
      action: 'hand_in',
      form: unknown,
    });
    expect(problem).toMatchObject({ code: 'lines', lines: [{ line: 2, code: 'unknown' }] });
    expect(outcomes).toEqual([]);
  });
});

test('what is handed in together is said before as it is done, each as on its own page', async () => {
  const free = await makeApplication(platform);
  const bare = await makeApplication(platform);
  const claimed = await makeApplication(platform);
  const unpaid = await makeApplication(platform, { paid: false });
  const before = await makeApplication(platform);
  const insurance = await makeApplication(platform, { kind: 'insurance', service: '30-days' });
  const left = await makeApplication(platform);
  await claimApplication(platform, kaya, claimed.id);
  await decideApplication(platform, kaya, { kind: 'start_processing', applicationId: before.id });
  const table = [
    `${free.number}\tAB 1`,
    bare.number,
    ...[claimed, unpaid, before, insurance].map(({ number }, index) => `${number};X${index}`),
  ].join('\n');
  const { said, done } = await plannedAndDone('hand_in', formOf({ table }, [free, left]));
  const refused = ['claimed', 'unpaid', 'stale', 'visa_only', 'not_in_table'];
  expect(said).toEqual([null, null, ...refused]);
  expect(done).toEqual(['handed_in', 'handed_in', ...refused]);
  expect(await stored(free)).toMatchObject({ status: 'processing', authorityReference: 'AB 1' });
  expect(await stored(bare)).toMatchObject({ status: 'processing', authorityReference: null });
  expect(await stored(left)).toMatchObject({ status: 'pending' });
  expect(await auditOf(free)).toContain('processing_started');
  // Whoever handed it in has gone on.
  expect(await claimHolder(platform, kaya, free.id)).toBeNull();
});

test('nothing is done that the confirmation said would not be', async () => {
  const [one, other] = [await makeApplication(platform), await makeApplication(platform)];
  await claimApplication(platform, kaya, other.id);
  const form = formOf({ table: `${one.number}\n${other.number}` });
  const { planned } = await planBulk(platform, aydin, { action: 'hand_in', form });
  for (const { error, number } of planned) if (!error) form.append('confirmed', number);
  // The claim lapses before the press.
  platform.clock.advance(11 * 60_000);
  const { outcomes } = await actOnBulk(platform, aydin, { action: 'hand_in', form });
  expect(outcomes.map(resultOf)).toEqual(['handed_in', 'not_confirmed']);
  expect(await stored(other)).toMatchObject({ status: 'pending' });
});

test('two forms at once hand each in once', async () => {
  const cases = [await makeApplication(platform), await makeApplication(platform)];
  const form = formOf({ table: cases.map(({ number }) => number).join('\n') });
  for (const { number } of cases) form.append('confirmed', number);
  const both = await Promise.all(
    [aydin, kaya].map((staff) => actOnBulk(platform, staff, { action: 'hand_in', form })),
  );
  const results = both.flatMap(({ outcomes }) => outcomes.map(resultOf));
  expect(results.filter((one) => one === 'handed_in')).toHaveLength(2);
});

test('what was handed in together is undone together, as long as its author’s time lasts', async () => {
  const [one, moved, late] = [
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform),
  ];
  const author = await storeStaff(platform);
  const hand = (cases: readonly Application[]) =>
    plannedAndDone(
      'hand_in',
      formOf({ table: cases.map(({ number }) => number).join('\n') }),
      author,
    );
  await hand([one, moved]);
  const decisions = await undoableDecisions(db, author, platform.now());
  // One moment, by which the pages offer one button for them.
  expect(new Set(decisions.map(({ age }) => age)).size).toBe(1);
  await decideApplication(platform, aydin, { kind: 'approve', applicationId: moved.id });
  const ids = decisions.map(({ id }) => id);
  expect(await undoTogether(platform, kaya, ids)).toEqual([]);
  const undone = await undoTogether(platform, author, ids);
  expect(Object.fromEntries(undone.map((each) => [each.id, resultOf(each)]))).toEqual({
    [one.number]: 'undone',
    [moved.number]: 'undo_changed',
  });
  expect(await stored(one)).toMatchObject({ status: 'pending' });
  expect(await auditOf(one)).toContain('decision_undone');

  await hand([late]);
  const [last] = await undoableDecisions(db, author, platform.now());
  // A second more for the time that doing it took.
  expect(needed(last).left).toBe((DEFAULT_UNDO_SECONDS + 1) * 1000);
  platform.clock.advance(needed(last).left);
  expect((await undoTogether(platform, author, [needed(last).id])).map(resultOf)).toEqual([
    'undo_late',
  ]);
});

test('several are assigned to one colleague, but not what somebody else works on', async () => {
  const [free, held] = [await makeApplication(platform), await makeApplication(platform)];
  const demir = await storeStaff(platform, { name: 'K. Demir' });
  await assignApplication(platform, demir, { applicationId: held.id, to: demir.id, note: '' });
  const fields = { colleague: kaya.id, assignNote: 'Same family name.' };
  const { said, done } = await plannedAndDone('assign', formOf(fields, [free, held]));
  expect([said, done]).toEqual([
    [null, 'claimed'],
    ['assigned', 'claimed'],
  ]);
  expect(await claimHolder(platform, aydin, free.id)).toMatchObject({ name: 'M. Kaya' });
  expect(await auditOf(free)).toEqual(expect.arrayContaining(['case_assigned', 'note_added']));
  const nobody = formOf({ colleague: '' }, [free]);
  expect(await planBulk(platform, aydin, { action: 'assign', form: nobody })).toMatchObject({
    problem: { code: 'typed', error: { code: 'unknown_colleague' } },
    chosen: [{ number: free.number }],
  });
});

test('several are put off, but not what waits already or is nobody’s work any more', async () => {
  const [free, theirs, asked, decided] = [
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform),
  ];
  const typed = { [putOffFields.reason]: 'authority', [putOffFields.end]: 'week' };
  await putOff(platform, kaya, { applicationId: theirs.id, typed });
  await askCorrection(platform, kaya, { applicationId: asked.id, fields: ['phone'], note: '?' });
  const reason = 'The photo';
  await decideApplication(platform, kaya, { kind: 'reject', applicationId: decided.id, reason });
  const form = formOf(typed, [free, theirs, asked, decided]);
  const { said, done } = await plannedAndDone('put_off', form);
  const refused = ['put_off_already', 'already_waiting', 'stale'];
  expect([said, done]).toEqual([
    [null, ...refused],
    ['put_off', ...refused],
  ]);
  const when = { applicationId: free.id, now: platform.now() };
  expect(await findPutOff(platform, when)).toMatchObject({ by: 'E. Aydın', reason: 'authority' });
  const wrong = formOf({ ...typed, [putOffFields.end]: 'day' }, [free]);
  expect(await planBulk(platform, aydin, { action: 'put_off', form: wrong })).toMatchObject({
    problem: { code: 'typed', error: { code: 'put_off_day' } },
  });
});

test('travellers are reminded of a correction or the payment by the email that asked for it', async () => {
  const [asked, free, unpaid] = [
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform, { paid: false, begun: false }),
  ];
  await askCorrection(platform, kaya, { applicationId: asked.id, fields: ['phone'], note: '?' });
  const { order } = unpaid;
  await db.transaction((tx) =>
    tellUnpaid(tx, { ...order, createdAt: new Date(0) }, platform.now()),
  );
  const run = () => platform.runJobs(emailJobs(platform));
  await run();
  platform.sent.length = 0;
  const form = () => formOf({}, [asked, free, unpaid]);
  const { planned } = await planBulk(platform, aydin, { action: 'remind', form: form() });
  expect(planned.map(({ asks }) => asks)).toEqual(['correction', null, 'payment']);
  const { said, done } = await plannedAndDone('remind', form());
  expect(said).toEqual([null, 'nothing_to_remind', null]);
  expect(done).toEqual(['reminded', 'nothing_to_remind', 'reminded']);
  expect(await auditOf(asked)).toContain('email_resent');
  // Still on its way.
  const { said: again } = await plannedAndDone('remind', form());
  expect(again).toEqual(['waiting_email', 'nothing_to_remind', 'waiting_email']);
  await run();
  expect(platform.sent).toHaveLength(2);
});

describe('the page', () => {
  const post = async (body: FormData) => {
    const headers = { cookie: aydin.cookie };
    const answer = await app.request('/admin/bulk', { method: 'POST', headers, body });
    return { status: answer.status, html: await answer.text(), headers: answer.headers };
  };
  const texts = (html: string) =>
    html
      .slice(html.indexOf('<h1'))
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ');
  /** What a browser without scripts sends of a page. */
  const fieldsIn = (html: string) => {
    const form = new FormData();
    for (const [input] of html.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
      const name = /name="([^"]*)"/.exec(input)?.[1];
      if (name)
        form.append(name, (/value="([^"]*)"/.exec(input)?.[1] ?? '').replaceAll('&#10;', '\n'));
    }
    return form;
  };

  test('of the list has a box for each application, and works without scripts to the undo', async () => {
    const one = await makeApplication(platform, { lastName: 'Mokoena' });
    const other = await makeApplication(platform, { lastName: 'Zulu' });
    const cookie = { cookie: aydin.cookie };
    const list = await (await app.request('/admin', { headers: cookie })).text();
    expect(list).toMatch(
      new RegExp(
        `<input(?=[^>]*aria-label="Select Mokoena, Thabo")(?=[^>]*form="bulk")[^>]*${one.number}`,
      ),
    );
    const chosen = await post(formOf({ intent: 'hand_in', list: '?show=hand_in' }, [one, other]));
    expect(chosen.status).toBe(200);
    expect(chosen.html).toContain(`${one.number}\t`);

    const wrong = `${one.number}\tAB-7\nnonsense 1\t9`;
    const refused = await post(
      formOf({ intent: 'hand_in', step: 'check', table: wrong }, [one, other]),
    );
    expect(refused.status).toBe(422);
    expect(texts(refused.html)).toMatch(/Line 2: nonsense 1 9 – There is no application number/);
    expect(refused.html).toContain(`${one.number}\tAB-7`);

    const table = `${one.number}\tAB-7`;
    const asked = await post(formOf({ intent: 'hand_in', step: 'check', table }, [one, other]));
    expect(texts(asked.html)).toMatch(
      /Will be done: 1 .*Mokoena, Thabo .* AB-7 .*Will not be done: 1 .*Zulu, Thabo.*not in the table/,
    );
    expect(await stored(one)).toMatchObject({ status: 'pending' });

    const form = fieldsIn(asked.html.slice(asked.html.indexOf('<h1')));
    form.set('step', 'do');
    const done = await post(form);
    expect(texts(done.html)).toMatch(/Done: 1 of 2 .*Mokoena.*Handed in\. Email queued\..*Zulu/);
    expect(done.headers.get('set-cookie')).toContain('lale_desk_undo');
    expect(await stored(one)).toMatchObject({ status: 'processing', authorityReference: 'AB-7' });
  });

  test('offers one button for what was done together', async () => {
    platform.clock.advance(DEFAULT_UNDO_SECONDS * 1000);
    const cases = [await makeApplication(platform), await makeApplication(platform)];
    const form = formOf({
      intent: 'hand_in',
      step: 'do',
      table: cases.map((c) => c.number).join('\n'),
    });
    for (const { number } of cases) form.append('confirmed', number);
    await post(form);
    const headers = { cookie: `${aydin.cookie}; lale_desk_undo=1` };
    const page = await (await app.request('/admin/account', { headers })).text();
    expect(page.match(/data-testid="undo"/g)).toHaveLength(1);
    expect(page).toContain('Naidoo, Thabo and 1 more');
    const undo = fieldsIn(page.slice(page.indexOf('data-testid="undo"')));
    expect(texts((await post(undo)).html)).toMatch(/Undone together .*Done: 2 of 2/);
    expect(await stored(needed(cases[0]))).toMatchObject({ status: 'pending' });
  });

  test.each(['assign', 'put_off', 'remind'])('for %s asks to choose somebody', async (intent) => {
    const { status, html } = await post(formOf({ intent }));
    expect(status).toBe(422);
    expect(html).toContain('Select at least one application in the list.');
  });
});
