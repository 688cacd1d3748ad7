import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

/** Lines of an environment file: a comment, or a variable with its value. */
type Line = `# ${string}` | `${string}=${string}`;

const base64 = (bytes: number) => randomBytes(bytes).toString('base64');
const hex = (bytes: number) => randomBytes(bytes).toString('hex');

/** PEM as one line, as an environment file holds it. */
const inOneLine = (pem: string) => pem.trim().replaceAll('\n', '\\n');

/** Of the file store that compose.yaml runs. */
const storeDraws = {
  AWS_ACCESS_KEY_ID: () => `GK${hex(12)}`,
  AWS_SECRET_ACCESS_KEY: () => hex(32),
  FILES_RPC_SECRET: () => hex(32),
} as const;

/** Of `.env.owner`, which migrations and restoring alone read. */
const ownerDraws = { DATABASE_OWNER_PASSWORD: () => hex(24) } as const;

/** How a fresh value of each secret is drawn; `day` names the data key, so that the next one gets another name. */
const serviceDraws = {
  DATABASE_PASSWORD: () => hex(24),
  SECRETS: () => base64(32),
  ENCRYPTION_KEYS: (day: string) => `${day}:${base64(32)}`,
  LOOKUP_KEY: () => base64(32),
  ADMIN_PASSWORD: () => base64(18),
  METRICS_TOKEN: () => base64(24),
} as const satisfies Record<string, (day: string) => string>;

export const draws = { ...serviceDraws, ...storeDraws, ...ownerDraws } as const;

/** A fresh key for the card partner, commented out: it is needed only with one, and some partners make it themselves. */
export function cardKeyLines(): Line[] {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 3072,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString();
  return [
    '# Only with a card partner. The public half is for the partner:',
    `# '${inOneLine(publicKey)}'`,
    `# CARD_GATEWAY_PRIVATE_KEY='${inOneLine(privateKey)}'`,
  ];
}

/** Whose secrets are drawn: the service's, those and the file store's of compose.yaml, or the database owner's. */
export type KeyHolder = 'service' | 'store' | 'owner';

/**
 * A fresh value for every password, secret and key that is ours to choose, as lines of an environment file: of
 * `.env.example`, or of `.env.owner.example`. `day` is YYYY-MM-DD.
 */
export function freshKeys(day: string, holder: KeyHolder = 'service'): Line[] {
  if (holder === 'owner') return linesOf(ownerDraws, day);
  return [
    '# Made for one installation. Keep this where backups do not go: without ENCRYPTION_KEYS nothing encrypted opens.',
    ...linesOf(holder === 'store' ? { ...serviceDraws, ...storeDraws } : serviceDraws, day),
    ...cardKeyLines(),
  ];
}

const linesOf = (drawn: Record<string, (day: string) => string>, day: string): Line[] =>
  Object.entries(drawn).map(([name, draw]): Line => `${name}=${draw(day)}`);
