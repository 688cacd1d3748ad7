import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
} from '@simplewebauthn/server';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import type { SetCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { auditAccount } from '../audit.server.ts';
import { deviceName } from '../known-device.server.ts';
import { proveSecondFactor } from '../second-factor.server.ts';
import { requestSession } from '../session.server.ts';
import { lockAccount } from '../store.server.ts';
import {
  challengeCookie,
  consumeChallenge,
  passkeySite,
  passkeysByAccount,
} from './passkey-sign-in.server.ts';
import { passkeyName, readMadePasskey } from './passkey.ts';
import { and, eq } from 'drizzle-orm';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { staffPasskey } from '../tables.server.ts';

/** More than anybody carries. */
const MAX_PASSKEYS = 10;

type AddPasskeyError =
  | 'signed_out'
  | 'not_offered'
  | 'own_factor_missing'
  | 'wrong_code'
  | 'limit'
  | 'too_much'
  | 'refused';

/**
 * What the browser needs to make a passkey, once a code proves that the session's owner asks: a passkey signs in alone
 * later. For whoever has an authenticator app set up, which stays the way in without scripts.
 */
export async function beginPasskey(
  platform: Platform,
  request: Request,
  code: string,
): Promise<
  Outcome<{ options: PublicKeyCredentialCreationOptionsJSON; cookie: SetCookie }, AddPasskeyError>
> {
  const site = passkeySite(platform);
  if (!site) return refused('not_offered');
  const found = await requestSession(platform, request);
  if (!found || found.session.half) return refused('signed_out');
  const { account, session } = found;
  const proved = await proveSecondFactor(platform, account.id, { sessionId: null, code });
  if (!proved.ok) return proved;
  const own = await passkeysByAccount(platform.db, account.id);
  if (own.length >= MAX_PASSKEYS) return refused('too_much');
  const options = await generateRegistrationOptions({
    rpName: 'Lale',
    rpID: site.id,
    userName: account.email,
    userDisplayName: account.name,
    userID: new Uint8Array(Buffer.from(account.id)),
    attestationType: 'none',
    excludeCredentials: own.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const asked = { challenge: options.challenge, purpose: 'add', session: session.id } as const;
  return ok({ options, cookie: challengeCookie(platform, asked) });
}

/** Stores the passkey that the browser made, under a name of its owner's, or else of the browser and system. */
export async function addPasskey(
  platform: Platform,
  request: Request,
  typed: { name: string; response: string },
): Promise<Outcome<null, AddPasskeyError>> {
  const site = passkeySite(platform);
  if (!site) return refused('not_offered');
  const found = await requestSession(platform, request);
  if (!found || found.session.half) return refused('signed_out');
  const { account, session } = found;
  const wanted = { purpose: 'add', session: session.id } as const;
  const expectedChallenge = await consumeChallenge(platform, request, wanted);
  const response = readMadePasskey(typed.response);
  if (expectedChallenge === null || !response) return refused('refused');
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return refused('refused');
  const { credential } = verified.registrationInfo;
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    // Deactivation and a reset of the second factor, which removes passkeys, come before or after it.
    const held = await lockAccount(tx, account.id);
    if (!held?.active || !held.totpSecret) return refused('signed_out');
    const isStored = await insertPasskey(tx, {
      id: credential.id,
      accountId: account.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      name: passkeyName(typed.name) || (deviceName(request) ?? 'Passkey'),
      createdAt: now,
    });
    if (!isStored) return refused('refused');
    await auditAccount(tx, account.id, { at: now, action: 'passkey_added' });
    return ok(null);
  });
}

/** Removes one of one's own passkeys; false for an unknown id. The authenticator app stays. */
export const removePasskey = (
  platform: Platform,
  accountId: string,
  id: string,
): Promise<boolean> =>
  platform.db.transaction(async (tx) => {
    if (!(await deletePasskey(tx, accountId, id))) return false;
    await auditAccount(tx, accountId, { at: platform.now(), action: 'passkey_removed' });
    return true;
  });

/** Stores a passkey; false where its id is there already. */
async function insertPasskey(
  db: Queryable,
  row: typeof staffPasskey.$inferInsert,
): Promise<boolean> {
  const rows = await db
    .insert(staffPasskey)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: staffPasskey.id });
  return rows.length === 1;
}

/** Removes one passkey of an account; false where it has none of this id. */
async function deletePasskey(db: Queryable, accountId: string, id: string): Promise<boolean> {
  const rows = await db
    .delete(staffPasskey)
    .where(and(eq(staffPasskey.accountId, accountId), eq(staffPasskey.id, id)))
    .returning({ id: staffPasskey.id });
  return rows.length === 1;
}
