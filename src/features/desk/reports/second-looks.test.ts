import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seeders } from '~/app/composition/seeders.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { makeApplication } from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { askCorrection } from '../application/ask-correction.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { goodPdf, storeStaff, textPdf } from '../application/testing/case-store.server.ts';
import { notesByApplication } from '../application/notes.server.ts';
import { undoableDecisions } from '../application/undo-record.server.ts';
import { undoDecision } from '../application/undo.server.ts';
import { upload } from '../application/uploads.server.ts';
import { forYouEntries } from '../queue/for-you.server.ts';
import { drawDecisions, drawSecondLooks, judgeDecision, openLooks } from './second-looks.server.ts';

describe('the draw', () => {
  const decision = fc.record({
    kind: fc.constantFrom('approved', 'rejected', 'correction_asked', 'document_attached'),
    differences: fc.subarray(['lastName', 'unread', 'same_file', 'duplicate'] as const),
  });
  const day = fc
    .array(decision, { maxLength: 600 })
    .map((all) => all.map((one, id) => ({ ...one, id })));
  const rankOf = (id: number) => ((id * 7919) % 1009).toString().padStart(4, '0');
  const idsOf = (drawn: readonly { id: number }[]) => drawn.map(({ id }) => id).toSorted();

  test('has every decision that was sent in spite of a difference, and each once', () => {
    fc.assert(
      fc.property(day, (decisions) => {
        const drawn = idsOf(drawDecisions(decisions, rankOf));
        const differing = decisions.filter((one) => one.differences.length > 0);
        expect(drawn).toEqual(expect.arrayContaining(idsOf(differing)));
        expect(new Set(drawn).size).toBe(drawn.length);
      }),
    );
  });

  test('has one in twenty of the others, at least five and at most twenty', () => {
    fc.assert(
      fc.property(day, (decisions) => {
        const others = decisions.filter(
          ({ differences, kind }) => differences.length === 0 && kind !== 'document_attached',
        );
        const drawn = drawDecisions(decisions, rankOf).filter((one) => others.includes(one));
        const share = Math.min(20, Math.max(5, Math.ceil(others.length / 20)));
        expect(drawn).toHaveLength(Math.min(others.length, share));
      }),
    );
  });

  test('is the same for the same day, in whatever order it is read', () => {
    fc.assert(
      fc.property(day, (decisions) => {
        expect(idsOf(drawDecisions(decisions.toReversed(), rankOf))).toEqual(
          idsOf(drawDecisions(decisions, rankOf)),
        );
      }),
    );
  });
});

/** A Tuesday, and shortly after it in Türkiye. */
const TUESDAY = new Date('2026-11-24T10:00:00Z');
const NIGHT = new Date('2026-11-24T21:21:00Z');

const platform = await makeTestPlatform({ now: TUESDAY });
const { db } = platform;
const app = makeTestApp(platform);
await seedAll(db, seeders, TUESDAY);
const reviewer = await storeStaff(platform, { name: 'Z. Kaya' });
const author = await storeStaff(platform, { name: 'B. Author', role: 'manager' });

let passports = 0;
const newCase = () => makeApplication(platform, { passportNumber: `A${1_000_000 + ++passports}` });

/** Approves a new application with a PDF that does not match it, as somebody does who ticks the box. */
async function approve(staff: Staff, pdf: Buffer) {
  const { id: applicationId, number } = await newCase();
  const file = await upload(platform, staff, pdf, { draftFor: applicationId });
  if (!file.ok) throw new Error(file.error);
  const decision = { kind: 'approve', applicationId, fileId: file.value.id } as const;
  const ticked = { ...decision, hasCompared: true };
  expect((await decideApplication(platform, staff, ticked, { undoable: true })).ok).toBe(true);
  return number;
}

const undone = await approve(reviewer, goodPdf('Undone'));
const [last] = await undoableDecisions(db, reviewer, TUESDAY);
expect((await undoDecision(platform, reviewer, needed(last).id)).ok).toBe(true);
const unread = await approve(reviewer, goodPdf('A scan'));
const own = await approve(author, goodPdf('Own'));
const other = await approve(reviewer, textPdf(['SMITH, JOHN', 'Passport B7654321']));
await newCase();
const twice = await makeApplication(platform, { passportNumber: `A${1_000_000 + passports}` });
const approval = { kind: 'approve', applicationId: twice.id, hasCheckedDuplicates: true } as const;
expect((await decideApplication(platform, reviewer, approval)).ok).toBe(true);
for (let made = 0; made < 8; made++) {
  const { id: applicationId } = await newCase();
  const rejection = { kind: 'reject', applicationId, code: 'details_differ' } as const;
  expect((await decideApplication(platform, reviewer, rejection)).ok).toBe(true);
}
const { id: applicationId } = await newCase();
const asked = { applicationId, fields: ['address'], note: 'Which street?' };
expect((await askCorrection(platform, reviewer, asked)).ok).toBe(true);

platform.clock.set(NIGHT);
await drawSecondLooks(platform);
const [manager, administrator] = [
  await storeStaff(platform, { name: 'O. Manager', role: 'manager' }),
  await storeStaff(platform, { name: 'N. Admin', role: 'administrator' }),
];

/** What somebody may judge, by its application. */
const lookAt = async (number: string, staff: Staff = manager) =>
  (await openLooks(db, staff, platform.now())).looks.find((one) => one.number === number);
const idOf = async (number: string) => needed(await lookAt(number)).id;
const page = async (cookie = manager.cookie, query = '') =>
  (await app.request(`/admin/second-looks${query}`, { headers: { cookie } })).text();
const post = (fields: Record<string, string>, cookie = manager.cookie) =>
  app.request('/admin/second-looks', {
    method: 'POST',
    headers: { cookie },
    body: new URLSearchParams(fields),
  });

describe('of a day that is over', () => {
  test('what was sent in spite of a difference is there with it, and five of the others', async () => {
    const { all, looks } = await openLooks(db, manager, platform.now());
    expect(all).toBe(9);
    expect(looks.slice(0, 4).map(({ number, differences }) => [number, differences])).toEqual([
      [unread, ['unread']],
      [own, ['unread']],
      [
        other,
        ['passportNumber', 'lastName', 'firstName', 'dateOfBirth', 'nationality', 'validity'],
      ],
      [twice.number, ['duplicate']],
    ]);
    expect(looks.slice(4).every(({ differences }) => differences.length === 0)).toBe(true);
    expect(looks.map(({ number }) => number)).not.toContain(undone);
  });

  test('a second draw adds nothing', async () => {
    const before = await openLooks(db, manager, platform.now());
    await drawSecondLooks(platform);
    expect(await openLooks(db, manager, platform.now())).toEqual(before);
  });

  test('it is there for seven days', async () => {
    const days = (count: number) => new Date(TUESDAY.getTime() + count * 86_400_000);
    expect((await openLooks(db, manager, days(6.9))).all).toBe(9);
    expect((await openLooks(db, manager, days(7))).all).toBe(0);
  });

  test('nobody is shown their own, nor judges it', async () => {
    expect(await lookAt(own, author)).toBeUndefined();
    const given = { id: await idOf(own), verdict: 'right', why: '' } as const;
    expect(await judgeDecision(platform, author, given)).toEqual({
      ok: false,
      error: { code: 'own_decision' },
    });
  });
});

describe('a verdict', () => {
  test('counts once, and whoever comes second is told who was first', async () => {
    const given = { id: await idOf(unread), verdict: 'right', why: '' } as const;
    const both = await Promise.all(
      [manager, administrator].map((staff) => judgeDecision(platform, staff, given)),
    );
    const refusals = both.filter((one) => !one.ok);
    expect(refusals).toMatchObject([{ error: { code: 'judged', verdict: 'right' } }]);
    const late = await post({
      look: String(given.id),
      verdict: 'wrong',
      [`why-${given.id}`]: 'No',
    });
    expect(late.status).toBe(409);
    expect(await late.text()).toMatch(/(O\. Manager|N\. Admin) has already recorded .* as right/);
  });

  test('that it was wrong needs a reason, which is a note that its author is shown', async () => {
    const id = await idOf(other);
    const empty = await post({ look: String(id), verdict: 'wrong', [`why-${id}`]: ' ' });
    expect(empty.status).toBe(422);
    expect(await empty.text()).toMatch(new RegExp(`href="#why-${id}"[^>]*>Enter the reason`));
    const why = 'The e-visa is John Smith’s.';
    const sent = await post({ look: String(id), verdict: 'wrong', [`why-${id}`]: why });
    expect(sent.headers.get('location')).toBe('/admin/second-looks?done=wrong');
    expect(await lookAt(other)).toBeUndefined();
    const found = needed(await applicationByNumber(db, other));
    const [note] = await notesByApplication(db, platform.sealer, found.id);
    expect(note).toMatchObject({ text: why, staffId: manager.id });
    expect(await forYouEntries(db, reviewer.id)).toMatchObject([
      { kind: 'found_wrong', number: other, noteId: note?.id, by: 'O. Manager' },
    ]);
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: found.id });
    expect(trail.at(-1)).toMatchObject({
      action: 'decision_judged',
      staffId: manager.id,
      detail: { event: id, verdict: 'wrong', of: reviewer.id },
    });
  });

  test('about nothing is refused', async () => {
    expect((await post({ look: '999999', verdict: 'right' })).status).toBe(404);
    expect((await post({ look: 'x', verdict: 'right' })).status).toBe(422);
    expect((await post({ look: '1', verdict: 'maybe' })).status).toBe(422);
  });
});

describe('the page', () => {
  test('names each decision, its author and what did not match, and is recorded as a view', async () => {
    const html = await page();
    expect(html.match(/data-testid="look"/g)).toHaveLength(
      (await openLooks(db, manager, platform.now())).all,
    );
    for (const words of [twice.number, 'Possible duplicate', 'Z. Kaya', 'Rejected'])
      expect(html).toContain(words);
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: twice.id });
    expect(trail.at(-1)).toMatchObject({ action: 'application_viewed', staffId: manager.id });
    expect(await page(manager.cookie, '?done=right')).toContain('Recorded as right.');
  });

  test('stands beside the figures with a count, and a reviewer has neither', async () => {
    const { all } = await openLooks(db, manager, platform.now());
    const badge = (html: string) => /title="(\d+) decisions for a second look"/.exec(html)?.[1];
    expect(badge(await page())).toBe(String(all));
    const { cookie } = await storeStaff(platform);
    const figures = await app.request('/admin/figures', { headers: { cookie } });
    expect(await figures.text()).not.toContain('/admin/second-looks');
  });
});

test('the figures count what was looked at and what was wrong on the day of the decision', async () => {
  const get = async (path: string) =>
    (await app.request(path, { headers: { cookie: manager.cookie } })).text();
  const days = 'from=2026-11-23&to=2026-11-24';
  const lines = (await get(`/admin/figures/looks/csv?${days}`)).trim().split('\r\n');
  expect(lines.slice(1)).toEqual([
    '2026-11-23,2026-11-23,0,0,0,0,0',
    '2026-11-24,2026-11-24,0,0,2,1,7',
  ]);
  const html = await get(`/admin/figures?${days}`);
  const section = html.split('aria-labelledby="looks"')[1]?.split('</section>')[0] ?? '';
  const whole = section
    .split('<tr')
    .at(-1)
    ?.replaceAll(/<span.*?<\/span>/g, '');
  expect(
    whole
      ?.replaceAll(/<[^>]*>/g, ' ')
      .match(/\d+/g)
      ?.slice(-5),
  ).toEqual(['0', '0', '2', '1', '7']);
});
