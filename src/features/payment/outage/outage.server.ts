import { randomUUID } from 'node:crypto';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Providers } from '../provider.ts';
import { dropAlert, raiseAlert } from '../settlement/store.server.ts';
import { FAILURES } from './failures.ts';
import {
  countFailure,
  resetFailures,
  invalidatePartners,
  hasFailures,
  markDown,
  rowsDown,
  type Partner,
} from './outage-store.server.ts';

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
    if (downSince || failures < FAILURES) return false;
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
  if (isNew) log.error({ provider, failures: FAILURES }, 'a payment partner begins no payments');
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
export async function countPartnersDown(db: Database): Promise<Record<string, number>> {
  return Object.fromEntries((await rowsDown(db)).map(({ provider }) => [provider, 1]));
}

/** The providers that are down, and since when. */
export async function partnersDown(db: Database): Promise<{ provider: string; since: Date }[]> {
  return (await rowsDown(db)).flatMap(({ provider, downSince }) =>
    downSince ? [{ provider, since: downSince }] : [],
  );
}
