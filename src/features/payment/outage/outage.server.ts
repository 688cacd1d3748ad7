import { randomUUID } from 'node:crypto';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import type { Providers } from '../providers.ts';
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

/** Between two of them; after a longer pause the count begins anew. */
export const WINDOW_MS = 30 * 60_000;
/** So long after the last failure a partner that is down is tried again, by the next traveller who pays. */
export const RETRY_MS = 5 * 60_000;

type Needed = Pick<Platform, 'db' | 'log' | 'now'>;

const alertOf = (provider: string, since: Date) => `down:${provider}:${since.toISOString()}`;

/**
 * Counts a payment that a partner did not begin. The fifth in a row makes it down: it is logged, an alert waits at the
 * desk, and the other partner is offered first.
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

/** A partner began a payment: whatever failed before is over. */
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
 * The configured providers in the order in which they are offered: who is down comes last, but for one who is due to be
 * tried again.
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

/** For the metrics: 1 for each partner that is down. */
export async function countPartnersDown(db: Database): Promise<Record<string, number>> {
  return Object.fromEntries((await rowsDown(db)).map(({ provider }) => [provider, 1]));
}

/** The partners that begin no payments, and since when. */
export async function partnersDown(db: Database): Promise<{ provider: string; since: Date }[]> {
  return (await rowsDown(db)).flatMap(({ provider, downSince }) =>
    downSince ? [{ provider, since: downSince }] : [],
  );
}
