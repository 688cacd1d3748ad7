import { ConfigError } from './config-error.server.ts';
import type { Config } from './config.server.ts';
import { cardKeyLines, draws } from './fresh-keys.server.ts';

type Rotating = Pick<Config, 'encryptionKeys' | 'signingSecrets' | 'lookupKeys'>;
type Step = { says: string; value: string };

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

type Single = {
  /** What has to be done beside the service. */
  says: string;
  lines: () => string[];
};

const drawn = (...names: (keyof typeof draws)[]) =>
  names.map((name) => `${name}=${draws[name]('')}`);

/** Secrets of which the service has one at a time. */
const single: Record<string, Single> = {
  METRICS_TOKEN: {
    says: 'Give it to Prometheus as well: until both have it, nothing is measured.',
    lines: () => drawn('METRICS_TOKEN'),
  },
  DATABASE_PASSWORD: {
    says: 'alter role lale password … with it, by the owner, then restart at once: open connections stay, new ones need it.',
    lines: () => drawn('DATABASE_PASSWORD'),
  },
  DATABASE_OWNER_PASSWORD: {
    says: 'alter role lale_owner password … with it, by the owner.',
    lines: () => drawn('DATABASE_OWNER_PASSWORD'),
  },
  AWS_SECRET_ACCESS_KEY: {
    says: 'Make a second account of the store with both, set them and restart, then remove the first there.',
    lines: () => drawn('AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'),
  },
  FILES_RPC_SECRET: {
    says: 'Restart the file store with it, all parts of it at once.',
    lines: () => drawn('FILES_RPC_SECRET'),
  },
  CARD_GATEWAY_PRIVATE_KEY: {
    says: 'Give the partner the public half and wait until it accepts both; then set the key and restart.',
    lines: cardKeyLines,
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
  if (one) return [`# ${one.says}`, ...one.lines()];
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
      says: 'npm run reencrypt, until it ends with 0. Then this, and restart: the old key opens nothing any more. Backups of before need it.',
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
    says: 'Stop all processes, set this, npm run rehash until it ends with 0, then start them. All of it stays.',
    value: join([draws.LOOKUP_KEY()], ...lookupKeys.map(base64)),
  },
];

const join = (first: readonly string[], ...more: string[]) => [...first, ...more].join(',');

const linesOf = (name: string, steps: readonly Step[]): string[] =>
  steps.flatMap(({ says, value }, at) => [
    `# ${at + 1}. ${says}`,
    `${at === 0 ? '' : '# '}${name}=${value}`,
  ]);
