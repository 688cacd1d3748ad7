import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach } from 'vitest';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import { makeTestApp } from '../../../../test/pages.ts';
import { useDatabase } from '../../../../test/database.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import type { Role } from '../roles.ts';
import { openSession, sessionCookie } from '../session.server.ts';
import { accountById, auditEntriesBySubject, insertAccount } from '../store.server.ts';
import { auditEntry } from '../tables.server.ts';
import { startIdentityProvider, type ProviderPerson } from './identity-provider.ts';

/** A browser's cookies, for following a provider's redirects without one. */
function providerBrowser() {
  const jar = new Map<string, string>();

  async function step(address: string): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { headers: { cookie }, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  return {
    /** Follows the provider's redirects until one leads to the service; returns that address. */
    async signInAt(address: string, serviceUrl: string): Promise<string> {
      let next = address;
      for (let steps = 0; steps < 10; steps += 1) {
        const answer = await step(next);
        const location = answer.headers.get('location');
        if (!location) {
          throw new Error(`The provider stays at ${next}: ${answer.status} ${await answer.text()}`);
        }
        next = new URL(location, next).href;
        if (next.startsWith(serviceUrl)) return next;
      }
      throw new Error('The provider redirects on and on');
    },
  };
}

const SERVICE = 'http://127.0.0.1:3000';
export const PASSWORD = 'correct horse battery';

/** A service whose staff sign in at a real provider on this machine. Call it at the top of a test file. */
export async function signOns(variables: Record<string, string> = {}, { aheadMs = 0 } = {}) {
  const provider = await startIdentityProvider(SERVICE);
  afterAll(() => provider.close());
  beforeEach(() => {
    const calm = { person: null, error: null, authenticatedAt: null, forge: null, head: null };
    Object.assign(provider.behaviour, { ...calm, isForeignKey: false, isThin: false });
  });
  const platform = await makeTestPlatform({
    now: new Date(Date.now() + aheadMs),
    database: await useDatabase(),
    variables: { ...provider.variables, TRUST_PROXY: 'yes', ...variables },
  });
  const { db } = platform;
  const app = makeTestApp(platform);
  const passwordHash = await hashPassword(PASSWORD, LOW_COST);

  /** An account, and the person at the provider who has its address. */
  async function staff(role: Role = 'reviewer', { person = {} }: { person?: ProviderPerson } = {}) {
    const id = randomUUID();
    const subject = `sub-${id}`;
    const email = `${subject}@lale.example`;
    const createdAt = platform.now();
    await insertAccount(db, { id, email, name: 'E. Aydın', role, passwordHash, createdAt });
    provider.people.set(subject, { claims: { roles: ['Lale staff'] }, ...person });
    return { id, email, subject };
  }

  /** A request of one browser; every browser has an address of its own. */
  function browser(cookies: string[] = []) {
    const jar = new Map(cookies.map((one) => [one.split('=')[0] ?? '', one]));
    const address = `10.${[0, 0, 0].map(() => Math.floor(Math.random() * 254) + 1).join('.')}`;
    /** The provider’s cookies of each person, as if each had a browser profile there. */
    const profiles = new Map<string, ReturnType<typeof providerBrowser>>();
    const ask = async (path: string, form?: Record<string, string>) => {
      const answer = await app.request(path, {
        method: form ? 'POST' : 'GET',
        headers: { cookie: [...jar.values()].join('; '), 'x-forwarded-for': address },
        ...(form && { body: new URLSearchParams(form) }),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const name = pair.split('=')[0] ?? '';
        if (/Max-Age=0/.test(line)) jar.delete(name);
        else jar.set(name, pair);
      }
      return answer;
    };
    /** Goes to the provider and signs in there; returns the address that it sends the browser back to. */
    const toCallback = async (person: string, path = '/admin/single-sign-on') => {
      provider.behaviour.person = person;
      const begun = await ask(path);
      const location = begun.headers.get('location') ?? '';
      if (!location.startsWith(provider.issuer)) {
        throw new Error(`Not sent to the provider: ${begun.status} ${location}`);
      }
      const there = profiles.get(person) ?? providerBrowser();
      profiles.set(person, there);
      return (await there.signInAt(location, SERVICE)).slice(SERVICE.length);
    };
    return {
      ask,
      jar,
      toCallback,
      /** The whole way to the provider and back. */
      signIn: async (person: string, path?: string) => ask(await toCallback(person, path)),
    };
  }

  /** A browser that is signed in by password. */
  async function signedIn(accountId: string) {
    const token = await openSession(db, { accountId, half: false, now: platform.now() });
    return browser([sessionCookie(platform, token).split(';')[0] ?? '']);
  }

  const entriesOn = async (id: string) => auditEntriesBySubject(db, { kind: 'account', id });
  const refusals = async () =>
    (await db.select().from(auditEntry).where(eq(auditEntry.action, 'sign_on_refused'))).map(
      ({ detail, subjectId }) => `${String(detail.reason)} ${subjectId}`,
    );
  const roleOf = async (id: string) => (await accountById(db, id))?.role;
  return { provider, platform, app, staff, browser, signedIn, entriesOn, refusals, roleOf };
}
