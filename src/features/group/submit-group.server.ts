import { randomBytes } from 'node:crypto';
import { add, type Money } from '~/base/money.ts';
import { makeNumber, prefixes } from '~/features/application/number.ts';
import { insuranceForVisa } from '~/features/insurance/purchase/with-visa.server.ts';
import type { OnSale } from '~/features/insurance/store/on-sale.server.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import { newOrder } from '~/features/order/new-order-store.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { settingsAreStill } from '~/features/settings/store.server.ts';
import {
  customerOf,
  inputOf,
  newVisa,
  personOf,
  travellerOf,
} from '~/features/visa/purchase/submit.server.ts';
import { visaPricesAt } from '~/features/visa/store/prices.server.ts';
import {
  onlyWhere,
  storeTogether,
  type NewRow,
} from '~/platform/postgres/store-together.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { isChild, type CheckedTraveller } from './check-group.ts';

export type GroupSubmission = {
  language: string;
  /** The browser's, so that a payment call without a reference finds its order. */
  sessionHash: Buffer | null;
  now: Date;
  /** The settings whose prices are charged: nothing is stored once there are newer ones. */
  settings: Settings;
  /** The insurance plans and terms at this moment. */
  sold: OnSale;
};

type Made = {
  applicationNumber: string;
  /** The insurance; null without one. */
  insurance: { id: string; applicationNumber: string; needsPhotos: boolean } | null;
  amount: Money;
  lines: readonly NewLine[];
  rows: readonly NewRow[];
};

/** The new order, and for each traveller the numbers and their sum, in order. */
export type GroupMade = { order: Order; totalAmount: Money; travellers: readonly Made[] };

/** The ids of the insurances of children, in the order of travellers. */
export const childrenInsurances = ({ travellers }: Pick<GroupMade, 'travellers'>): string[] =>
  travellers.flatMap(({ insurance }) => (insurance?.needsPhotos ? [insurance.id] : []));

/**
 * An order of checked travellers at current prices, not stored yet. The first traveller pays. An order of one
 * application has that application's number, one of several a number of its own.
 * @throws Error without travellers, or for an insurance that is no longer sold.
 */
export function newGroup(
  sealer: Sealer,
  travellers: readonly CheckedTraveller[],
  { language, sessionHash, now, settings, sold }: GroupSubmission,
): GroupMade & Pick<ReturnType<typeof newOrder>, 'rows'> {
  const prices = visaPricesAt(settings, now);
  const isOne = travellers.length === 1 && travellers[0]?.plan === null;
  // Not checked before: a number that is taken, practically impossible with 60 random bits, rolls the statement back.
  const ownNumber = makeNumber(prefixes.visa, randomBytes(12));
  const orderNumber = isOne ? ownNumber : makeNumber(prefixes.group, randomBytes(12));
  const made = travellers.map(({ values, checkContext, zone, plan }, index): Made => {
    const input = inputOf(values, checkContext, zone);
    const number = index === 0 ? ownNumber : makeNumber(prefixes.visa, randomBytes(12));
    const travellerPosition = index + 1;
    const about = { number, orderNumber, travellerPosition, language, prices, now };
    const visa = newVisa(sealer, input, about);
    const whole = { applicationNumber: number, insurance: null, ...visa };
    if (!plan) return whole;
    const needsPhotos = isChild(values);
    const added = insuranceForVisa(
      sealer,
      sold,
      {
        traveller: travellerOf(input),
        arrivalDate: personOf(input).startsOn,
        planId: plan.id,
        orderNumber,
        travellerPosition,
        hasParentId: needsPhotos,
      },
      { language, now },
    );
    if (!added.ok) throw new Error(`Not to be insured: ${added.error}`);
    const { id, applicationNumber, line, rows } = added.value;
    return {
      ...whole,
      insurance: { id, applicationNumber, needsPhotos },
      amount: add(visa.amount, line.amount),
      lines: [...visa.lines, line],
      rows: [...visa.rows, ...rows],
    };
  });
  const [first, ...rest] = made;
  const [payer] = travellers;
  if (!first || !payer) throw new Error('A group without travellers');
  const placed = newOrder(
    {
      number: orderNumber,
      language,
      customer: customerOf(inputOf(payer.values, payer.checkContext)),
      sessionHash,
      lines: made.flatMap(({ lines }) => lines),
    },
    now,
  );
  return {
    order: placed.order,
    totalAmount: add(first.amount, ...rest.map(({ amount }) => amount)),
    travellers: made,
    rows: [...made.flatMap(({ rows }) => rows), ...placed.rows],
  };
}

/** Stores a group completely; returns false and stores nothing where newer settings than its own exist. */
export const storeGroup = (
  db: Queryable,
  { rows }: Pick<ReturnType<typeof newGroup>, 'rows'>,
  settings: Settings,
): Promise<boolean> => storeTogether(db, { only: onlyWhere(settingsAreStill(settings)), rows });
