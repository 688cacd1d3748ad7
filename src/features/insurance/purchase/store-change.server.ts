import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { ChangeRefusal } from '~/features/application/find-change.server.ts';
import { moveEmail } from '~/features/application/change-email.server.ts';
import type { Placing } from '~/features/application/place-order.server.ts';
import {
  lockApplication,
  applicationByNumber,
  applicationsOfOrder,
} from '~/features/application/store.server.ts';
import {
  changeOrder,
  lockUnpaid,
  lockPayments,
} from '~/features/order/payer/change-order.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { lockInsurance } from '../store/store.server.ts';
import type { InsuranceInput } from './submit.server.ts';
import { replaceAnswers } from './replace-answers.server.ts';
import { fullName } from '~/features/application/full-name.ts';

/**
 * Stores new answers of an unpaid insurance with an order of its own, under its number and at the price of this moment.
 * Nothing is changed where it is refused. `hasMoved`: the email address changed.
 */
export async function storeInsuranceChange(
  tx: Transaction,
  sealer: Sealer,
  number: string,
  input: InsuranceInput,
  { language, sessionHash, now }: Pick<Placing, 'language' | 'sessionHash' | 'now'>,
): Promise<Outcome<{ id: string; hasMoved: boolean }, ChangeRefusal>> {
  const known = await applicationByNumber(tx, number);
  if (!known) return refused('unknown');
  await lockPayments(tx, known.orderNumber);
  await lockInsurance(tx, known.id);
  const application = await lockApplication(tx, known.id);
  const held = await lockUnpaid(tx, known.orderNumber);
  if (!held.ok) return held;
  if (!(await isPayer(tx, sessionHash, held.value))) return refused('not_payer');
  if (application?.status !== 'pending') return refused('decided');
  const together = await applicationsOfOrder(tx, known.orderNumber);
  if (application.kind !== 'insurance' || together.length !== 1) return refused('unknown');
  const { email } = input.traveller;
  const hasMoved = await moveEmail(tx, {
    applicationId: application.id,
    email,
    order: held.value,
    sessionHash,
    now,
  });
  const lines = await replaceAnswers(tx, sealer, application.id, input, { language, now });
  const customer = { name: fullName(input.traveller), email };
  await changeOrder(tx, held.value, { language, customer, by: sessionHash, lines }, now);
  return ok({ id: application.id, hasMoved });
}
