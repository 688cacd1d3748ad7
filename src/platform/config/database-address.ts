/** One server of an address that names several, or the only one. */
export type Server = {
  /** Where it is, for messages: without account and password. */
  name: string;
  host: string;
  /** An address of this server alone. */
  url: string;
};

const SHAPE = /^(postgres(?:ql)?:\/\/)((?:[^/?#]*@)?)([^/?#@]*)([/?#].*)?$/;

/** What libpq calls sessions that can write, and those that need not. */
const SESSIONS = ['any', 'read-write', 'primary'];

/**
 * The servers of `postgres://user:password@one,two:5433/database`, in their order: node-postgres knows one server alone.
 * Null where it is no such address.
 */
export function parseServers(address: string): readonly Server[] | null {
  const [, scheme = '', account = '', hosts = '', rest = ''] = SHAPE.exec(address) ?? [];
  if (scheme === '') return null;
  const servers: Server[] = [];
  for (const host of hosts.split(',')) {
    const url = scheme + account + host + rest;
    if ((host === '' && hosts !== '') || !URL.canParse(url)) return null;
    const { hostname, port, pathname, searchParams } = new URL(url);
    // As node-postgres reads it: a host among the parameters wins; one that begins with a slash is a socket's folder.
    const named = searchParams.get('host') || hostname;
    servers.push({
      name: `${named}:${port || 5432}${pathname}`,
      host: named.startsWith('/') ? '' : named,
      url,
    });
  }
  return servers;
}

/**
 * The address by which the owner of the database is reached: DATABASE_URL, with DATABASE_OWNER_PASSWORD where it names an
 * account without one. Undefined without an address. For migrations and restoring alone: the service has no business
 * with the owner's password, and refuses to start with it in live mode.
 */
export function ownerAddress(variables: {
  DATABASE_URL?: string | undefined;
  DATABASE_OWNER_PASSWORD?: string | undefined;
}): string | undefined {
  const { DATABASE_URL: address, DATABASE_OWNER_PASSWORD: password } = variables;
  if (!address || !password) return address || undefined;
  return address.replace(SHAPE, (whole, scheme: string, account: string) =>
    account === '' || account.includes(':')
      ? whole
      : `${scheme}${account.slice(0, -1)}:${encodeURIComponent(password)}${whole.slice(scheme.length + account.length - 1)}`,
  );
}

/** Whether the address says that a server is to be taken only while it can be written to. */
export const requiresWritable = ({ url }: Server): boolean =>
  ['read-write', 'primary'].includes(sessionOf(url) ?? '');

const sessionOf = (url: string): string | null =>
  new URL(url).searchParams.get('target_session_attrs');

/** What is wrong with an address of PostgreSQL; null where nothing is. */
export function addressMistake(address: string): string | null {
  const servers = parseServers(address);
  const [first] = servers ?? [];
  if (!servers || !first) {
    return 'must be an address that begins with postgres:// or postgresql://, with commas between several hosts';
  }
  const { searchParams } = new URL(first.url);
  if (searchParams.get('host')?.includes(',')) {
    return 'must name several hosts before the name of the database, not in host=';
  }
  const session = sessionOf(first.url);
  return session === null || SESSIONS.includes(session)
    ? null
    : `target_session_attrs must be ${SESSIONS.join(', ')}: the service writes`;
}
