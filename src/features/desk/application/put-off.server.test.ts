import { beforeEach, expect, test } from 'vitest';
import { parseDate } from '~/base/dates/dates.ts';
import { firstOffice } from '~/base/dates/office.ts';
import type { Application } from '~/features/application/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import { readFilter } from '../queue/list-filter.ts';
import { countWorkLists, queuePage } from '../queue/queue.server.ts';
import { askCorrection } from './ask-correction.server.ts';
import { claimHolder } from './claim.server.ts';
import { decideApplication } from './decide.server.ts';
import { MAX_PUT_OFF_LENGTH, putOffFields, putOffUntil, type PutOffEnd } from './put-off.ts';
import { findPutOff, putOff, resume } from './put-off.server.ts';
import { answerCorrection } from './testing/answer-correction.server.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { nextNumber } from './testing/next-number.server.ts';
import { undoDecision } from './undo.server.ts';
import { undoableDecisions } from './undo-record.server.ts';

const HOUR = 3600_000;
// A Wednesday.
const NOON = new Date('2026-11-18T12:00:00Z');
let platform: TestPlatform;
let staff: Awaited<ReturnType<typeof storeStaff>>;
let found: Application;
beforeEach(async () => {
  platform = await makeTestPlatform({ now: NOON });
  staff = await storeStaff(platform, { name: 'E. Aydın' });
  found = await makeApplication(platform, { promisedAt: new Date(NOON.getTime() + 30 * HOUR) });
});

const put = (end: PutOffEnd, more: Record<string, string> = {}, by = staff) =>
  putOff(platform, by, {
    applicationId: found.id,
    typed: { [putOffFields.reason]: 'authority', [putOffFields.end]: end, ...more },
  });
const next = (query = '') => nextNumber(platform, staff, query, { again: true });
const isPutOff = async () =>
  (await findPutOff(platform, { applicationId: found.id, now: platform.now() })) !== null;

test.each([
  ['hours', '', '2026-11-18T14:00'],
  ['opening', '', '2026-11-19T09:00'],
  ['week', '', '2026-11-25T09:00'],
  ['reply', '', '2026-11-19T18:00'],
  ['day', '2026-11-21', '2026-11-21T09:00'],
  ['day', '2026-11-18', null],
  ['day', '2027-01-18', null],
  ['day', '', null],
] as const)('until %s %s is %s', (end, day, moment) => {
  const promisedAt = new Date(NOON.getTime() + 30 * HOUR);
  const until = putOffUntil(end, {
    at: NOON,
    office: firstOffice,
    promisedAt,
    day: parseDate(day),
  });
  expect(until).toEqual(moment && new Date(`${moment}Z`));
});

test('what is late already waits a week for its traveller, and the weekend is no next working day', () => {
  const friday = new Date('2026-11-20T17:00:00Z');
  const given = { at: friday, office: firstOffice, promisedAt: NOON, day: null };
  expect(putOffUntil('reply', given)).toEqual(new Date('2026-11-27T17:00:00Z'));
  expect(putOffUntil('opening', given)).toEqual(new Date('2026-11-23T09:00:00Z'));
});

test('it stays in its list, marked and counted, is passed over, and comes back at its moment', async () => {
  expect(await next()).toBe(found.number);
  expect(await put('hours')).toMatchObject({ ok: true });
  expect(await claimHolder(platform, staff, found.id)).toBeNull();
  for (const query of ['', 'show=hand_in', 'show=put_off']) {
    expect(await next(query), query).toBe('nothing');
    const filter = readFilter(new URLSearchParams(query), 'visa', null);
    const looking = { staffId: staff.id, now: platform.now() };
    const { rows } = await queuePage(platform.db, filter, looking);
    const untilAt = new Date(NOON.getTime() + 2 * HOUR);
    expect(rows).toMatchObject([{ putOff: { untilAt, untilReply: false, by: 'E. Aydın' } }]);
  }
  expect(await countWorkLists(platform.db, platform.now())).toMatchObject({
    visa: { hand_in: 1, put_off: 1 },
  });
  platform.clock.advance(2 * HOUR);
  expect(await next()).toBe(found.number);
  expect(await countWorkLists(platform.db, platform.now())).toMatchObject({ visa: { put_off: 0 } });
});

test('anybody takes it back, and sees before who put it off and why', async () => {
  const other = await storeStaff(platform, { name: 'D. Kaya' });
  const words = 'Ask Nuray about the old passport';
  await put('week', { [putOffFields.reason]: 'other', [putOffFields.words]: words });
  const app = makeTestApp(platform);
  const headers = { cookie: other.cookie };
  const page = async () =>
    (await app.request(`/admin/applications/${found.number}`, { headers })).text();
  const shown = await page();
  expect(shown).toContain(words);
  expect(shown).toContain('by E. Aydın');
  await resume(platform, other, found.id);
  expect(await page()).not.toContain(words);
  expect(await next()).toBe(found.number);
});

test('of two who take it back one did', async () => {
  const other = await storeStaff(platform);
  await put('week');
  for (const one of [staff, other])
    expect(await resume(platform, one, found.id)).toMatchObject({ ok: true });
  const subject = { kind: 'application', id: found.id } as const;
  const entries = await auditEntriesBySubject(platform.db, subject);
  expect(entries.filter(({ action }) => action === 'put_off_ended')).toHaveLength(1);
});

test('what a colleague has put off is brought back before somebody else puts it off', async () => {
  const other = await storeStaff(platform);
  await put('hours');
  expect(await put('week')).toMatchObject({ ok: true });
  expect(await put('hours', {}, other)).toMatchObject({ error: { code: 'put_off_already' } });
  await resume(platform, other, found.id);
  expect(await put('hours', {}, other)).toMatchObject({ ok: true });
});

test('what waits for its traveller is not put off as well', async () => {
  const asked = { applicationId: found.id, fields: ['passportNumber'], note: 'Check.' };
  await askCorrection(platform, staff, asked);
  expect(await put('week')).toMatchObject({ error: { code: 'already_waiting' } });
});

test('the traveller’s answer brings it back, and so does a decision until it is undone', async () => {
  await put('reply');
  platform.clock.advance(1000);
  const fields = ['passportNumber'];
  await askCorrection(platform, staff, { applicationId: found.id, fields, note: 'Check.' });
  await answerCorrection(platform, found.id, { passportNumber: 'U7654321' });
  expect(await isPutOff()).toBe(false);
  expect(await next()).toBe(found.number);

  platform.clock.advance(1000);
  await put('week');
  platform.clock.advance(1000);
  const approval = { kind: 'approve', applicationId: found.id } as const;
  await decideApplication(platform, staff, approval, { undoable: true });
  expect(await isPutOff()).toBe(false);
  const [made] = await undoableDecisions(platform.db, staff, platform.now());
  await undoDecision(platform, staff, needed(made).id);
  expect(await isPutOff()).toBe(true);
});

test('an approval without its PDF can be put off, and nothing that is done', async () => {
  await decideApplication(platform, staff, { kind: 'approve', applicationId: found.id });
  platform.clock.advance(1000);
  expect(await next('show=to_deliver')).toBe(found.number);
  expect(await put('opening')).toMatchObject({ ok: true });
  expect(await next('show=to_deliver')).toBe('nothing');
  found = await makeApplication(platform, { kind: 'insurance' });
  await decideApplication(platform, staff, { kind: 'approve', applicationId: found.id });
  expect(await put('week')).toMatchObject({ error: { code: 'stale' } });
});

test.each([
  [{ [putOffFields.reason]: 'tired' }, 'put_off_reason'],
  [{ [putOffFields.reason]: 'other', [putOffFields.words]: ' ' }, 'put_off_words'],
  [
    { [putOffFields.reason]: 'other', [putOffFields.words]: 'a'.repeat(MAX_PUT_OFF_LENGTH + 1) },
    'put_off_words',
  ],
  [{ [putOffFields.end]: 'never' }, 'put_off_end'],
  [{ [putOffFields.end]: 'day' }, 'put_off_day'],
])('with %o it is refused: %s', async (typed, code) => {
  expect(await put('hours', typed)).toMatchObject({ error: { code } });
  expect(await isPutOff()).toBe(false);
});
