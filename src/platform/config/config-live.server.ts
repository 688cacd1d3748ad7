import { isIP } from 'node:net';
import { parseServers, type Server } from './database-address.ts';
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

type Given = {
  MAIL_URL?: string;
  MAIL_FROM?: string;
  DATABASE_URL?: string;
  DATABASE_READ_URL?: string;
  DATABASE_WITHOUT_TLS?: string | boolean;
};

/** Whether a host is this machine: what is sent there does not cross a network, so it may go unencrypted. */
export const isThisMachine = (host: string): boolean =>
  host === '' ||
  host === 'localhost' ||
  host === '[::1]' ||
  (isIP(host) === 4 && host.startsWith('127.'));

/** What would travel in the clear, or to a server that nobody checked (OWASP ASVS 5.0, 12.3.1 and 12.3.2). */
export function transportMistakes(given: Given): string[] {
  return [...mailMistakes(given), ...databaseMistakes(given)];
}

function mailMistakes({ MAIL_URL, MAIL_FROM = 'no-reply@localhost' }: Given): string[] {
  const mistakes: string[] = [];
  const domain = /@([^<>\s@]+)>?$/.exec(MAIL_FROM)?.[1] ?? '';
  if (!domain.includes('.') || /(^|\.)(example(\.\w+)?|invalid|localhost|test)$/i.test(domain)) {
    mistakes.push('MAIL_FROM: must be an address of your own domain, which travellers can trust');
  }
  if (MAIL_URL && URL.canParse(MAIL_URL)) {
    const { hostname, searchParams } = new URL(MAIL_URL);
    const weakens = [...searchParams].some(
      ([name, value]) =>
        (/^ignoreTLS$/i.test(name) && value !== 'false') ||
        (/^requireTLS$/i.test(name) && value === 'false') ||
        (/^tls\./i.test(name) && /rejectUnauthorized$/i.test(name) && value !== 'true'),
    );
    if (weakens && !isThisMachine(hostname)) {
      mistakes.push('MAIL_URL: must not switch TLS or the check of its certificate off');
    }
  }
  return mistakes;
}

/** Every server of an address has to be reached like this: after a failover another one is used. */
function databaseMistakes({ DATABASE_WITHOUT_TLS, ...given }: Given): string[] {
  if (DATABASE_WITHOUT_TLS === true || DATABASE_WITHOUT_TLS === 'yes') return [];
  return (['DATABASE_URL', 'DATABASE_READ_URL'] as const).flatMap((name) => {
    const servers = parseServers(given[name] ?? '') ?? [];
    if (servers.every((server) => isThisMachine(server.host) || isVerified(server))) return [];
    return `${name}: must end with sslmode=verify-full for a database on another machine, or DATABASE_WITHOUT_TLS=yes say that the network between is yours alone`;
  });
}

/** node-postgres takes the last of several. */
const isVerified = ({ url }: Server): boolean =>
  new URL(url).searchParams.getAll('sslmode').at(-1) === 'verify-full';

/**
 * The most bits of entropy that a text can hold, by how often its characters occur; what repeats itself counts once.
 */
export function estimateBits(text: string): number {
  const unit = text.slice(0, periodOf(Array.from(text)));
  const times = new Map<string, number>();
  for (const sign of unit) times.set(sign, (times.get(sign) ?? 0) + 1);
  const perSign = [...times.values()]
    .map((count) => count / unit.length)
    .reduce((sum, share) => sum - share * Math.log2(share), 0);
  return perSign * unit.length;
}

/** Whether 32 bytes look random: many different ones, without a pattern. */
export function isRandomKey(key: Uint8Array): boolean {
  const steps = [...key].map((byte, index) => (byte - (key[index - 1] ?? 0) + 256) % 256);
  const isPattern = new Set(steps.slice(1)).size < 8 || periodOf([...key]) <= key.length / 2;
  // Of 32 random bytes, fewer than 20 differ once in more than 10^9 draws.
  return new Set(key).size >= 20 && !isPattern;
}

/** The length of the shortest beginning of which the whole is a repetition; the whole length where nothing repeats. */
function periodOf(list: readonly unknown[]): number {
  for (let period = 1; period <= list.length / 2; period += 1) {
    if (list.every((one, index) => index < period || one === list[index - period])) return period;
  }
  return list.length;
}

/** What can be read of a key in PEM, private or public; null where it is none. */
export function readKey(pem: string, kind: 'private' | 'public'): KeyObject | null {
  try {
    return kind === 'private' ? createPrivateKey(pem) : createPublicKey(pem);
  } catch {
    return null;
  }
}

/** RSA below 2048 bits is broken or soon will be (NIST SP 800-131A); other kinds have no such measure. */
export function isShortRsa(key: KeyObject): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  return bits !== undefined && bits < 2048;
}

/** A public key in one form, to compare it; of a private one its public half. */
export const publicHalf = (key: KeyObject): string =>
  (key.type === 'private' ? createPublicKey(key) : key)
    .export({ type: 'spki', format: 'der' })
    .toString('base64');
