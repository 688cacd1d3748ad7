import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { CardGatewayConfig } from '~/platform/config/config-providers.server.ts';

export type Digest = CardGatewayConfig['digest'];

/**
 * The text that the card gateway signs: the JSON of all fields except the signature, sorted by name, values trimmed (as
 * seen in integrations; the gateway publishes no description). MD5 is what old merchant accounts still require.
 */
export function canonical(fields: Record<string, string>): string {
  const sorted = Object.entries(fields)
    .filter(([name]) => name !== 'signature')
    .map(([name, value]) => [name, value.trim()] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return JSON.stringify(Object.fromEntries(sorted));
}

export function signFields(
  fields: Record<string, string>,
  privateKey: string,
  digest: Digest,
): Record<string, string> {
  const signature = sign(
    algorithm(digest),
    Buffer.from(canonical(fields)),
    parsed(privateKey, createPrivateKey),
  );
  return { ...fields, signature: signature.toString('base64') };
}

/** False for a missing, malformed or invalid signature; never throws. Any of `publicKeys` may have signed. */
export function isSigned(
  fields: Record<string, string>,
  publicKeys: readonly string[],
  digest: Digest,
): boolean {
  const { signature } = fields;
  if (!signature) return false;
  const text = Buffer.from(canonical(fields));
  const signed = Buffer.from(signature, 'base64');
  return publicKeys.some((key) => {
    try {
      return verify(algorithm(digest), text, parsed(key, createPublicKey), signed);
    } catch {
      return false;
    }
  });
}

const algorithm = (digest: Digest): string => `RSA-${digest.toUpperCase()}`;

/** More keys than a configuration has, those of the simulated gateway included. */
const MAX_CACHED_KEYS = 16;
const keys = new Map<string, KeyObject>();

/** Cached: parsing a PEM costs as much as a signature. */
function parsed(pem: string, read: (pem: string) => KeyObject): KeyObject {
  const name = `${read.name} ${pem}`;
  const known = keys.get(name);
  if (known) return known;
  const key = read(pem);
  for (const oldest of keys.keys()) {
    if (keys.size < MAX_CACHED_KEYS) break;
    keys.delete(oldest);
  }
  keys.set(name, key);
  return key;
}
