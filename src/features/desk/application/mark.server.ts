import { createHash } from 'node:crypto';

/** A short hash of what a page shows: another one wherever anything of it is other. */
export const markOf = (shown: object): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22);
