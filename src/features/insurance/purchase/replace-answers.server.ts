import { applicationById, changeApplication } from '~/features/application/store.server.ts';
import type { NewLine } from '~/features/order/order-lines-store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { insuranceDetailsOf, replaceInsuranceDetails } from '../store/store.server.ts';
import { detailColumns, orderedInsurance, type InsuranceInput } from './submit.server.ts';
import { termsInForce } from '../store/terms-store.server.ts';

/**
 * Replaces the answers of an unpaid insurance, at the terms of this moment and under the same number; returns the order
 * lines that pay for it. The caller holds the locks of application and order.
 */
export async function replaceAnswers(
  tx: Transaction,
  sealer: Sealer,
  applicationId: string,
  input: InsuranceInput,
  { language, now }: { language: string; now: Date },
): Promise<NewLine[]> {
  const application = await applicationById(tx, applicationId);
  const details = await insuranceDetailsOf(tx, sealer, applicationId);
  if (!application || !details) throw new Error('No such insurance');
  const terms = await termsInForce(tx, now);
  const { person, lines } = orderedInsurance(sealer, input, terms);
  const { minor: amountMinor, currency } = input.plan.price;
  await changeApplication(tx, applicationId, { language, ...person, amountMinor, currency }, now);
  await replaceInsuranceDetails(tx, sealer, { ...details, ...detailColumns(input, terms) });
  return lines.map((line) => ({ ...line, applicationNumber: application.number }));
}
