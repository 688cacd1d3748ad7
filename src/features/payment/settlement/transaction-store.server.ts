import { eq, inArray, or, and } from 'drizzle-orm';
import { isUuid } from '~/base/uuid.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { paymentAttempt, paymentRefund } from './tables.server.ts';

/**
 * The references of the payment that an id names: an attempt's or a refund's, ours or the provider's. Several where
 * providers gave one id twice; at most two are returned.
 */
export async function referencesOf(db: Queryable, id: string): Promise<string[]> {
  const { reference, provider, providerReference, captureId } = paymentAttempt;
  // Naming the providers lets the statement use the indexes on (provider, id).
  const ofPayment = await db
    .selectDistinct({ reference })
    .from(paymentAttempt)
    .where(
      isUuid(id)
        ? or(
            eq(paymentAttempt.id, id),
            and(inArray(provider, [...providerNames]), eq(providerReference, id)),
            and(inArray(provider, [...providerNames]), eq(captureId, id)),
          )
        : and(
            inArray(provider, [...providerNames]),
            or(eq(providerReference, id), eq(captureId, id)),
          ),
    )
    .limit(2);
  if (ofPayment.length > 0) return ofPayment.map((row) => row.reference);
  const ofRefund = await db
    .selectDistinct({ reference })
    .from(paymentRefund)
    .innerJoin(paymentAttempt, eq(paymentAttempt.id, paymentRefund.attemptId))
    .where(
      isUuid(id)
        ? or(eq(paymentRefund.id, id), eq(paymentRefund.providerRefundId, id))
        : eq(paymentRefund.providerRefundId, id),
    )
    .limit(2);
  return ofRefund.map((row) => row.reference);
}
