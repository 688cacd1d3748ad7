import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { firstOffice } from '~/base/dates/office.ts';
import {
  amountDue,
  placeOrder,
  type PlacementFacts,
} from '~/features/application/place-order.server.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { plans } from '~/features/insurance/rules/plans.ts';
import { readPlansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { linesByOrder, orderByNumber } from '~/features/order/store.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { conditionSql } from '~/platform/postgres/store-together.server.ts';
import { countCost } from '../../../../test/statements/count-statements.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { check } from '../rules/check.ts';
import { completeAnswers, countries, NOW } from '../testing/sample-answers.ts';
import { parseZone } from '../passport-reader/zone.ts';
import { readVisaDetails } from '../store/store.server.ts';
import { firstPriceList } from '../testing/first-price-list.ts';
import { toVisaInput, orderedTraveller } from './submit.server.ts';

const { db, sealer } = await makeTestPlatform({ now: NOW, database: await useDatabase() });
const checkContext = { now: NOW, country: countries.southAfrica, office: firstOffice, readPhone };
const { values } = check(completeAnswers(countries.southAfrica), checkContext);
await seedAll(db, [seedInsurance], NOW);
const current = await currentSettings(db);
const about = { prices: firstPriceList, terms: null };
const submission = { language: 'en', sessionHash: null, now: NOW, settings: current };
const input = toVisaInput(values, checkContext);
const submit = async (to: Queryable, what = input, changes: Partial<PlacementFacts> = {}) => {
  const ordered = [orderedTraveller(sealer, what, null, about)];
  return placeOrder(to, ordered, { ...submission, ...changes });
};

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
    const first = await submit(db, input, { random: () => same });
    const draws = [same, same, other];
    const second = await submit(db, input, { random: () => draws.shift() ?? other });
    expect(second?.applications[0].number).not.toBe(first?.applications[0].number);
    expect(draws).toEqual([]);
    for (const made of [first, second]) {
      const details = await readVisaDetails(db, sealer, made?.applications[0].id ?? '');
      expect(details).toMatchObject({ passportNumber: 'A01234567' });
    }
  });

  it('stores everything by one statement, also inside a transaction', async () => {
    const before = await stored();
    const { answer, cost } = await countCost(() => submit(db));
    expect(cost).toMatchObject({ commits: 1, statements: [expect.anything()] });
    await db.transaction((tx) => submit(tx));
    expect(await stored()).toEqual({
      applications: (before?.applications ?? 0) + 2,
      events: (before?.events ?? 0) + 2,
      details: (before?.details ?? 0) + 2,
      orders: (before?.orders ?? 0) + 2,
      lines: (before?.lines ?? 0) + 4,
    });
    expect(answer?.order).toEqual(await orderByNumber(db, answer?.applications[0].number ?? ''));
  });

  it('stores what was read from the passport sealed, beside what was typed', async () => {
    const zone = parseZone('ZAF|NKOSI|THANDI||A01234567|1990-05-17|2032-02-28');
    const made = await submit(db, toVisaInput(values, checkContext, zone));
    const id = made?.applications[0].id ?? '';
    expect(zone).not.toBeNull();
    expect((await readVisaDetails(db, sealer, id))?.zone).toEqual(zone);
    const { rows } = await db.execute<{ sealed: Buffer }>(
      sql`select machine_readable_zone as sealed from visa_application where application_id = ${id}`,
    );
    expect(rows[0]?.sealed.includes('NKOSI')).toBe(false);
    const typed = await submit(db);
    expect((await readVisaDetails(db, sealer, typed?.applications[0].id ?? ''))?.zone).toBeNull();
  });

  it('stores travellers with their insurances in one order, each under its own number', async () => {
    const [, , plan] = plans;
    const { terms } = await readPlansOnSale(db, current, NOW);
    const beside = { ...about, terms };
    const both = [
      orderedTraveller(sealer, input, plan, beside),
      orderedTraveller(sealer, input, null, beside),
    ];
    const placed = await placeOrder(db, both, submission);
    const { number = '', id = '' } = placed?.order ?? {};
    expect(number).toMatch(/^TRG/);
    expect(placed?.totalAmount).toEqual(amountDue(both));
    const together = await applicationsByOrder(db, number);
    expect(together.map((one) => [one.kind, one.travellerPosition, one.service])).toEqual([
      ['visa', 1, 'standard'],
      ['insurance', 1, '30-days'],
      ['visa', 2, 'standard'],
    ]);
    expect(placed?.applications.map((one) => one.number)).toEqual(
      together.map((one) => one.number),
    );
    const lines = await linesByOrder(db, id);
    expect(lines.map(({ code, amountMinor }) => [code, amountMinor])).toEqual([
      ['evisa_fee', 69_00],
      ['processing_fee', 25_00],
      ['insurance_plan', 189_00],
      ['evisa_fee', 69_00],
      ['processing_fee', 25_00],
    ]);
  });

  it('stores nothing once the settings are newer, or where its condition does not hold', async () => {
    const before = await stored();
    const settings = { ...current, version: -1 };
    expect(await submit(db, input, { settings })).toBeNull();
    const only: PlacementFacts['only'] = (_, and) => conditionSql(sql`${and} and false`);
    expect(await submit(db, input, { only })).toBeNull();
    expect(await stored()).toEqual(before);
  });

  it('stores nothing at all where one of its rows cannot be stored', async () => {
    const before = await stored();
    const broken = { ...input, values: { ...input.values, passportIssueDate: 'never' } };
    await expect(submit(db, JSON.parse(JSON.stringify(broken)))).rejects.toThrow('Failed query');
    expect(await stored()).toEqual(before);
  });

  it('throws rather than store what was not checked', async () => {
    const { email: _, ...rest } = values;
    await expect(submit(db, toVisaInput(rest, checkContext))).rejects.toThrow('email');
    expect(() => toVisaInput(values, { country: countries.cuba })).toThrow('No e-visa');
  });
});
