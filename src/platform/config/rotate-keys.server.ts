import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { ConfigError } from './config-error.server.ts';
import type { Config } from './config.server.ts';

/** Lines of an environment file: a comment, or a variable with its value. */
type Line = `# ${string}` | `${string}=${string}`;

const random64 = (bytes: number) => randomBytes(bytes).toString('base64');
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
  SECRETS: () => random64(32),
  ENCRYPTION_KEYS: (day: string) => `${day}:${random64(32)}`,
  LOOKUP_KEY: () => random64(32),
  ADMIN_PASSWORD: () => random64(18),
  METRICS_TOKEN: () => random64(24),
} as const satisfies Record<string, (day: string) => string>;

export const draws = { ...serviceDraws, ...storeDraws, ...ownerDraws } as const;

/** A fresh key for the card partner, commented out: it is needed only with one, and some partners make it themselves. */
function cardKeyLines(): Line[] {
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
type KeyHolder = 'service' | 'store' | 'owner';

/**
 * A fresh value for every password, secret and key that is ours to choose, as lines of an environment file: of
 * `.env.example`, or of `.env.owner.example`. `day` is YYYY-MM-DD.
 */
export function freshKeys(day: string, holder: KeyHolder = 'service'): Line[] {
  if (holder === 'owner') return drawnLines(ownerDraws, day);
  return [
    '# Made for one installation. Keep this where backups do not go: without ENCRYPTION_KEYS nothing encrypted opens.',
    ...drawnLines(holder === 'store' ? { ...serviceDraws, ...storeDraws } : serviceDraws, day),
    ...cardKeyLines(),
  ];
}

const drawnLines = (drawn: Record<string, (day: string) => string>, day: string): Line[] =>
  Object.entries(drawn).map(([name, draw]): Line => `${name}=${draw(day)}`);

type Rotating = Pick<Config, 'encryptionKeys' | 'signingSecrets' | 'lookupKeys'>;
type Step = { says: string; value: string };

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

const drawn = (...names: (keyof typeof draws)[]) =>
  names.map((name) => `${name}=${draws[name]('')}`);

type Single = {
  /** What to do, in order. */
  steps: readonly string[];
  /** What the command draws, where it is not for the other side to choose. */
  lines?: () => string[];
};

const databaseAddress: Single = {
  steps: [
    'Its password is that of the account: npm run lale -- keys --rotate DATABASE_PASSWORD draws another.',
  ],
};

const storeAccount: Single = {
  steps: [
    'Make a second account of the store with both, or take one that the store makes. Set both, and restart.',
    'Remove the first account there.',
  ],
  lines: () => drawn('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
};

/** Secrets of which the service has one at a time, and those that another side makes. */
const single: Record<string, Single> = {
  METRICS_TOKEN: {
    steps: [
      'Set it and restart; give it to Prometheus as well: until both have it, nothing is measured.',
    ],
    lines: () => drawn('METRICS_TOKEN'),
  },
  DATABASE_PASSWORD: {
    steps: [
      'alter role lale password … with it, by the owner.',
      'Set it, in DATABASE_URL as well, and restart at once: open connections stay, new ones need it.',
    ],
    lines: () => drawn('DATABASE_PASSWORD'),
  },
  DATABASE_OWNER_PASSWORD: {
    steps: ['alter role lale_owner password … with it, by the owner.', 'Set it.'],
    lines: () => drawn('DATABASE_OWNER_PASSWORD'),
  },
  DATABASE_URL: databaseAddress,
  DATABASE_READ_URL: databaseAddress,
  AWS_ACCESS_KEY_ID: storeAccount,
  AWS_SECRET_ACCESS_KEY: storeAccount,
  AWS_SESSION_TOKEN: {
    steps: [
      'It ends by itself. Ask for temporary credentials anew, set all three, and restart; or give the machine a role, which has no secret.',
    ],
  },
  FILES_RPC_SECRET: {
    steps: ['Restart the file store with it, all parts of it at once.'],
    lines: () => drawn('FILES_RPC_SECRET'),
  },
  CARD_GATEWAY_PRIVATE_KEY: {
    steps: [
      'Give the partner the public half and wait until it accepts both.',
      'Set the key, and restart. Let the partner drop the old one the next day.',
    ],
    lines: cardKeyLines,
  },
  CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: {
    steps: [
      'The partner makes its next key. Set it after the current one, and restart.',
      'Once the partner signs with it, set the next one alone, and restart: the old one is refused.',
    ],
  },
  PAYPAL_CLIENT_SECRET: {
    steps: [
      'Make a second secret on PayPal’s page of the app. Set it, and restart.',
      'npm run lale -- doctor: PayPal accepts the account. Delete the first secret there.',
    ],
  },
  STRIPE_SECRET_KEY: {
    steps: [
      'Roll the key on Stripe’s page of API keys, and let the old one live for some hours.',
      'Set the new one, and restart before the old one ends. npm run lale -- doctor: Stripe accepts it.',
    ],
  },
  STRIPE_WEBHOOK_SECRETS: {
    steps: [
      'Roll the secret on Stripe’s page of the webhook, and let the old one live for a day.',
      'Set <new>,<old>, and restart.',
      'Once Stripe has dropped the old one, set the new one alone, and restart.',
    ],
  },
  MAIL_URL: {
    steps: [
      'The mail provider gives another password. Set it in the address, and restart: emails wait until then.',
      'npm run lale -- doctor: the mail server accepts the account.',
    ],
  },
  MAILBOX_URL: {
    steps: [
      'The mail provider gives another password. Set it in the address, and restart: messages wait in the mailbox until then.',
      'npm run lale -- doctor: the mailbox accepts the account.',
    ],
  },
  STAFF_SSO_CLIENT_SECRET: {
    steps: [
      'Make a second secret of our client at the identity provider. Set it, and restart.',
      'Sign in by it once. Delete the first secret there.',
    ],
  },
  BACKUP_RECIPIENT: {
    steps: [
      'On another machine: npm run lale -- backup-keys <new file>.',
      'Set what it prints, for a while with the old one behind it and a comma between them, and restart.',
      'npm run lale -- backup <folder>. Backups of before need the old key until they are deleted.',
    ],
  },
  ADMIN_PASSWORD: {
    steps: [
      'Change it at /admin/account, or npm run lale -- staff-reset <e-mail>.',
      'Take ADMIN_EMAIL and ADMIN_PASSWORD out: after the first start nothing reads them.',
    ],
  },
};

/**
 * The lines of an environment file that replace one secret, step by step. Only the first step is not commented out. With
 * `day` (YYYY-MM-DD) a new data key is named.
 * @throws ConfigError for a secret that cannot be replaced in this way.
 */
export function rotationLines(name: string, config: Rotating, day: string): string[] {
  if (name === 'ENCRYPTION_KEYS') return stepLines(name, dataKeySteps(config, day));
  if (name === 'SECRETS') return stepLines(name, secretSteps(config));
  if (name === 'LOOKUP_KEY') return stepLines(name, lookupSteps(config));
  const one = single[name];
  if (one) return [...numbered(one.steps), ...(one.lines?.() ?? [])];
  throw new ConfigError([
    `keys --rotate: ${name} is none of ${['ENCRYPTION_KEYS', 'SECRETS', 'LOOKUP_KEY', ...Object.keys(single)].join(', ')}`,
  ]);
}

/** In a rolling restart a process that does not know a key meets what another one sealed with it: so it is learnt first. */
function dataKeySteps({ encryptionKeys }: Rotating, day: string): Step[] {
  const used = new Set(encryptionKeys.map(({ id }) => id));
  let id = day;
  for (let n = 2; used.has(id); n += 1) id = `${day}-${n}`;
  const fresh = draws.ENCRYPTION_KEYS(id);
  const old = encryptionKeys.map((one) => `${one.id}:${base64(one.key)}`);
  return [
    {
      says: 'All processes learn the new key. Set this, and restart them.',
      value: join(old, fresh),
    },
    { says: 'They seal with it. Then this, and restart.', value: join([fresh], ...old) },
    {
      says: 'npm run lale -- reencrypt, until it ends with 0. Then this, and restart: the old key opens nothing any more. Backups of before need it.',
      value: fresh,
    },
  ];
}

function secretSteps({ signingSecrets: old }: Rotating): Step[] {
  const fresh = draws.SECRETS();
  return [
    {
      says: 'All processes learn the new secret. Set this, and restart them.',
      value: join(old, fresh),
    },
    { says: 'They sign with it. Then this, and restart.', value: join([fresh], ...old) },
    {
      says: 'After 180 days no link or cookie of the old one is left; where it leaked, at once: links in emails and known browsers of staff end then. Then this, and restart.',
      value: fresh,
    },
  ];
}

/** Hashes cannot be undone, so that a newer key is put on top of the older ones, and none ever goes. */
const lookupSteps = ({ lookupKeys }: Rotating): Step[] => [
  {
    says: 'Stop all processes, set this, npm run lale -- rehash until it ends with 0, then start them. All of it stays.',
    value: join([draws.LOOKUP_KEY()], ...lookupKeys.map(base64)),
  },
];

const join = (first: readonly string[], ...more: string[]) => [...first, ...more].join(',');

const numbered = (steps: readonly string[]): string[] =>
  steps.length === 1
    ? steps.map((says) => `# ${says}`)
    : steps.map((says, at) => `# ${at + 1}. ${says}`);

const stepLines = (name: string, steps: readonly Step[]): string[] =>
  steps.flatMap(({ says, value }, at) => [
    `# ${at + 1}. ${says}`,
    `${at === 0 ? '' : '# '}${name}=${value}`,
  ]);
