import { isIP } from 'node:net';
import { serversOf, type Server } from './database-address.ts';

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
    const servers = serversOf(given[name] ?? '') ?? [];
    if (servers.every((server) => isThisMachine(server.host) || isVerified(server))) return [];
    return `${name}: must end with sslmode=verify-full for a database on another machine, or DATABASE_WITHOUT_TLS=yes say that the network between is yours alone`;
  });
}

/** node-postgres takes the last of several. */
const isVerified = ({ url }: Server): boolean =>
  new URL(url).searchParams.getAll('sslmode').at(-1) === 'verify-full';
