import { argon2, createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

export { makeSealer, UnsealError, type Sealer, type SealingKeys } from './seal.server.ts';

/** A url-safe random text of at least `bits` bits from the system's source. */
export function randomToken(bits: number): string {
  return randomBytes(Math.ceil(bits / 8)).toString('base64url');
}

/** SHA-256, for storing random tokens: they need no salt, being unguessable. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export type HashCost = { memory: number; passes: number; parallelism: number };

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 40 ms. */
const COST: HashCost = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;

/** Hashes a password for storage, as a PHC string (`$argon2id$v=19$…`). Tests that are not about it hand in a low cost. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive(password, salt, cost, TAG_BYTES);
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/**
 * Whether a password belongs to a stored hash. Without a stored hash it takes as long and answers no,
 * so that answer times do not tell which accounts exist.
 */
export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(
    stored ?? '',
  );
  const [, memory, passes, parallelism, salt = '', tag = ''] = match ?? [];
  const cost = match
    ? { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
    : COST;
  const expected = match ? Buffer.from(tag, 'base64') : Buffer.alloc(TAG_BYTES);
  const given = await derive(
    password,
    match ? Buffer.from(salt, 'base64') : Buffer.alloc(16),
    cost,
    expected.length,
  );
  return timingSafeEqual(given, expected) && match !== null;
}

function derive(
  password: string,
  nonce: Buffer,
  cost: HashCost,
  tagLength: number,
): Promise<Buffer> {
  // The same password can be typed as different code points on different keyboards.
  const message = password.normalize('NFKC');
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce, tagLength, ...cost }, (error, tag) =>
      error ? reject(error) : resolve(tag),
    );
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

type VerifiedToken =
  | { ok: true; payload: unknown }
  | { ok: false; reason: 'malformed' | 'expired' };

export type Signer = {
  /**
   * A compact url-safe token. The payload can be read by whoever holds it: put ids into it, no personal data.
   * A token of one purpose is malformed for every other.
   */
  sign(payload: unknown, purpose: string, expiresAt: Date): string;
  /** The payload is parsed, not checked: the caller's schema does that. */
  verify(token: string, purpose: string, now: Date): VerifiedToken;
};

const MALFORMED: VerifiedToken = { ok: false, reason: 'malformed' };

/** HMAC-SHA-256 tokens `<expiry in base 36>.<payload>.<signature>`; newest secret first, all accepted. */
export function makeSigner(secrets: readonly string[]): Signer {
  const [newest] = secrets;
  if (!newest) throw new Error('At least one signing secret is needed');

  return {
    sign(payload, purpose, expiresAt) {
      const expiry = Math.ceil(expiresAt.getTime() / 1000).toString(36);
      const body = Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url');
      return `${expiry}.${body}.${mac(newest, purpose, expiry, body).toString('base64url')}`;
    },
    verify(token, purpose, now) {
      const [expiry, body, signature, ...rest] = token.split('.');
      if (!expiry || !body || !signature || rest.length > 0) return MALFORMED;
      const given = Buffer.from(signature, 'base64url');
      const genuine = secrets.some((secret) => isEqual(mac(secret, purpose, expiry, body), given));
      if (!genuine) return MALFORMED;
      if (Number.parseInt(expiry, 36) * 1000 <= now.getTime())
        return { ok: false, reason: 'expired' };
      const payload: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
      return { ok: true, payload };
    },
  };
}

function mac(secret: string, purpose: string, expiry: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\0${expiry}.${body}`).digest();
}

function isEqual(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
