import { randomUUID } from 'node:crypto';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Providers } from '../provider.ts';
import { dropAlert, raiseAlert } from '../settlement/store.server.ts';
import { MAX_FAILED_STARTS } from '../provider.ts';
import { and, eq, gt, sql } from 'drizzle-orm';
import { cacheUntilChanged } from '~/platform/postgres/invalidations.server.ts';
import { paymentPartner } from '../tables.server.ts';

type Partner = typeof paymentPartner.$inferSelect;

/** Cached: at most two rows that rarely change, read with every payment. */
const partnersCache = cacheUntilChanged({
  topic: 'payment_partner',
  read: (db): Promise<Partner[]> =>
    db.select().from(paymentPartner).orderBy(paymentPartner.downSince, paymentPartner.provider),
});

/** The providers that are down, the longest first. */
const rowsDown = async (db: Database): Promise<Partner[]> =>
  (await partnersCache.current(db)).filter(({ downSince }) => downSince !== null);

/** After a change by this process: the next read asks the database. */
const invalidatePartners = (db: Database): void => partnersCache.invalidate(db);

/** Counts a failed start, and locks the provider's row until the transaction ends. */
async function countFailure(
  tx: Transaction,
  provider: string,
  { at, after }: { at: Date; /** An older failure is forgotten. */ after: Date },
): Promise<Partner> {
  const again = sql`case when ${paymentPartner.lastFailureAt} > ${after.toISOString()}::timestamptz
    or ${paymentPartner.downSince} is not null then ${paymentPartner.failures} + 1 else 1 end`;
  const [row] = await tx
    .insert(paymentPartner)
    .values({ provider, failures: 1, lastFailureAt: at })
    .onConflictDoUpdate({
      target: paymentPartner.provider,
      set: { failures: again, lastFailureAt: at },
    })
    .returning();
  if (!row) throw new Error('The failure was not counted');
  return row;
}

async function markDown(tx: Transaction, provider: string, since: Date): Promise<void> {
  await tx
    .update(paymentPartner)
    .set({ downSince: since })
    .where(eq(paymentPartner.provider, provider));
}

/** Deletes the failures; returns since when it was down, or null. */
async function resetFailures(tx: Transaction, provider: string): Promise<Date | null> {
  const [before] = await tx
    .select()
    .from(paymentPartner)
    .where(and(eq(paymentPartner.provider, provider), gt(paymentPartner.failures, 0)))
    .for('no key update');
  if (!before) return null;
  await tx
    .update(paymentPartner)
    .set({ failures: 0, downSince: null })
    .where(eq(paymentPartner.provider, provider));
  return before.downSince;
}

/** Whether there are failures to delete: rarely, and cheaper to check than a transaction. */
const hasFailures = async (db: Database, provider: string): Promise<boolean> =>
  (await partnersCache.current(db)).some((one) => one.provider === provider && one.failures > 0);

/** Longest time between two failures that count as consecutive. */
export const WINDOW_MS = 30 * 60_000;
/** Time after the last failure when a provider that is down is tried again, by the next payer. */
export const RETRY_MS = 5 * 60_000;

type Needed = Pick<Platform, 'db' | 'log' | 'now'>;

const alertOf = (provider: string, since: Date) => `down:${provider}:${since.toISOString()}`;

/**
 * Counts a payment that a provider failed to begin. The fifth in a row marks it as down: this is logged, raises an
 * alert at the desk, and puts the other provider first.
 */
export async function noteFailedStart(
  { db, log, now }: Needed,
  provider: ProviderName,
): Promise<void> {
  const at = now();
  const isNew = await db.transaction(async (tx) => {
    const after = new Date(at.getTime() - WINDOW_MS);
    const { failures, downSince } = await countFailure(tx, provider, { at, after });
    if (downSince || failures < MAX_FAILED_STARTS) return false;
    await markDown(tx, provider, at);
    await raiseAlert(tx, {
      id: randomUUID(),
      kind: 'partner_down',
      attemptId: null,
      detail: { partner: provider, failures },
      raisedAt: at,
      once: alertOf(provider, at),
    });
    return true;
  });
  invalidatePartners(db);
  if (isNew)
    log.error({ provider, failures: MAX_FAILED_STARTS }, 'a payment partner begins no payments');
}

/** A provider began a payment: resets its failures. */
export async function noteStart({ db, log, now }: Needed, provider: ProviderName): Promise<void> {
  if (!(await hasFailures(db, provider))) return;
  const since = await db.transaction(async (tx) => {
    const downSince = await resetFailures(tx, provider);
    if (downSince) await dropAlert(tx, alertOf(provider, downSince), now());
    return downSince;
  });
  invalidatePartners(db);
  if (since) log.warn({ provider, since }, 'a payment partner begins payments again');
}

const isAway = ({ lastFailureAt }: Partner, now: Date): boolean =>
  lastFailureAt !== null && now.getTime() - lastFailureAt.getTime() < RETRY_MS;

/**
 * The configured providers in the order in which they are offered: those that are down last, except one that is due to
 * be tried again.
 */
export async function offeredProviders(
  { db, now }: Pick<Needed, 'db' | 'now'>,
  providers: Providers,
): Promise<Providers> {
  if (providers.length < 2) return providers;
  const at = now();
  const away = new Set<string>(
    (await rowsDown(db)).filter((one) => isAway(one, at)).map(({ provider }) => provider),
  );
  if (away.size === 0) return providers;
  return [
    ...providers.filter(({ name }) => !away.has(name)),
    ...providers.filter(({ name }) => away.has(name)),
  ];
}

/** For the metrics: 1 for each provider that is down. */
export async function countOutages(db: Database): Promise<Record<string, number>> {
  return Object.fromEntries((await rowsDown(db)).map(({ provider }) => [provider, 1]));
}

/** The providers that are down, and since when. */
export async function listOutages(db: Database): Promise<{ provider: string; since: Date }[]> {
  return (await rowsDown(db)).flatMap(({ provider, downSince }) =>
    downSince ? [{ provider, since: downSince }] : [],
  );
}
