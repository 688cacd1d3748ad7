import { beforeAll, describe, expect, test } from 'vitest';
import {
  readInsuranceDetails,
  replaceInsuranceDetails,
} from '~/features/insurance/store/store.server.ts';
import { auditEntriesBySubject } from '~/features/staff/store.server.ts';
import { replaceVisaDetails, readVisaDetails } from '~/features/visa/store/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { storeStaff } from './testing/case-store.server.ts';
import { dismissDuplicate, duplicateMarks, findDuplicates } from './duplicates.server.ts';
import {
  makeInsurance,
  makeApplication,
  type ApplicationOptions,
  makePayment,
  makeOrder,
  seedSales,
  type Traveller,
} from '../../../../test/make.ts';
import { needed } from '../../../../test/needed.ts';

const platform = await makeTestPlatform();
const { db, sealer } = platform;
const staff = await storeStaff(platform, { name: 'E. Aydın' });

/** For orders of several travellers, at the time of the sample's answers. */
const families = await makeTestPlatform({ now: NOW });
const clerk = await storeStaff(families);
beforeAll(() => seedSales(families));

let people = 0;
/** A traveller who resembles no other. */
const somebody = () => ({
  email: `p${++people}@example.org`,
  passportNumber: `P${String(people).padStart(8, '0')}`,
});
const store = (given: ApplicationOptions) => makeApplication(platform, given);

/** Ids and reasons of duplicates that are not dismissed. */
const warnings = async (id: string) =>
  (await findDuplicates(platform, id))
    .filter(({ dismissal }) => !dismissal)
    .map(({ trip, reasons }) => [trip.id, reasons]);
const dismiss = (applicationId: string, otherId: string, typed = 'Twins') =>
  dismissDuplicate(platform, staff, { applicationId, otherId, typed });

async function correctPassport(applicationId: string, passportNumber: string) {
  const details = needed(await readVisaDetails(db, sealer, applicationId));
  await db.transaction((tx) => replaceVisaDetails(tx, sealer, { ...details, passportNumber }));
}

describe('a possible duplicate', () => {
  test('is found from both sides, by passport and by e-mail', async () => {
    const one = somebody();
    const a = await store(one);
    const b = await store({ ...one, email: one.email.toUpperCase() });
    expect(await warnings(a.id)).toEqual([[b.id, expect.arrayContaining(['email'])]]);
    expect(await warnings(b.id)).toEqual([[a.id, expect.arrayContaining(['email'])]]);
    expect(await duplicateMarks(db, [a.id, b.id])).toEqual(new Set([a.id, b.id]));
  });

  test('is no warning while it is not paid; the unpaid one is warned of the paid one', async () => {
    const one = somebody();
    const paid = await store(one);
    const unpaid = await store({ ...one, paid: false });
    expect(await warnings(paid.id)).toEqual([]);
    expect(await warnings(unpaid.id)).toHaveLength(1);
    expect(await duplicateMarks(db, [paid.id, unpaid.id])).toEqual(new Set([unpaid.id]));
  });

  test('is found across a correction, by the passport named before and by the one named now', async () => {
    const one = somebody();
    const a = await store(one);
    await correctPassport(a.id, 'Q00000001');
    const sameAsBefore = await store({ ...somebody(), passportNumber: 'Q00000009' });
    await correctPassport(sameAsBefore.id, 'Q00000001');
    expect(await warnings(a.id)).toEqual([[sameAsBefore.id, ['passport']]]);
    const b = await store({ ...somebody(), passportNumber: 'Q00000002' });
    await correctPassport(b.id, 'Q00000003');
    const c = await store({ ...somebody(), passportNumber: 'Q00000004' });
    await correctPassport(c.id, 'Q00000002');
    expect(await warnings(b.id)).toEqual([[c.id, ['passport_before']]]);
    expect(await warnings(c.id)).toEqual([[b.id, ['passport_before']]]);
  });

  test('of an insurance is another insurance, by passport and trip', async () => {
    const first = await makeInsurance(platform);
    const second = await makeInsurance(platform);
    await platform.pool.query('update application set paid_at = now() where id = any($1)', [
      [first.id, second.id],
    ]);
    expect((await warnings(first.id)).map(([id]) => id)).toEqual([second.id]);
    const details = needed(await readInsuranceDetails(db, sealer, first.id));
    const corrected = { ...details, passportNumber: 'Q00000005' };
    await db.transaction((tx) => replaceInsuranceDetails(tx, sealer, corrected));
    expect((await warnings(first.id)).map(([, reasons]) => reasons)).toEqual([
      expect.arrayContaining(['passport_before']),
    ]);
  });
});

describe('dismissed', () => {
  test('the warning ends for both, with who and why, sealed and written down on both', async () => {
    const one = somebody();
    const [a, b] = [await store(one), await store(one)];
    expect(await dismiss(a.id, b.id, 'Twins, passports seen')).toMatchObject({ ok: true });
    expect([await warnings(a.id), await warnings(b.id)]).toEqual([[], []]);
    expect(await duplicateMarks(db, [a.id, b.id])).toEqual(new Set());
    const [kept] = await findDuplicates(platform, b.id);
    expect(kept?.dismissal).toMatchObject({ staffId: staff.id, why: 'Twins, passports seen' });
    for (const { id } of [a, b]) {
      const trail = await auditEntriesBySubject(db, { kind: 'application', id });
      expect(trail).toMatchObject([{ action: 'duplicate_dismissed', staffId: staff.id }]);
      expect(JSON.stringify(trail)).not.toContain('Twins');
    }
  });

  test('a third one is still a warning', async () => {
    const one = somebody();
    const [a, b, c] = [await store(one), await store(one), await store(one)];
    await dismiss(a.id, b.id);
    expect((await warnings(a.id)).map(([id]) => id)).toEqual([c.id]);
    expect(await warnings(c.id)).toHaveLength(2);
  });

  test('it comes back when a fact changes, and only then', async () => {
    const one = somebody();
    const a = await store(one);
    const b = await store({ ...one, passportNumber: 'R00000001' });
    expect(await warnings(a.id)).toEqual([[b.id, ['email']]]);
    await dismiss(b.id, a.id);
    await platform.pool.query(`update application set phone = '1' where id = $1`, [b.id]);
    expect(await warnings(a.id)).toEqual([]);
    await platform.pool.query(
      'update visa_application set stay_days = 60 where application_id = $1',
      [b.id],
    );
    expect(await warnings(a.id)).toHaveLength(1);
  });

  test('by two at once is one dismissal', async () => {
    const one = somebody();
    const [a, b] = [await store(one), await store(one)];
    const both = await Promise.all([dismiss(a.id, b.id), dismiss(b.id, a.id)]);
    expect(both).toMatchObject([{ ok: true }, { ok: true }]);
    const trail = await auditEntriesBySubject(db, { kind: 'application', id: a.id });
    expect(trail).toHaveLength(1);
  });

  test('needs a reason, and two that look alike', async () => {
    const one = somebody();
    const [a, b] = [await store(one), await store(one)];
    expect(await dismiss(a.id, b.id, '  ')).toEqual({ ok: false, error: 'empty_why' });
    const stranger = await store(somebody());
    expect(await dismiss(a.id, stranger.id)).toMatchObject({ error: 'unknown_duplicate' });
  });
});

test('the page warns with a link and why, and the queue’s row is marked', async () => {
  const desk = await makeTestPlatform();
  const app = makeTestApp(desk);
  const { cookie } = await storeStaff(desk);
  const [a, b] = [await makeApplication(desk), await makeApplication(desk)];
  const get = async (path: string) => (await app.request(path, { headers: { cookie } })).text();
  const path = `/admin/applications/${a.number}`;
  const html = await get(path);
  expect(html).toContain('Possible duplicate<');
  expect(html).toContain(
    '<p>Same passport, dates overlap</p><p>Same email address and same first day</p>',
  );
  expect(html).toContain(`/admin/applications/${b.number}#application`);
  expect(html.match(/>possible duplicate</g)).toHaveLength(2);
  const why = { [`dismiss_duplicate-${b.id}`]: 'A second entry' };
  const body = new URLSearchParams({ intent: 'dismiss_duplicate', about: b.id, ...why });
  const response = await app.request(path, { method: 'POST', headers: { cookie }, body });
  expect(response.headers.get('location')).toBe(`${path}?done=duplicate_dismissed#application`);
  const after = await get(path);
  expect(after).not.toContain('Possible duplicate<');
  expect(after).toContain(': A second entry');
});

describe('travellers of one order', () => {
  const family = async (travellers: readonly Traveller[]) => {
    const { email } = somebody();
    const theirs = travellers.map((one) => ({ email, ...one }));
    const { order, visas } = await makeOrder(families, { travellers: theirs });
    await makePayment(families, order);
    return visas;
  };
  const warned = async ({ id }: { id: string }) =>
    (await findDuplicates(families, id)).map(({ trip, reasons }) => [trip.number, reasons]);

  test('are no duplicates for sharing an e-mail and a first day, nor a birth date', async () => {
    const visas = await family([
      { firstName: 'Anna' },
      { firstName: 'Bela' },
      { firstName: 'Carl' },
    ]);
    expect(new Set(visas.map(({ email }) => email)).size).toBe(1);
    for (const visa of visas) expect(await warned(visa)).toEqual([]);
    expect(
      await duplicateMarks(
        families.db,
        visas.map(({ id }) => id),
      ),
    ).toEqual(new Set());
  });

  test('with one name typed in two ways are reported', async () => {
    const visas = await family([
      { firstName: 'Seán', lastName: "O'Brien-Müller", passportNumber: 'PSEAN8' },
      { firstName: 'Sean', lastName: 'O’Brien Müller', passportNumber: 'PSEAN9' },
    ]);
    const [one, other] = visas.map(needed);
    if (!one || !other) throw new Error('Nobody');
    expect(await warned(one)).toEqual([[other.number, ['person']]]);
  });

  test('with the same name and birth date are reported, with two passports as well', async () => {
    const visas = await family([
      { firstName: 'Dora' },
      { firstName: 'Emil' },
      { firstName: 'DORA', passportNumber: 'PDORA9' },
    ]);
    const [dora, emil, again] = visas.map(needed);
    if (!dora || !emil || !again) throw new Error('Nobody');
    expect(await warned(dora)).toEqual([[again.number, ['person']]]);
    expect(await warned(again)).toEqual([[dora.number, ['person']]]);
    expect(await warned(emil)).toEqual([]);
    await dismissDuplicate(families, clerk, {
      applicationId: dora.id,
      otherId: again.id,
      typed: 'Cousins',
    });
    expect(await duplicateMarks(families.db, [dora.id, again.id])).toEqual(new Set());
  });

  test('are reported besides the same e-mail and first day in another order', async () => {
    const [first] = await family([
      { firstName: 'Fritz', email: 'fritz@example.org' },
      { firstName: 'Gina', email: 'fritz@example.org' },
    ]);
    const [other] = await family([{ firstName: 'Hans', email: 'fritz@example.org' }]);
    expect(await warned(needed(first))).toEqual([[needed(other).number, ['email']]]);
    expect(await warned(needed(other))).toHaveLength(2);
  });
});
