/**
 * Why an email was not sent. `address`: the mail server does not know the recipient. `refused`, `later`: the server
 * rejected it for good or for now. `unreachable`: no answer. `over`: there was nothing to say any more. `limit`: its
 * recipient had as many as they get of what nobody has paid for. `other`: it could not be written, or an unknown error.
 */
export const emailFailures = [
  'address',
  'refused',
  'later',
  'unreachable',
  'over',
  'limit',
  'other',
] as const;
export type EmailFailure = (typeof emailFailures)[number];

const unreachable = ['ECONNECTION', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EDNS', 'ESOCKET'];

/**
 * Classifies what a mail client threw: `responseCode` of the server (RFC 5321, 4.2.1: 4xx for now, 5xx for good),
 * `code` of the client, `EENVELOPE` where the server refused sender or recipient.
 */
export function failureOf(error: unknown): EmailFailure {
  if (typeof error !== 'object' || error === null) return 'other';
  const response = 'responseCode' in error ? Number(error.responseCode) : 0;
  const code = 'code' in error ? String(error.code) : '';
  if (response >= 500) return code === 'EENVELOPE' ? 'address' : 'refused';
  if (response >= 400) return 'later';
  return unreachable.includes(code) ? 'unreachable' : 'other';
}
