import { filesLiveMistakes } from './config-files.server.ts';
import { transportMistakes } from './config-live-transport.server.ts';
import { providerLiveMistakes, type ProvidersGiven } from './config-providers.server.ts';
import { singleSignOnLiveMistakes } from './config-single-sign-on.server.ts';
import { bitsOf, isRandomKey } from './secret-strength.server.ts';
import { TEST_MARK } from '../crypto/secrets.server.ts';

type Given = ProvidersGiven & {
  PUBLIC_URL?: string;
  MAIL_URL?: string;
  MAIL_FROM?: string;
  DATABASE_URL?: string;
  DATABASE_READ_URL?: string;
  DATABASE_WITHOUT_TLS?: string | boolean;
  FILES_URL?: string;
  FILES_WITHOUT_TLS?: string | boolean;
  SECRETS?: string | readonly string[];
  ENCRYPTION_KEYS?: string | readonly { id: string; key: Uint8Array }[];
  LOOKUP_KEY?: string | readonly Uint8Array[];
  METRICS_TOKEN?: string;
  ADMIN_PASSWORD?: string;
  STAFF_SSO_ISSUER?: string;
  STAFF_SSO_CLIENT_SECRET?: string;
  AUTHORITIES_CHARGE?: string;
};

/**
 * Bits that a signing secret must be able to hold, and bits of one that only gives access to the metrics. The estimate
 * of 32 hexadecimal characters that chance draws falls below 88 once in a million draws, so 80 refuses none of them.
 */
export const SECRET_BITS = 80;
const TOKEN_BITS = 56;

/** What live mode asks for beyond well-formed variables. Pure: looks only at what is given. */
export function liveMistakes(given: Given): string[] {
  const mistakes: string[] = [];
  const refuse = (when: boolean, mistake: string) => {
    if (when) mistakes.push(`${mistake} (MODE=live)`);
  };
  refuse(!given.PUBLIC_URL?.startsWith('https:'), 'PUBLIC_URL: must begin with https://');
  refuse(!given.MAIL_URL, 'MAIL_URL: must name a mail server');
  refuse(
    !given.AUTHORITIES_CHARGE,
    'AUTHORITIES_CHARGE: must say whether what the Turkish authorities charge is included or not_included',
  );
  for (const mistake of providerLiveMistakes(given)) refuse(true, mistake);
  for (const mistake of transportMistakes(given)) refuse(true, mistake);
  for (const mistake of filesLiveMistakes(given)) refuse(true, mistake);
  for (const mistake of singleSignOnLiveMistakes(given)) refuse(true, mistake);
  for (const mistake of secretMistakes(given)) refuse(true, mistake);
  return mistakes;
}

/** One mistake for each secret at most: the first that is wrong with it. */
function secretMistakes(given: Given): string[] {
  const secrets = secretsOf(given);
  const keys = keysOf(given);
  const lookups = lookupsOf(given);
  const { METRICS_TOKEN: token } = given;
  const checks: [boolean, string][] = [
    [lookups.length === 0, 'LOOKUP_KEY: must be set to 32 random bytes in base64'],
    [
      lookups.some((key) => !isRandomKey(key)),
      'LOOKUP_KEY: is not random; make one with openssl rand -base64 32',
    ],
    [
      secrets.length === 0 || secrets.some(isMarked),
      'SECRETS: must be set to secrets of your own, not generated test ones',
    ],
    [
      secrets.some((secret) => bitsOf(secret) < SECRET_BITS),
      'SECRETS: one can be guessed; make each with openssl rand -base64 32',
    ],
    [
      keys.length === 0 || keys.some(({ id }) => id.startsWith(TEST_MARK)),
      'ENCRYPTION_KEYS: must be set to keys of your own, not generated test ones',
    ],
    [
      keys.some(({ key }) => key.length === 32 && !isRandomKey(key)),
      'ENCRYPTION_KEYS: one is not random; make each with openssl rand -base64 32',
    ],
    [
      token !== undefined && bitsOf(token) < TOKEN_BITS,
      'METRICS_TOKEN: can be guessed; make one with openssl rand -base64 24',
    ],
  ];
  const wrong = checks.filter(([when]) => when).map(([, mistake]) => mistake);
  const named = new Set<string>();
  const firsts = wrong.filter((mistake) => {
    const [name = ''] = mistake.split(':');
    return named.has(name) ? false : named.add(name);
  });
  return [...firsts, ...usedTwice(given)];
}

/** One key for two purposes: who learns it has both, and neither can be replaced alone. */
function usedTwice(given: Given): string[] {
  const uses: [name: string, values: string[]][] = [
    ['ENCRYPTION_KEYS', keysOf(given).map(({ key }) => hex(key))],
    ['LOOKUP_KEY', lookupsOf(given).map(hex)],
    ['SECRETS', secretsOf(given).flatMap(formsOf)],
    ['METRICS_TOKEN', formsOf(given.METRICS_TOKEN ?? '')],
    ['ADMIN_PASSWORD', formsOf(given.ADMIN_PASSWORD ?? '')],
    ['STAFF_SSO_CLIENT_SECRET', formsOf(given.STAFF_SSO_CLIENT_SECRET ?? '')],
  ];
  const seen = new Map<string, string>();
  const mistakes = new Set<string>();
  for (const [name, values] of uses) {
    for (const value of values.filter((one) => one !== '')) {
      const first = seen.get(value);
      if (first === name) mistakes.add(`${name}: holds the same one twice`);
      else if (first) mistakes.add(`${name}: is also used as ${first}; each needs its own`);
      else seen.set(value, name);
    }
  }
  return [...mistakes];
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** A secret as its own bytes, and as the bytes that it may encode. */
const formsOf = (secret: string): string[] => {
  if (secret === '') return [];
  const decoded = Buffer.from(secret, 'base64');
  return decoded.length === 32 ? [hex(decoded)] : [hex(Buffer.from(secret))];
};

const isMarked = (secret: string): boolean =>
  secret.startsWith(TEST_MARK) || /change-?me|example|demo/i.test(secret);

function secretsOf({ SECRETS }: Given): readonly string[] {
  if (!SECRETS) return [];
  return typeof SECRETS === 'string' ? SECRETS.split(',').map((part) => part.trim()) : SECRETS;
}

function keysOf({ ENCRYPTION_KEYS }: Given): readonly { id: string; key: Uint8Array }[] {
  if (!ENCRYPTION_KEYS) return [];
  if (typeof ENCRYPTION_KEYS !== 'string') return ENCRYPTION_KEYS;
  return ENCRYPTION_KEYS.split(',').map((part) => {
    const [id = '', text = ''] = part.trim().split(/:(.*)/s);
    return { id, key: Buffer.from(text, 'base64') };
  });
}

/** Those that are keys; what is none is refused as such. */
function lookupsOf({ LOOKUP_KEY = [] }: Given): readonly Uint8Array[] {
  const keys =
    typeof LOOKUP_KEY === 'string'
      ? LOOKUP_KEY.split(',').map((part) => Buffer.from(part.trim(), 'base64'))
      : LOOKUP_KEY;
  return keys.filter(({ length }) => length === 32);
}
