import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { dropClaim, validClaims, LOOK_MS } from '~/features/application/claim-store.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { insertChange, invalidateSettings } from '~/features/settings/store.server.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform, type TestPlatform } from '../../../../test/platform.ts';
import { assignApplication, claimApplication, claimHolder } from '../application/claim.server.ts';
import { askCorrection, withdrawCorrection } from '../application/ask-correction.server.ts';
import { decideApplication } from '../application/decide.server.ts';
import { goodPdf, storeStaff } from '../application/testing/case-store.server.ts';
import { answerCorrection } from '../application/testing/answer-correction.server.ts';
import { nextNumber } from '../application/testing/next-number.server.ts';
import { upload } from '../application/uploads.server.ts';
import { readFilter, type QueueKind } from './list-filter.ts';
import { CHASE_HOURS } from './list-query.server.ts';
import { countWorkLists, queuePage } from './queue.server.ts';
import { makeApplication, type ApplicationOptions } from '../../../../test/make.ts';

type StoredStaff = Awaited<ReturnType<typeof storeStaff>>;
let platform: TestPlatform;
let aydin: StoredStaff;
let kaya: StoredStaff;
// Each has a queue of its own.
beforeEach(async () => {
  platform = await makeTestPlatform();
  aydin = await storeStaff(platform, { name: 'E. Aydın' });
  kaya = await storeStaff(platform, { name: 'D. Kaya' });
});

/** Applications due one after the other, an hour apart. */
async function storeCases(
  count: number,
  given: (index: number) => ApplicationOptions = () => ({}),
) {
  const cases: Application[] = [];
  for (let index = 0; index < count; index += 1) {
    const promisedAt = new Date(platform.now().getTime() + (index + 1) * 3600_000);
    cases.push(await makeApplication(platform, { promisedAt, ...given(index) }));
  }
  return cases;
}
const at = (cases: readonly Application[], index: number) => {
  const found = cases[index];
  if (!found) throw new Error(`No application ${index}`);
  return found;
};

test('without decisions one goes once around the list, is told so, and can start again', async () => {
  const cases = await storeCases(4);
  for (const { number } of cases) expect(await nextNumber(platform, aydin)).toBe(number);
  expect(await nextNumber(platform, aydin, '', { not: at(cases, 3).id })).toBe('round');
  expect(await nextNumber(platform, aydin, '', { again: true })).toBe(at(cases, 0).number);
  // And by itself after a while.
  platform.clock.advance(LOOK_MS + 1000);
  expect(await nextNumber(platform, aydin)).toBe(at(cases, 0).number);
});

test('what one opened by oneself is passed over as well; opening takes it from nobody', async () => {
  const [first, second] = await storeCases(2);
  if (!first || !second) throw new Error('No applications');
  const app = makeTestApp(platform);
  const headers = { cookie: aydin.cookie };
  await app.request(`/admin/applications/${first.number}`, { headers });
  expect(await nextNumber(platform, kaya)).toBe(first.number);
  expect(await nextNumber(platform, aydin)).toBe(second.number);
});

test('what one passes over is free for others at once, unless it was assigned', async () => {
  const [first, second, third] = await storeCases(3);
  if (!first || !second || !third) throw new Error('No applications');
  expect(await nextNumber(platform, aydin)).toBe(first.number);
  expect(await nextNumber(platform, kaya)).toBe(second.number);
  expect(await nextNumber(platform, aydin, '', { not: first.id })).toBe(third.number);
  expect(await nextNumber(platform, kaya, '', { not: second.id })).toBe(first.number);
  await assignApplication(platform, aydin, { applicationId: third.id, to: aydin.id, note: '' });
  await nextNumber(platform, aydin, '', { not: third.id });
  expect(await claimHolder(platform, kaya, third.id)).toMatchObject({ name: 'E. Aydın' });
});

test('a corrected application comes again, though it was looked at before the answer', async () => {
  const { id, number } = await makeApplication(platform);
  expect(await nextNumber(platform, aydin)).toBe(number);
  const asked = { applicationId: id, fields: ['passportNumber'], note: 'See the photo.' };
  await askCorrection(platform, aydin, asked);
  expect(await nextNumber(platform, aydin)).toBe('nothing');
  await withdrawCorrection(platform, aydin, id);
  expect(await nextNumber(platform, aydin)).toBe('round');
  platform.clock.advance(1000);
  await askCorrection(platform, aydin, asked);
  await answerCorrection(platform, id, { passportNumber: 'U7654321' });
  expect(await nextNumber(platform, aydin)).toBe(number);
});

test('filters, order and kind of the open list are kept', async () => {
  const cases = await storeCases(6, (index) => ({
    countryCode: index % 2 === 0 ? 'ZAF' : 'PAK',
    lastName: `Name ${9 - index}`,
    kind: index < 4 ? 'visa' : 'insurance',
    service: index < 4 ? 'standard' : '7-days',
  }));
  const [a, b] = [at(cases, 1), at(cases, 3)];
  expect(await nextNumber(platform, aydin, 'nationality=PAK')).toBe(a.number);
  expect(await nextNumber(platform, aydin, 'nationality=PAK')).toBe(b.number);
  expect(await nextNumber(platform, aydin, 'nationality=PAK')).toBe('round');
  expect(await nextNumber(platform, kaya, 'sort=name&nationality=ZAF')).toBe(at(cases, 2).number);
  expect(await nextNumber(platform, kaya, 'tab=insurance&service=7-days')).toBe(
    at(cases, 4).number,
  );
  expect(await nextNumber(platform, kaya, 'status=rejected')).toBe('nothing');
  expect(await nextNumber(platform, kaya, 'show=action_required')).toBe('nothing');
});

test('the queue without filters is gone through in both kinds, most urgent first, whichever tab is open', async () => {
  const cases = await storeCases(4, (index) => ({ kind: index % 2 === 0 ? 'insurance' : 'visa' }));
  for (const tab of ['', 'tab=insurance', 'show=hand_in', 'tab=insurance&show=hand_in'])
    expect(await nextNumber(platform, aydin, tab)).toBe(cases.shift()?.number);
});

test('what is handed in comes once its PDF is here, or staff have to ask about it', async () => {
  const { id, number } = await makeApplication(platform);
  const started = await decideApplication(platform, kaya, {
    kind: 'start_processing',
    applicationId: id,
  });
  expect(started.ok).toBe(true);
  expect(await nextNumber(platform, aydin)).toBe('nothing');
  expect(await nextNumber(platform, aydin, 'status=processing')).toBe('nothing');
  expect(await nextNumber(platform, aydin, 'show=at_authority')).toBe(number);
  await dropClaim(platform.db, id);
  await platform.db.transaction((tx) =>
    insertChange(tx, {
      section: 'authority',
      values: { [CHASE_HOURS]: 3 },
      validFrom: platform.now(),
      reason: 'They answer within hours',
      staffId: null,
      createdAt: platform.now(),
    }),
  );
  invalidateSettings(platform.db);
  platform.clock.advance(3 * 3600_000 + 1);
  expect(await countWorkLists(platform.db, platform.now())).toMatchObject({ toChase: 1 });
  const atAuthority = readFilter(new URLSearchParams('show=at_authority'), 'visa', null);
  const looking = { staffId: aydin.id, now: platform.now() };
  const { rows } = await queuePage(platform.db, atAuthority, looking);
  expect(rows).toMatchObject([{ number, toChase: true }]);
  expect(await nextNumber(platform, aydin)).toBe(number);
  await dropClaim(platform.db, id);
  expect((await upload(platform, aydin, goodPdf(), { draftFor: id })).ok).toBe(true);
  // A PDF waits for who uploaded it.
  for (const query of ['', 'show=at_authority', 'show=to_deliver'])
    expect(await nextNumber(platform, kaya, query, { again: true })).toBe('nothing');
  for (const query of ['', 'show=to_deliver'])
    expect(await nextNumber(platform, aydin, query, { again: true })).toBe(number);
});

test('what one has handed in, also after a correction, comes again where it stands then, not as looked at', async () => {
  const [first, second] = await storeCases(2);
  if (!first || !second) throw new Error('No applications');
  const app = makeTestApp(platform);
  const asked = { applicationId: first.id, fields: ['address'], note: 'The house is missing.' };
  await askCorrection(platform, aydin, asked);
  await answerCorrection(platform, first.id, { address: '14 Marine Parade, Durban' });
  expect(await nextNumber(platform, aydin, 'show=hand_in')).toBe(first.number);
  const { headers } = await app.request(`/admin/applications/${first.number}?show=hand_in`, {
    method: 'POST',
    headers: { cookie: aydin.cookie },
    body: new URLSearchParams({ intent: 'start_processing', seen: 'pending', after: 'next' }),
  });
  expect(headers.get('location')).toContain(second.number);
  expect(await nextNumber(platform, kaya, 'show=at_authority')).toBe(first.number);
  await dropClaim(platform.db, first.id);
  expect(await nextNumber(platform, aydin, 'show=at_authority')).toBe(first.number);
});

test('of what staff work on each application is in one list, which counts it', async () => {
  const visa = () => makeApplication(platform);
  const toDecide = await makeApplication(platform, { kind: 'insurance' });
  const [pending, handedIn, corrected, withPdf, approved] = [
    await visa(),
    await visa(),
    await visa(),
    await visa(),
    await visa(),
  ];
  const start = (one: Application) =>
    decideApplication(platform, aydin, { kind: 'start_processing', applicationId: one.id });
  for (const one of [handedIn, corrected, withPdf]) await start(one);
  const fields = ['passportNumber'];
  await askCorrection(platform, aydin, { applicationId: corrected.id, fields, note: 'Check.' });
  await answerCorrection(platform, corrected.id, { passportNumber: 'U7654321' });
  await upload(platform, aydin, goodPdf(), { draftFor: withPdf.id });
  await decideApplication(platform, aydin, { kind: 'approve', applicationId: approved.id });
  await makeApplication(platform, { paid: false });
  const lists = {
    hand_in: [pending, corrected],
    at_authority: [handedIn],
    to_deliver: [withPdf, approved],
  };
  const looking = { staffId: aydin.id, now: platform.now() };
  const numbers = async (query: string, kind: QueueKind = 'visa') => {
    const filter = readFilter(new URLSearchParams(query), kind, null);
    const { rows } = await queuePage(platform.db, filter, looking);
    return rows.map(({ number }) => number).toSorted();
  };
  for (const [show, cases] of Object.entries(lists))
    expect(await numbers(`show=${show}`), show).toEqual(
      cases.map(({ number }) => number).toSorted(),
    );
  expect(await numbers('show=hand_in', 'insurance')).toEqual([toDecide.number]);
  for (const show of ['at_authority', 'to_deliver'])
    expect(await numbers(`show=${show}`, 'insurance')).toEqual([]);
  expect(await countWorkLists(platform.db, platform.now())).toEqual({
    visa: { hand_in: 2, at_authority: 1, to_deliver: 2, put_off: 0 },
    insurance: { hand_in: 1, put_off: 0 },
    toChase: 0,
  });
});

type Step = { who: 0 | 1; does: 'next' | 'look' | 'decide' | 'take' } | { who: null; does: 'both' };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    who: fc.constantFrom(0 as const, 1 as const),
    does: fc.constantFrom('next' as const, 'look' as const, 'decide' as const, 'take' as const),
  }),
  fc.constant({ who: null, does: 'both' } as const),
);

test('whatever two people do, no case is in two hands, and nobody is led to one twice in a round', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      platform = await makeTestPlatform();
      const people = [
        await storeStaff(platform, { name: 'E. Aydın' }),
        await storeStaff(platform, { name: 'D. Kaya' }),
      ] as const;
      const cases = await storeCases(5, (index) => ({
        kind: index % 2 === 0 ? 'visa' : 'insurance',
      }));
      const byNumber = new Map(cases.map((one) => [one.number, one]));
      const led: string[][] = [[], []];
      const open: (Application | null)[] = [null, null];
      const next = async (who: 0 | 1) => {
        const got = await nextNumber(platform, people[who], '', { not: open[who]?.id ?? null });
        open[who] = byNumber.get(got) ?? null;
        if (open[who]) led[who]?.push(got);
        return got;
      };
      for (const one of steps) {
        if (one.who === null) {
          const [mine, theirs] = await Promise.all([next(0), next(1)]);
          if (byNumber.has(mine)) expect(mine).not.toBe(theirs);
        } else if (one.does === 'next') await next(one.who);
        else if (one.does === 'look') open[one.who] = at(cases, steps.length % cases.length);
        else if (one.does === 'take') {
          const found = open[one.who];
          if (found) await claimApplication(platform, people[one.who], found.id);
        } else {
          const found = open[one.who];
          const decision = { kind: 'reject', code: 'duplicate' } as const;
          if (found)
            await decideApplication(platform, people[one.who], {
              ...decision,
              applicationId: found.id,
            });
          open[one.who] = null;
        }
        const held = await validClaims(
          platform.db,
          cases.map(({ id }) => id),
          platform.now(),
        );
        for (const who of [0, 1] as const) {
          const mine = led[who]?.at(-1);
          const found = byNumber.get(mine ?? '');
          if (found && open[who] === found && one.does === 'next' && one.who === who)
            expect(held.get(found.id)?.staffId).toBe(people[who].id);
        }
      }
      for (const numbers of led) expect(new Set(numbers).size).toBe(numbers.length);
    }),
    { numRuns: 8 },
  );
});
