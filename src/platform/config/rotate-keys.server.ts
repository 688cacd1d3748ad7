import { ConfigError } from './config-error.server.ts';
import type { Config } from './config.server.ts';
import { cardKeyLines, draws } from './fresh-keys.server.ts';

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
  if (name === 'ENCRYPTION_KEYS') return linesOf(name, dataKeySteps(config, day));
  if (name === 'SECRETS') return linesOf(name, secretSteps(config));
  if (name === 'LOOKUP_KEY') return linesOf(name, lookupSteps(config));
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

const linesOf = (name: string, steps: readonly Step[]): string[] =>
  steps.flatMap(({ says, value }, at) => [
    `# ${at + 1}. ${says}`,
    `${at === 0 ? '' : '# '}${name}=${value}`,
  ]);
