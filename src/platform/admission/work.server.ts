import type { IncomingMessage } from 'node:http';
import type { Work } from './admission.server.ts';

/** Bodies up to this size are received before their request counts as work: nobody holds a place by sending slowly. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** Asked by monitors and load balancers; costs next to nothing and says how things stand, so never refused. */
const ALWAYS = new Set(['/healthz', '/readyz', '/metrics']);

/** Partners' notifications, payers who return, and the simulated partners, which are outsiders. */
const PAYMENT = /^\/(api\/payment\/(return|notification)\/|lab\/(gateway|paypal)\/)/;

const FILE = /^\/assets\/|^\/[\w.-]+\.(svg|ico|png|txt|xml|webmanifest)$/;

/** Null: always answered. */
export function workOf({ method, url = '/', headers }: IncomingMessage): Work | null {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  if (ALWAYS.has(path)) return null;
  if (PAYMENT.test(path)) return 'payment';
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') {
    return FILE.test(path) ? 'file' : 'read';
  }
  const length = headers['content-length'];
  const isSmall =
    headers['transfer-encoding'] === undefined && Number(length ?? 0) <= SMALL_BODY_BYTES;
  return isSmall ? 'write' : 'upload';
}
