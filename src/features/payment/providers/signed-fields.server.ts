import { createSign, createVerify } from 'node:crypto';
import type { CardGatewayConfig } from '~/platform/config-card-gateway.server.ts';

export type Digest = CardGatewayConfig['digest'];

/**
 * The card gateway signs the JSON of all fields, sorted by name, values trimmed, without the signature itself
 * (seen in integrations; the gateway publishes no description). MD5 is what old merchant accounts still ask for.
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
  const signature = createSign(`RSA-${digest.toUpperCase()}`)
    .update(canonical(fields))
    .sign(privateKey, 'base64');
  return { ...fields, signature };
}

/** False for a missing, malformed or foreign signature; never throws. Any of `publicKeys` may have signed. */
export function isSigned(
  fields: Record<string, string>,
  publicKeys: readonly string[],
  digest: Digest,
): boolean {
  const { signature } = fields;
  if (!signature) return false;
  const text = canonical(fields);
  return publicKeys.some((key) => {
    try {
      return createVerify(`RSA-${digest.toUpperCase()}`)
        .update(text)
        .verify(key, signature, 'base64');
    } catch {
      return false;
    }
  });
}
