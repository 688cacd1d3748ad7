import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';

/** Drawings of one receipt: each takes a tenth of a second of computing, and somebody may hold the link down. */
export const drawLimit = oncePerPool((pool) =>
  makeLimiter(pool, { name: 'receipt_drawing', points: 20, seconds: 60 }),
);
