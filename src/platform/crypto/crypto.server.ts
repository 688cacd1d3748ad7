import { argon2, hash, randomBytes, timingSafeEqual } from 'node:crypto';

export { makeSealer, UnsealError, type Sealer, type SealingKeys } from './seal.server.ts';
export { makeSigner, type Signer, type Verified } from './sign.server.ts';

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
