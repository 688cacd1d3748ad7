import { add, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { moveEmail } from '~/features/application/change-email.server.ts';
import {
  lockApplication,
  applicationByNumber,
  applicationsOfOrder,
  changeApplication,
} from '~/features/application/store.server.ts';
import { fullName } from '~/features/application/full-name.ts';
import { amountOf } from '~/features/application/place-order.server.ts';
import { deleteApplications } from '~/features/application/retention/delete-expired.server.ts';
import { insuranceOf } from '~/features/application/travellers.ts';
import { insuranceBesideVisa } from '~/features/insurance/beside-visa.ts';
import { replaceAnswers } from '~/features/insurance/purchase/replace-answers.server.ts';
import type { Plan } from '~/features/insurance/rules/plans.ts';
import { deleteInsuranceDetails, lockInsurance } from '~/features/insurance/store/store.server.ts';
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
import type { PriceList } from '../rules/price-list.ts';
import { replaceVisaDetails } from '../store/store.server.ts';
import { detailsOf, givenIn, orderedVisa, travellerOf, type VisaInput } from './submit.server.ts';
import type { ChangeRefusal } from '~/features/application/find-change.server.ts';

export type Change = {
  language: string;
  /** Of the browser that submits. */
  sessionHash: Buffer | null;
  now: Date;
  prices: PriceList;
  /** The insurance in the order: a plan on sale, or none; undefined where there is nothing to choose. */
  plan?: Plan | null;
};

/**
 * Stores new answers of an unpaid application under its number, with its order at the prices of this moment. Nothing is
 * changed where it is refused. `hasMoved`: the email address changed.
 */
export async function storeChange(
  tx: Transaction,
  sealer: Sealer,
  number: string,
  input: VisaInput,
  { language, sessionHash, now, prices, plan }: Change,
): Promise<Outcome<{ totalAmount: Money; hasMoved: boolean }, ChangeRefusal>> {
  const known = await applicationByNumber(tx, number);
  if (!known) return refused('unknown');
  await lockPayments(tx, known.orderNumber);
  const together = await applicationsOfOrder(tx, known.orderNumber);
  const beside = insuranceOf(together, known);
  const changesBeside = plan === undefined ? null : beside;
  if (changesBeside) await lockInsurance(tx, changesBeside.id);
  for (const { id } of together) await lockApplication(tx, id);
  const held = await lockUnpaid(tx, known.orderNumber);
  if (!held.ok) return held;
  if (!(await isPayer(tx, sessionHash, held.value))) return refused('not_payer');
  const application = await applicationByNumber(tx, number);
  if (application?.status !== 'pending') return refused('decided');

  const visa = orderedVisa(sealer, input, prices);
  const { person } = visa;
  const { minor: amountMinor, currency } = amountOf(visa);
  const before = await linesOf(tx, held.value.id);
  const hasMoved = await moveEmail(tx, {
    applicationId: application.id,
    email: person.email,
    order: held.value,
    sessionHash,
    now,
  });
  await changeApplication(tx, application.id, { ...person, language, amountMinor, currency }, now);
  await replaceVisaDetails(tx, sealer, detailsOf(input, application.id));
  const besideLines: NewLine[] = [];
  if (changesBeside && plan) {
    const insurance = insuranceBesideVisa(
      plan,
      travellerOf(input),
      givenIn(input.values)('arrivalDate'),
    );
    const about = { language, now };
    besideLines.push(...(await replaceAnswers(tx, sealer, changesBeside.id, insurance, about)));
  } else if (changesBeside) {
    // It was never paid, and nothing of it is kept. Minors have none beside a visa, so it has no photo of a parent's ID.
    await deleteApplications(tx, [changesBeside.id], deleteInsuranceDetails);
  }
  const replaced = changesBeside ? [number, changesBeside.number] : [number];
  const lines = replaceLines(before, replaced, [
    ...visa.lines.map((line) => ({ ...line, applicationNumber: number })),
    ...besideLines,
  ]);
  // The first of several travellers pays, whoever's answers are changed.
  const isPayers = application.travellerPosition === 1;
  const customer = isPayers
    ? { name: fullName(person), email: person.email }
    : { name: held.value.customerName, email: held.value.customerEmail };
  await changeOrder(tx, held.value, { language, customer, by: sessionHash, lines }, now);
  return ok({ totalAmount: add(...lines.map(({ amount }) => amount)), hasMoved });
}
