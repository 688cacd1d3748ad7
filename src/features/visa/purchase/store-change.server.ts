import { add, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { moveEmail } from '~/features/application/move-email.server.ts';
import {
  lockApplication,
  applicationByNumber,
  applicationsOfOrder,
  changeApplication,
} from '~/features/application/store.server.ts';
import { insuranceOf } from '~/features/application/travellers.ts';
import {
  changeOrder,
  lockUnpaid,
  lockPayments,
} from '~/features/order/payer/change-order.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import { linesOf, type NewLine } from '~/features/order/order-lines-store.server.ts';
import { replaceLines } from '~/features/order/replace-lines.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { AddOn } from './add-on.server.ts';
import { quote, type PriceList } from '../rules/price-list.ts';
import { replaceVisaDetails } from '../store/store.server.ts';
import {
  customerOf,
  detailsOf,
  givenIn,
  personOf,
  travellerOf,
  visaLines,
  type VisaInput,
} from './submit.server.ts';
import type { ChangeRefusal } from '~/features/application/find-change.server.ts';

export type Change = {
  language: string;
  /** Of the browser that submits. */
  sessionHash: Buffer | null;
  now: Date;
  prices: PriceList;
  /** The insurance in the order: a choice, or none; null where there is nothing to choose. */
  chosenAddOn: { addOn: AddOn; choice: string | null } | null;
};

/**
 * Stores new answers of an unpaid application under its number, with its order at the prices of this moment. Nothing is
 * changed where it is refused. `hasMoved`: the email address changed.
 * @throws Error for an insurance that was not on offer, so that nothing is stored.
 */
export async function storeChange(
  tx: Transaction,
  sealer: Sealer,
  number: string,
  input: VisaInput,
  { language, sessionHash, now, prices, chosenAddOn }: Change,
): Promise<Outcome<{ totalAmount: Money; hasMoved: boolean }, ChangeRefusal>> {
  const known = await applicationByNumber(tx, number);
  if (!known) return refused('unknown');
  await lockPayments(tx, known.orderNumber);
  const together = await applicationsOfOrder(tx, known.orderNumber);
  const beside = insuranceOf(together, known);
  if (beside && chosenAddOn) await chosenAddOn.addOn.lock(tx, beside.id);
  for (const { id } of together) await lockApplication(tx, id);
  const held = await lockUnpaid(tx, known.orderNumber);
  if (!held.ok) return held;
  if (!(await isPayer(tx, sessionHash, held.value))) return refused('not_payer');
  const application = await applicationByNumber(tx, number);
  if (application?.status !== 'pending') return refused('decided');

  const { total } = quote(prices, input.path, givenIn(input.values)('processingType'));
  const before = await linesOf(tx, held.value.id);
  const person = personOf(input);
  const hasMoved = await moveEmail(tx, {
    applicationId: application.id,
    email: person.email,
    order: held.value,
    sessionHash,
    now,
  });
  await changeApplication(
    tx,
    application.id,
    { ...person, language, amountMinor: total.minor, currency: total.currency },
    now,
  );
  await replaceVisaDetails(tx, sealer, detailsOf(input, application.id));
  const besideLines: NewLine[] = [];
  if (beside && chosenAddOn?.choice) {
    const taken = {
      traveller: travellerOf(input),
      arrivalDate: person.startsOn,
      choice: chosenAddOn.choice,
      orderNumber: held.value.number,
    };
    const changed = await chosenAddOn.addOn.change(tx, sealer, beside.id, taken, { language, now });
    if (!changed.ok) throw new Error(`The add-on is refused: ${changed.error}`);
    besideLines.push(changed.value.line);
  } else if (beside && chosenAddOn) await chosenAddOn.addOn.drop(tx, beside.id);
  const replaced = chosenAddOn && beside ? [number, beside.number] : [number];
  const lines = replaceLines(before, replaced, [
    ...visaLines(input, prices, number),
    ...besideLines,
  ]);
  // The first of several travellers pays, whoever's answers are changed.
  const isPayers = application.travellerPosition === 1;
  const customer = isPayers
    ? customerOf(input)
    : { name: held.value.customerName, email: held.value.customerEmail };
  await changeOrder(tx, held.value, { language, customer, by: sessionHash, lines }, now);
  const [first, ...rest] = lines;
  if (!first) throw new Error('An order without lines');
  return ok({
    totalAmount: add(first.amount, ...rest.map(({ amount }) => amount)),
    hasMoved,
  });
}
