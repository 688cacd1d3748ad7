import { createHash } from 'node:crypto';

/**
 * The id of the refund that takes a failed one's place: always the same, so that two presses are one. The provider gets
 * an id it has not refused yet.
 */
export function retryIdOf(refundId: string): string {
  const hex = createHash('sha256').update(`retry:${refundId}`).digest('hex');
  // Version 8 of RFC 9562: a UUID of our own making.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
