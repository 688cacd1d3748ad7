import { firstOffice } from '~/base/dates/office.ts';
import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { seedAll, seedCatalog } from '~/features/catalog/seed.server.ts';
import { issueReceipt } from '~/features/order/receipt/issue-receipt.server.ts';
import { linesOf } from '~/features/order/order-lines-store.server.ts';
import { payOrder } from '~/features/order/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { startInsuranceClocks } from '../certificate/clock.server.ts';
import { plans } from '../rules/plans.ts';
import { seedInsurance } from '../store/seed.server.ts';
import { submitInsurance } from '../purchase/submit.server.ts';
import { storeCapture } from '~/features/payment/testing/sample-attempts.ts';

export const sampleDay = (text: string): PlainDate => {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
};

export type Sample = { language?: string; dateOfBirth?: string; firstName?: string };

/** An insurance of 30 days from 12 December 2026, stored and unpaid. */
export async function placeInsurance(
  platform: Platform,
  { language = 'en', dateOfBirth = '1991-07-14', firstName = 'Sofía' }: Sample = {},
): Promise<Application> {
  await seedAll(platform.db, [seedCatalog, seedInsurance], platform.now());
  const submitted = await platform.db.transaction((tx) =>
    submitInsurance(
      tx,
      platform.sealer,
      {
        plan: plans[2],
        traveller: {
          firstName,
          lastName: 'Hernández Ruiz',
          email: 'sofia.hernandez@correo.example',
          phone: '+52 33 1234 5678',
          dateOfBirth: sampleDay(dateOfBirth),
          nationality: 'MEX',
          travelDocument: 'ordinary',
          passportNumber: 'G38215640',
          placeOfBirth: null,
        },
        trip: {
          travelDate: sampleDay('2026-12-12'),
          returnDate: sampleDay('2026-12-31'),
        },
      },
      { language, sessionHash: null, now: platform.now() },
    ),
  );
  return sampleState(platform, submitted.id);
}

/** Pays its order, with everything that a payment causes. */
export async function payInsurance(platform: Platform, { number }: Application): Promise<void> {
  const at = platform.now();
  await platform.db.transaction(async (tx) => {
    const attemptId = await storeCapture(tx, { number, amountMinor: 189_00 }, at);
    const order = await payOrder(tx, { number, attemptId, at });
    if (!order) throw new Error('The order was not paid');
    await issueReceipt(tx, platform.config, { order, lines: await linesOf(tx, order.id) });
    await startInsuranceClocks(tx, [number], { paidAt: at, office: firstOffice });
  });
}

export async function sampleState(platform: Platform, id: string): Promise<Application> {
  const found = await applicationById(platform.db, id);
  if (!found) throw new Error('It was stored');
  return found;
}
