import { afterAll, expect, test } from 'vitest';
import { startIdentityProvider } from '~/features/staff/testing/identity-provider.ts';
import { signOnCheck, type Fetch } from './reach-checks.server.ts';
import type { Result } from './setup-check.ts';

const publicUrl = 'https://tulip.travel';
const outcomeOf = ({ state, found }: Result) => [state, ...found.map(({ code }) => code)];

test('a provider that answers is in order, and the address to register there is named', async () => {
  const provider = await startIdentityProvider(publicUrl);
  afterAll(() => provider.close());
  expect(await signOnCheck(provider, publicUrl, fetch)).toMatchObject({
    state: 'ok',
    found: [
      {
        code: 'signOnGood',
        values: {
          issuer: provider.issuer,
          url: 'https://tulip.travel/admin/single-sign-on/callback',
        },
      },
    ],
  });
});

const issuer = 'https://login.example.org/realms/staff';
const good = {
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
};

/** A provider that answers this to each address; a text is no JSON, a number a status. */
const answering =
  (description: unknown, keys: unknown = { keys: [{ kty: 'RSA' }] }): Fetch =>
  async (address) => {
    const body = address.endsWith('/keys') ? keys : description;
    if (typeof body === 'number') return new Response('', { status: body });
    return new Response(typeof body === 'string' ? body : JSON.stringify(body));
  };

test.each([
  ['gives no description', answering(404), ['missing', 'signOnAway']],
  ['is no provider', answering('<html>'), ['missing', 'signOnAway']],
  ['is somebody else', answering({ ...good, issuer: 'https://other' }), ['missing', 'signOnOther']],
  [
    'lacks an address',
    answering({ ...good, token_endpoint: undefined }),
    ['missing', 'signOnMissing'],
  ],
  [
    'has one without TLS',
    answering({ ...good, jwks_uri: 'http://a.example/keys' }),
    ['missing', 'signOnPlain'],
  ],
  [
    'cannot do PKCE',
    answering({ ...good, code_challenge_methods_supported: ['plain'] }),
    ['missing', 'signOnMissing'],
  ],
  ['shows no keys', answering(good, { keys: [] }), ['missing', 'signOnKeys']],
  ['is in order', answering(good), ['ok', 'signOnGood']],
])('a provider that %s', async (_, ask, expected) => {
  expect(outcomeOf(await signOnCheck({ issuer }, publicUrl, ask))).toEqual(expected);
});

test('one that is away is named without what its error says', async () => {
  const away = async () => {
    throw Object.assign(new Error('secret details'), { code: 'ECONNREFUSED' });
  };
  const check = await signOnCheck({ issuer }, publicUrl, away);
  expect(outcomeOf(check)).toEqual(['missing', 'signOnAway']);
  expect(JSON.stringify(check)).toContain('ECONNREFUSED');
  expect(JSON.stringify(check)).not.toContain('secret details');
});
