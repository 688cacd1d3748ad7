import { data } from 'react-router';
import type { Initiator } from '~/features/payment/initiator.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { makeLimiter, type Limit, type Limiter } from '~/platform/http/rate-limit.server.ts';

/** Starts of one order's payment by its payer, and as many by all others who know its number. */
export const START_LIMIT: Limit = { name: 'pay_order', points: 20, seconds: 600 };

type Limits = {
  /** Payments started from one address on our pages. */
  payer: Limiter;
  /** Payments started for one order: by its payer, and separately by all others who know its number. */
  order: Limiter;
};

export const limitsOf = oncePerPool((pool): Limits => ({
  payer: makeLimiter(pool, { name: 'pay_address', points: 60, seconds: 600 }),
  order: makeLimiter(pool, START_LIMIT),
}));

/** Counts the start of a payment; guests have a limit of their own, so that they cannot use up the payer's. */
export const limitStart = (
  platform: Pick<Platform, 'pool'>,
  { number }: { number: string },
  { role }: Initiator,
) => limitsOf(platform).order.consume(role === 'payer' ? number : `guest:${number}`);

/** What a page throws to have `TooManyPayments` shown. `seconds`: until the next try. */
export const tooManyPayments = (seconds: number) =>
  data(null, { status: 429, headers: { 'Retry-After': String(seconds) } });
