/** In place of any other directive that a report names. */
export const OTHER = 'other';

/** https://www.w3.org/TR/CSP3/#csp-directives, and those of Trusted Types. */
const DIRECTIVES = new Set([
  'base-uri',
  'child-src',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'require-trusted-types-for',
  'sandbox',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
]);

/** The directive that was violated; an older browser names its sources as well. */
export function directiveOf(named: string): string {
  const [name = ''] = named.trim().split(/\s/);
  return DIRECTIVES.has(name) ? name : OTHER;
}

/** What browsers say instead of an address: https://www.w3.org/TR/CSP3/#violation-resource */
const WORDS = new Set([
  'inline',
  'eval',
  'wasm-eval',
  'self',
  'trusted-types-policy',
  'trusted-types-sink',
]);

/** In characters; a longer origin is reported as `OTHER`. */
const LONGEST_ORIGIN = 100;

/**
 * The origin of what was blocked, the keyword that browsers say instead, or the scheme of what has no origin. Never a
 * path or a query, which may hold numbers and tokens of travellers.
 */
export function blockedOrigin(named: string): string {
  if (WORDS.has(named)) return named;
  // Browsers shorten a resource without an origin to its scheme.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*$/.test(named) ? `${named}:` : named);
  if (!url) return OTHER;
  const origin = url.origin === 'null' ? url.protocol : url.origin;
  return origin.length > LONGEST_ORIGIN ? OTHER : origin;
}
