import * as client from 'openid-client';
import { UnsoundProvider } from './identity-provider.server.ts';
import type { SignOnProblem } from './sign-on-problem.ts';

/** Codes of `openid-client` for a provider that gave no answer, or one that no provider gives. */
const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]);
const MISCONFIGURED = new Set([
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
  'OAUTH_UNSUPPORTED_OPERATION',
]);

/** What an error of the exchange with the provider means for whoever signs in. */
export function problemOf(error: unknown): SignOnProblem {
  // The provider's own answer to the browser: https://openid.net/specs/openid-connect-core-1_0.html#AuthError
  if (error instanceof client.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied';
    return error.error === 'server_error' || error.error === 'temporarily_unavailable'
      ? 'away'
      : 'misconfigured';
  }
  // Its answer to us: a code that was used, has expired or was not given for this browser's verifier.
  if (error instanceof client.ResponseBodyError) {
    if (error.error === 'invalid_grant') return 'interrupted';
    return error.status >= 500 ? 'away' : 'misconfigured';
  }
  if (error instanceof client.WWWAuthenticateChallengeError) return 'misconfigured';
  if (error instanceof client.ClientError) {
    const { code = '' } = error;
    if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') return 'clock';
    if (AWAY.has(code)) return 'away';
    return MISCONFIGURED.has(code) ? 'misconfigured' : 'untrusted';
  }
  if (error instanceof UnsoundProvider) return 'misconfigured';
  // What `fetch` throws where the network or TLS fails.
  return error instanceof TypeError ? 'away' : 'untrusted';
}
