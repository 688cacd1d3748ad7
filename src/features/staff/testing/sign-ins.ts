import { randomUUID } from 'node:crypto';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { LOW_COST } from '~/platform/testing/low-cost.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { knownDeviceCookie } from '../known-device.server.ts';
import { sessionCookie } from '../session.server.ts';
import { signIn } from '../sign-in.server.ts';
import { auditEntriesOf, insertAccount } from '../store.server.ts';

/** Staff accounts, and browsers that sign in. Call it at the top of a test file. */
export async function signIns() {
  const platform = await makeTestPlatform();
  const PASSWORD = 'correct horse battery';
  const lowHash = await hashPassword(PASSWORD, LOW_COST);

  async function account(active = true, passwordHash = lowHash) {
    const id = randomUUID();
    const email = `${id.slice(0, 8)}@lale.example`;
    const row = { id, email, name: 'E. Aydın', role: 'reviewer' as const, passwordHash, active };
    await insertAccount(platform.db, { ...row, createdAt: platform.now() });
    return { id, email };
  }

  const browser = (token?: string) =>
    new Request('http://127.0.0.1/admin', {
      headers: token ? { cookie: sessionCookie(platform, token).split(';')[0] ?? '' } : {},
    });

  const attempt = (email: string, password = PASSWORD, token?: string, address = randomUUID()) =>
    signIn(platform, browser(token), { email, password, address });

  async function signedIn(email: string): Promise<string> {
    const outcome = await attempt(email);
    if (!outcome.ok) throw new Error(outcome.error.code);
    return outcome.value.token;
  }

  const cookiesOf = (request: Request) => request.headers.get('cookie') ?? '';

  /** A browser on which somebody has signed in to the account before. */
  function withDevice(accountId: string): Request {
    const cookie = knownDeviceCookie(platform, browser(), accountId).split(';')[0] ?? '';
    return new Request('http://127.0.0.1/admin', { headers: { cookie } });
  }

  const lastAudit = async (id: string) =>
    (await auditEntriesOf(platform.db, { kind: 'account', id })).at(-1)?.action;
  return {
    PASSWORD,
    account,
    attempt,
    browser,
    cookiesOf,
    lastAudit,
    platform,
    signedIn,
    withDevice,
  };
}
