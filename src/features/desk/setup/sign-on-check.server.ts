import { z } from 'zod';
import { reasonOf } from '~/base/error-reason.ts';
import { callbackAddress } from '~/features/staff/single-sign-on/identity-provider.server.ts';
import { isSafe } from '~/platform/config/config-card-gateway.server.ts';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import type { Fetch } from './reach-checks.server.ts';
import { checked, guide, variable, type Check, type Finding } from './setup-check.ts';

/** What sign-in needs of a provider's description (OpenID Connect Discovery 1.0, section 3). */
const description = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  jwks_uri: z.string().optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});
const keys = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

const ADDRESSES = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Whether the identity provider of staff answers, is who the configuration names, and offers what sign-in needs. Whether
 * it accepts our client shows only when somebody signs in.
 */
export async function signOnCheck(
  { issuer }: Pick<SingleSignOnConfig, 'issuer'>,
  publicUrl: string,
  ask: Fetch,
): Promise<Check> {
  const mend = [
    variable('STAFF_SSO_ISSUER'),
    guide('docs/operations.md, “Single sign-on of staff”'),
  ];
  const missing = (...found: Finding[]) => checked('signOn', 'missing', found, ...mend);
  const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const answer = await readJson(address, description, ask);
  if ('reason' in answer) {
    return missing({ code: 'signOnAway', values: { address, reason: answer.reason } });
  }
  const { value } = answer;
  const found: Finding[] = [];
  if (value.issuer.replace(/\/+$/, '') !== issuer.replace(/\/+$/, '')) {
    found.push({ code: 'signOnOther', values: { issuer, found: value.issuer } });
  }
  for (const field of ADDRESSES) {
    const there = value[field];
    if (there === undefined) found.push({ code: 'signOnMissing', values: { field } });
    else if (!isSafe(there)) found.push({ code: 'signOnPlain', values: { field } });
  }
  // Providers may leave it out and support it nevertheless.
  const methods = value.code_challenge_methods_supported;
  if (methods && !methods.includes('S256')) {
    found.push({ code: 'signOnMissing', values: { field: 'PKCE S256' } });
  }
  if (found.length > 0 || value.jwks_uri === undefined) return missing(...found);
  const shown = await readJson(value.jwks_uri, keys, ask);
  if ('reason' in shown) {
    const values = { address: value.jwks_uri, reason: shown.reason };
    return missing({ code: 'signOnKeys', values });
  }
  const values = { issuer: value.issuer, url: callbackAddress({ publicUrl }) };
  return checked('signOn', 'ok', { code: 'signOnGood', values });
}

async function readJson<T>(
  address: string,
  schema: z.ZodType<T>,
  ask: Fetch,
): Promise<{ value: T } | { reason: string }> {
  try {
    const answer = await ask(address, { headers: { accept: 'application/json' } });
    if (!answer.ok) return { reason: String(answer.status) };
    const parsed = schema.safeParse(await answer.json());
    return parsed.success ? { value: parsed.data } : { reason: 'JSON' };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}
