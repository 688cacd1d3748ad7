import type { IncomingMessage } from 'node:http';
import { CSP_REPORT_PATH } from '../http/report-path.ts';
import type { Work } from './admission.server.ts';

/** In bytes. Bodies up to this size are received before their request counts as work: a slow sender takes no place. */
export const SMALL_BODY_BYTES = 64 * 1024;

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
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (ALWAYS.has(path)) return null;
  if (PAYMENT.test(path) || (isSimulated && SIMULATED.test(path))) return 'payment';
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    return FILE.test(path) ? 'file' : 'read';
  }
  if (path === CSP_REPORT_PATH) return 'report';
  return hasSmallBody({ headers }) ? 'write' : 'upload';
}

/** Whether the head says that the body is small enough to be received beforehand. */
export function hasSmallBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = Number(headers['content-length'] ?? 0);
  return headers['transfer-encoding'] === undefined && length <= SMALL_BODY_BYTES;
}
