import { languageCodes } from '~/base/languages.ts';
import type { Operator } from '~/platform/config/config.server.ts';

/** Days until the text expires; less than a year (RFC 9116, 2.5.5). */
const GOOD_DAYS = 180;
const DAY_MS = 24 * 3600 * 1000;

/**
 * `/.well-known/security.txt` after RFC 9116: how to report a vulnerability. Null while the operator's address is a
 * placeholder, as a contact is required.
 */
export function securityText(
  { supportEmail, contactUrl }: Pick<Operator, 'supportEmail' | 'contactUrl'>,
  { publicUrl, now }: { publicUrl: string; now: Date },
): string | null {
  const isAddress = /^[^\s@[\]]+@[^\s@[\]]+$/.test(supportEmail);
  const contacts = [
    ...(isAddress ? [`mailto:${supportEmail}`] : []),
    ...(contactUrl?.startsWith('https:') ? [contactUrl] : []),
  ];
  if (contacts.length === 0) return null;
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return [
    ...contacts.map((contact) => `Contact: ${contact}`),
    `Expires: ${new Date(midnight + GOOD_DAYS * DAY_MS).toISOString()}`,
    `Preferred-Languages: ${languageCodes.join(', ')}`,
    `Canonical: ${publicUrl}/.well-known/security.txt`,
    `Policy: ${publicUrl}/security`,
    '',
  ].join('\n');
}
