import { randomBytes } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { noSettings } from '~/features/settings/change.ts';
import { onlyWhere } from '~/platform/postgres/store-together.server.ts';
import { costOf } from '../../../../test/statements/count-statements.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { check } from '../rules/check.ts';
import { completeAnswers, countries, NOW } from '../testing/sample-answers.ts';
import { parseZone } from '../passport-reader/zone.ts';
import { visaDetailsOf } from '../store/store.server.ts';
import { inputOf, submit } from './submit.server.ts';

const { db, sealer } = await makeTestPlatform({ now: NOW, database: await useDatabase() });
const checkContext = { now: NOW, country: countries.southAfrica, office: firstOffice, readPhone };
const { values } = check(completeAnswers(countries.southAfrica), checkContext);
const sale = { db, settings: noSettings, now: NOW };
const only = (_: string, and: SQL) => onlyWhere(and);
const submission = { language: 'en', sessionHash: null, sale, only };
const input = inputOf(values, checkContext);

/** The number of rows in all tables that a submission may fill. */
async function stored() {
  const { rows } = await db.execute<Record<string, number>>(sql`select
    (select count(*)::int from application) as applications,
    (select count(*)::int from application_event) as events,
    (select count(*)::int from visa_application) as details,
    (select count(*)::int from purchase_order) as orders,
    (select count(*)::int from order_line) as lines`);
  return rows[0];
}

describe('submit', () => {
  it('takes another number where the first is taken', async () => {
    const same = randomBytes(12);
    const other = randomBytes(12);
    const first = await submit(db, sealer, input, { ...submission, random: () => same });
    const draws = [same, same, other];
    const second = await submit(db, sealer, input, {
      ...submission,
      random: () => draws.shift() ?? other,
    });
    expect(second?.applicationNumber).not.toBe(first?.applicationNumber);
    expect(draws).toEqual([]);
    for (const made of [first, second]) {
      const details = await visaDetailsOf(db, sealer, made?.id ?? '');
      expect(details).toMatchObject({ passportNumber: 'A01234567' });
    }
  });

  it('stores everything by one statement, also inside a transaction', async () => {
    const before = await stored();
    const { answer, cost } = await costOf(() => submit(db, sealer, input, submission));
    expect(cost).toMatchObject({ commits: 1, statements: [expect.anything()] });
    await db.transaction((tx) => submit(tx, sealer, input, submission));
    expect(await stored()).toEqual({
      applications: (before?.applications ?? 0) + 2,
      events: (before?.events ?? 0) + 2,
      details: (before?.details ?? 0) + 2,
      orders: (before?.orders ?? 0) + 2,
      lines: (before?.lines ?? 0) + 4,
    });
    expect(answer?.order).toEqual(await orderByNumber(db, answer?.applicationNumber ?? ''));
  });

  it('stores what was read from the passport sealed, beside what was typed', async () => {
    const zone = parseZone('ZAF|NKOSI|THANDI||A01234567|1990-05-17|2032-02-28');
    const made = await submit(db, sealer, inputOf(values, checkContext, zone), submission);
    const id = made?.id ?? '';
    expect(zone).not.toBeNull();
    expect((await visaDetailsOf(db, sealer, id))?.zone).toEqual(zone);
    const { rows } = await db.execute<{ sealed: Buffer }>(
      sql`select machine_readable_zone as sealed from visa_application where application_id = ${id}`,
    );
    expect(rows[0]?.sealed.includes('NKOSI')).toBe(false);
    const typed = await submit(db, sealer, input, submission);
    expect((await visaDetailsOf(db, sealer, typed?.id ?? ''))?.zone).toBeNull();
  });

  it('stores nothing once the settings are newer, or where its condition does not hold', async () => {
    const before = await stored();
    const older = { ...sale, settings: { ...noSettings, version: -1 } };
    expect(await submit(db, sealer, input, { ...submission, sale: older })).toBeNull();
    const never = (_: string, and: SQL) => onlyWhere(sql`${and} and false`);
    expect(await submit(db, sealer, input, { ...submission, only: never })).toBeNull();
    expect(await stored()).toEqual(before);
  });

  it('stores nothing at all where one of its rows cannot be stored', async () => {
    const before = await stored();
    const broken = { ...input, values: { ...input.values, passportIssueDate: 'never' } };
    await expect(
      submit(db, sealer, JSON.parse(JSON.stringify(broken)), submission),
    ).rejects.toThrow('Failed query');
    expect(await stored()).toEqual(before);
  });

  it('throws rather than store what was not checked', async () => {
    const { email: _, ...rest } = values;
    await expect(submit(db, sealer, inputOf(rest, checkContext), submission)).rejects.toThrow(
      'email',
    );
    expect(() => inputOf(values, { country: countries.cuba })).toThrow('No e-visa');
  });
});
