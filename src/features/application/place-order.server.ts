import { randomBytes, randomUUID } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import { add, type Money } from '~/base/money.ts';
import { type NewLine, newOrder, orderTotal, type Order } from '~/features/order/store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { areSettingsCurrentSql } from '~/features/settings/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { conditionSql, storeRows, type NewRow } from '~/platform/postgres/store-together.server.ts';
import { fullName } from './full-name.ts';
import { makeNumber, prefixes } from './number.ts';
import { applicationRows, type SharedAnswers } from './store.server.ts';
import { application } from './tables.server.ts';

/** Two equal draws of 60 random bits practically never happen; a hundred in a row mean a broken random source. */
const MAX_TRIES = 100;

/** An application that is ordered, without numbers and without an order yet. */
export type OrderedApplication = {
  kind: 'visa' | 'insurance';
  person: SharedAnswers;
  /** What it costs. */
  lines: readonly Omit<NewLine, 'applicationNumber'>[];
  /** The row of its own answers. */
  details: (applicationId: string) => NewRow;
};

/** What one traveller orders: a visa, an insurance, or a visa and the insurance beside it. */
export type OrderedTraveller = readonly [OrderedApplication, ...OrderedApplication[]];

type PlacedApplication = Pick<OrderedApplication, 'kind'> & {
  id: string;
  number: string;
  /** Which traveller of the order, from 1. */
  travellerPosition: number;
};

/** Travellers first, a visa before its insurance. */
export type PlacedOrder = {
  order: Order;
  totalAmount: Money;
  applications: readonly [PlacedApplication, ...PlacedApplication[]];
};

/** What it costs in all. */
export const applicationAmount = ({ lines }: Pick<OrderedApplication, 'lines'>): Money =>
  add(...lines.map(({ amount }) => amount));

/** What travellers have to pay together. */
export const amountDue = (travellers: readonly OrderedTraveller[]): Money =>
  add(...travellers.flat().map(applicationAmount));

export type PlacementFacts = {
  language: string;
  /** The browser's, so that a payment call without a reference finds its order. */
  sessionHash: Buffer | null;
  now: Date;
  /** The settings whose prices are charged: nothing is stored once there are newer ones. */
  settings?: Settings;
  /**
   * A query of one row or none, and then nothing is stored; it gets the first application's number and must contain
   * `and`.
   */
  only?: (number: string, and: SQL) => SQL;
  /** A cryptographic source; tests pass their own. */
  random?: (size: number) => Uint8Array;
};

/**
 * Stores the applications of one to ten travellers and their order, in one statement: all or nothing. The first traveller
 * pays. An order of one application has that application's number, one of several a number of its own. Where a number
 * is taken others are tried; null where newer settings exist or `only` does not hold. Two processes that draw one number
 * at the same moment fail on its unique constraint.
 */
export async function placeOrder(
  db: Queryable,
  travellers: readonly OrderedTraveller[],
  {
    language,
    sessionHash,
    now,
    settings,
    only = (_, and) => conditionSql(and),
    random = randomBytes,
  }: PlacementFacts,
): Promise<PlacedOrder | null> {
  const payer = travellers[0]?.[0].person;
  if (!payer) throw new Error('An order without travellers');
  const customer = { name: fullName(payer), email: payer.email };
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const applications = travellers.flatMap((ordered, index) =>
      ordered.map((one) => ({
        ...one,
        id: randomUUID(),
        number: makeNumber(prefixes[one.kind], random(12)),
        travellerPosition: index + 1,
      })),
    );
    const [first, ...others] = applications;
    if (!first) throw new Error('An order without applications');
    const number = others.length === 0 ? first.number : makeNumber(prefixes.group, random(12));
    const lines = applications.flatMap((one) =>
      one.lines.map((line) => ({ ...line, applicationNumber: one.number })),
    );
    const { order, rows } = newOrder({ number, language, customer, sessionHash, lines }, now);
    const isTaken = takenSql(applications.map((one) => one.number));
    const isCurrent = settings ? areSettingsCurrentSql(settings) : sql`true`;
    const isStored = await storeRows(db, {
      only: only(first.number, sql`not ${isTaken} and ${isCurrent}`),
      rows: [
        ...applications.flatMap(({ id, kind, number: own, travellerPosition, ...one }) => [
          ...applicationRows({
            id,
            kind,
            number: own,
            language,
            ...one.person,
            orderNumber: number,
            travellerPosition,
            amountMinor: applicationAmount(one).minor,
            currency: applicationAmount(one).currency,
            createdAt: now,
          }),
          one.details(id),
        ]),
        ...rows,
      ],
    });
    if (isStored)
      return { order, totalAmount: orderTotal(order), applications: [first, ...others] };
    const { rows: taken } = await db.execute(sql`select 1 where ${isTaken}`);
    if (taken.length === 0) return null;
  }
  throw new Error('Every number that was drawn is taken');
}

const takenSql = (numbers: string[]): SQL =>
  sql`exists (select 1 from ${application} where ${application.number} = any(${sql.param(numbers)}))`;
