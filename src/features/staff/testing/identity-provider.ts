import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { interactionPolicy, type Configuration } from 'oidc-provider';

/** Somebody who can sign in at the provider, and what it says of them beside a verified `<name>@lale.example`. */
export type ProviderPerson = { claims?: Record<string, unknown>; amr?: string[]; acr?: string };

/** How the provider behaves next. */
type Behaviour = {
  /** Who signs in by themselves, without a page; null shows the provider's page. */
  person: string | null;
  /** Ends the sign-in with this error instead. */
  error: string | null;
  /** When they typed their password, in seconds since 1970; now where left out. */
  authenticatedAt: number | null;
  /** Changes the ID token: its content, and whether somebody else signs it. */
  forge: ((payload: Record<string, unknown>) => Record<string, unknown>) | null;
  isForeignKey: boolean;
  /** Changes the head of the ID token. */
  head: Record<string, unknown> | null;
  /** Groups come by the userinfo address alone. */
  isThin: boolean;
};

const CLIENT_ID = 'lale';
const CLIENT_SECRET = 'a secret of the tests alone, long enough';

export type TestIdentityProvider = {
  issuer: string;
  /** Variables of the service that trusts this provider. */
  variables: Record<string, string>;
  people: Map<string, ProviderPerson>;
  behaviour: Behaviour;
  /** Signs with a new key from now on, and publishes it in place of the old one. */
  replaceKey(): void;
  close(): Promise<void>;
};

/**
 * A real OpenID provider on this machine (`oidc-provider`), for a service at `publicUrl`. Its only client is the service;
 * its sign-in page asks for a name alone.
 */
export async function startIdentityProvider(
  publicUrl: string,
  { port = 0 }: { port?: number } = {},
): Promise<TestIdentityProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  const behaviour: Behaviour = {
    person: null,
    error: null,
    authenticatedAt: null,
    forge: null,
    isForeignKey: false,
    head: null,
    isThin: false,
  };
  const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  let own = newKey();
  const foreign = newKey();
  const withOwnKey = () => {
    const made = new Provider(issuer, configuration({ publicUrl, people, key: own }));
    made.use(forging);
    return made;
  };
  const forging: Parameters<Provider['use']>[0] = async (ctx, next) => {
    await next();
    if (ctx.path !== '/token' || ctx.status !== 200) return;
    const { forge, isForeignKey, isThin, head: otherHead } = behaviour;
    if (!forge && !isForeignKey && !isThin && !otherHead) return;
    const body = ctx.body as Record<string, unknown>;
    const [head = '', payload = ''] = String(body.id_token).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (isThin) delete claims.roles;
    const forged = forge ? forge(claims) : claims;
    const sent = otherHead ? encoded(otherHead) : head;
    ctx.body = { ...body, id_token: signed(sent, forged, isForeignKey ? foreign : own) };
  };
  let provider = withOwnKey();
  let handle = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isInteraction = request.url?.startsWith('/interaction/');
    const work = isInteraction
      ? interact(provider, { behaviour, people }, request, response)
      : handle(request, response);
    Promise.resolve(work).catch(() => response.writeHead(500).end());
  });
  return {
    issuer,
    people,
    behaviour,
    variables: {
      STAFF_SSO_ISSUER: issuer,
      STAFF_SSO_CLIENT_ID: CLIENT_ID,
      STAFF_SSO_CLIENT_SECRET: CLIENT_SECRET,
      STAFF_SSO_NAME: 'Tulip ID',
      STAFF_SSO_ROLES: 'Lale, all=administrator; Lale managers=manager; Lale staff=reviewer',
    },
    replaceKey() {
      own = newKey();
      provider = withOwnKey();
      handle = provider.callback();
    },
    close: () => closed(server),
  };
}

const closed = (server: Server) =>
  new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const encoded = (content: unknown) => Buffer.from(JSON.stringify(content)).toString('base64url');

function signed(head: string, payload: unknown, key: KeyObject): string {
  const content = `${head}.${encoded(payload)}`;
  return `${content}.${createSign('RSA-SHA256').update(content).sign(key, 'base64url')}`;
}

function configuration({
  publicUrl,
  people,
  key,
}: {
  publicUrl: string;
  people: ReadonlyMap<string, ProviderPerson>;
  key: KeyObject;
}): Configuration {
  const policy = interactionPolicy.base();
  // Nobody is asked for consent.
  policy.remove('consent');
  return {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${publicUrl}/admin/single-sign-on/callback`],
        require_auth_time: true,
        ...(publicUrl.startsWith('http:') && { application_type: 'native' as const }),
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['cookies of the tests'] },
    claims: {
      openid: ['sub', 'roles', 'amr', 'acr'],
      email: ['email', 'email_verified'],
      profile: ['name'],
    },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, IdToken: 600, AccessToken: 600 },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => {
        const own = { email: `${sub}@lale.example`, email_verified: true };
        return { sub, ...own, ...people.get(sub)?.claims };
      },
    }),
    async loadExistingGrant(ctx) {
      const { client, session, provider } = ctx.oidc;
      const grant = new provider.Grant({
        clientId: client?.clientId,
        accountId: session?.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  };
}

const page = (uid: string) => `<!doctype html><html lang="en"><title>Tulip ID</title>
<h1>Tulip ID</h1><form method="post" action="/interaction/${uid}">
<label>Name <input name="login"></label><button>Sign in</button>
<button name="cancel" value="yes">Cancel</button></form>`;

/** The provider's own page: asks who somebody is, or takes it from the behaviour. */
async function interact(
  provider: Provider,
  {
    behaviour: { person, error, authenticatedAt },
    people,
  }: { behaviour: Behaviour; people: ReadonlyMap<string, ProviderPerson> },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response);
  const isSent = request.method === 'POST';
  if (!isSent && person === null && error === null) {
    response.setHeader('Content-Type', 'text/html').end(page(uid));
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
  const accountId = form.get('login') ?? person ?? '';
  const { amr, acr } = people.get(accountId) ?? {};
  const refusal = form.has('cancel') ? 'access_denied' : error;
  await provider.interactionFinished(
    request,
    response,
    refusal === null
      ? {
          login: {
            accountId,
            ...(amr && { amr }),
            ...(acr && { acr }),
            ...(authenticatedAt !== null && { ts: authenticatedAt }),
          },
        }
      : { error: refusal },
    { mergeWithLastSubmission: false },
  );
}
