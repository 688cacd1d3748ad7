import { data } from 'react-router';
import type { Beginner } from '~/features/payment/beginner.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter, type Limiter } from '~/platform/http/rate-limit.server.ts';

type Limits = {
  /** Payments that one address starts by our pages. */
  payer: Limiter;
  /** Payments started for one order: by its payer, and apart from that by everybody else who knows its number. */
  order: Limiter;
};

export const limitsOf = oncePerPool((pool): Limits => ({
  payer: makeLimiter(pool, { name: 'pay_address', points: 60, seconds: 600 }),
  order: makeLimiter(pool, { name: 'pay_order', points: 20, seconds: 600 }),
}));

/** Counts the start of a payment of an order: what guests start takes nothing away from the payer. */
export const limitStart = (
  platform: Pick<Platform, 'pool'>,
  { number }: { number: string },
  { role }: Beginner,
) => limitsOf(platform).order.consume(role === 'payer' ? number : `guest:${number}`);

/** What a page throws, to be shown by `TooManyPayments`. `seconds`: when to try again. */
export const tooManyPayments = (seconds: number) =>
  data(null, { status: 429, headers: { 'Retry-After': String(seconds) } });
