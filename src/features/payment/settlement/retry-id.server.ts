import { createHash } from 'node:crypto';

/**
 * The id of the refund that replaces a failed one: derived, so that pressing twice makes one, and new to the provider.
 */
export function retryIdOf(refundId: string): string {
  const hex = createHash('sha256').update(`retry:${refundId}`).digest('hex');
  // Version 8 of RFC 9562: a UUID with custom content.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
