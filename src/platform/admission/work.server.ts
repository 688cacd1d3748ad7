import type { IncomingMessage } from 'node:http';
import { CSP_REPORT_PATH } from '../http/report-path.ts';
import { SMALL_BODY_BYTES } from '../input/body-limit.ts';
import { bodyLimitOf } from '../input/limit-body.server.ts';
import type { Work } from './admission.server.ts';

/** Asked by monitors and load balancers, which need them most under load; cheap, so never refused. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);

/** Partners' notifications and payers who return. */
const PAYMENT = /^\/api\/payment\/(return|notification)\//;

/**
 * Calls to the simulated partners. Where partners are not simulated, this address does not exist and has no precedence.
 */
const SIMULATED = /^\/lab\/(gateway|paypal|stripe)\//;

const FILE = /^\/assets\/|^\/[\w.-]+\.(svg|ico|png|txt|xml|webmanifest)$/;

/** Null: always answered. `isSimulated`: whether the payment partners are simulated beside the service. */
export function workOf(
  { method, url = '/', headers }: IncomingMessage,
  { isSimulated }: { isSimulated: boolean },
): Work | null {
  const path = pathOf(url);
  if (ALWAYS.has(path)) return null;
  if (PAYMENT.test(path) || (isSimulated && SIMULATED.test(path))) return 'payment';
  if (!mayCarryBody(method)) return FILE.test(path) ? 'file' : 'read';
  if (path === CSP_REPORT_PATH) return 'report';
  const length = declaredLength({ headers }) ?? 0;
  // One that is larger than its address takes is refused, which is little work.
  return length > SMALL_BODY_BYTES && length <= limitOf({ url, headers }) ? 'upload' : 'write';
}

export const mayCarryBody = (method: string | undefined): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';

/** The length of a body as its head says it; null where it comes in chunks. */
export const declaredLength = ({ headers }: Pick<IncomingMessage, 'headers'>): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;

/** The largest body, in bytes, that this request may carry. */
export const limitOf = ({ url = '/', headers }: Pick<IncomingMessage, 'url' | 'headers'>): number =>
  bodyLimitOf(pathOf(url), headers.cookie);

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
