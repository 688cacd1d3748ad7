/** atext of RFC 5322, 3.2.3, and letters of every script (RFC 6531). Quoted local parts are refused: nobody types one. */
const LOCAL =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN_LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u;
/** RFC 1123, 2.1: labels of 1 to 63 letters, digits and inner hyphens; a top-level domain is never digits alone. */
const DOMAIN =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;
/** RFC 5321, 4.5.3.1.1 and erratum 1690 of RFC 3696; in bytes. */
const MAX_LOCAL_BYTES = 64;
const MAX_ADDRESS_BYTES = 254;

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/**
 * What somebody typed or pasted, as an address is written: without spaces around it and invisible signs, full-width
 * letters and stops as plain ones, and a phone's curly apostrophe as the straight one.
 */
export const tidyEmail = (typed: string): string =>
  typed
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replaceAll('\u3002', '.')
    .replaceAll('\u2019', "'")
    .trim();

/**
 * Whether a tidy text can be an e-mail address at all. Domains of other scripts count in the form that the domain name
 * system knows (IDNA); which top-level domains exist is not asked, as new ones come every year.
 */
export function isEmailAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (!LOCAL.test(local) || bytesOf(local) > MAX_LOCAL_BYTES) return false;
  const ascii = asciiDomain(domain);
  return (
    ascii !== null && DOMAIN.test(ascii) && bytesOf(local) + 1 + ascii.length <= MAX_ADDRESS_BYTES
  );
}

/** A domain as the domain name system knows it, in lower case; null for what cannot be one. */
function asciiDomain(domain: string): string | null {
  if (!DOMAIN_LETTERS.test(domain)) return null;
  // Not with URL.canParse, which the oldest browsers that this runs in do not have.
  try {
    return new URL(`https://${domain}`).hostname;
  } catch {
    return null;
  }
}
