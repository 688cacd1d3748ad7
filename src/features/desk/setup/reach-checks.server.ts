import { DAY_MS } from '~/base/dates/dates.ts';
import { connect } from 'node:tls';
import { z } from 'zod';
import { errorReason } from '~/base/error-reason.ts';
import { providerNames } from '~/base/payment-providers.ts';
import { callbackAddress } from '~/features/staff/sign-on.server.ts';
import { isSafe } from '~/platform/config/config-providers.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { isThisMachine } from '~/platform/config/config-live.server.ts';
import type { SingleSignOnConfig } from '~/platform/config/config-single-sign-on.server.ts';
import type { MailboxConfig } from '~/platform/config/config-mailbox.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { parseServers } from '~/platform/config/database-address.ts';
import { openFileStore } from '~/platform/files/open-store.server.ts';
import { sql } from 'drizzle-orm';
import type { Database } from '~/platform/postgres/database.server.ts';
import {
  commandMend,
  makeFinding,
  guideMend,
  missing,
  mistakesFound,
  passCheck,
  recordMend,
  unknown,
  variableMend,
  type CheckFinding,
  type CheckReport,
} from './setup-check.ts';

/** The end of a certificate that a host showed and that this machine trusts for it. */
export type CertificateEnd = (host: string, port: number) => Promise<Date>;
export type Fetch = (address: string, options: RequestInit) => Promise<Response>;

/** Authorities renew about 30 days before the end; one that is this close is not renewed by itself. */
const RENEWED_BEFORE_MS = 14 * DAY_MS;
const PROXY_GUIDE = guideMend('docs/going-live.md, “Proxy”');

/** Whether the address of the service shows a certificate that browsers accept, and goes on doing so. */
export async function tlsCheck(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { certificateEnd, now }: { certificateEnd: CertificateEnd; now: () => Date },
): Promise<CheckReport> {
  const { protocol, hostname, port: typed } = new URL(publicUrl);
  if (protocol !== 'https:') {
    return missing(makeFinding('tlsNone'), variableMend('PUBLIC_URL'));
  }
  const port = typed === '' ? 443 : Number(typed);
  try {
    const end = await certificateEnd(hostname, port);
    const values = { host: hostname, day: end.toISOString().slice(0, 10) };
    return end.getTime() - now().getTime() < RENEWED_BEFORE_MS
      ? missing(makeFinding('tlsEnding', values), PROXY_GUIDE)
      : passCheck(makeFinding('tlsGood', values));
  } catch (error) {
    const values = { host: hostname, port, reason: errorReason(error) };
    return missing(makeFinding('tlsBad', values), PROXY_GUIDE);
  }
}

/** Asks by TLS, with the check of name, chain and dates that browsers make. */
export const askCertificateEnd =
  (timeoutMs: number): CertificateEnd =>
  (host, port) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port, servername: host, timeout: timeoutMs });
      socket.once('secureConnect', () => {
        resolve(new Date(socket.getPeerCertificate().valid_to));
        socket.destroy();
      });
      socket.once('timeout', () => {
        socket.destroy(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' }));
      });
      socket.once('error', reject);
    });

/**
 * Whether the proxy leads to the service, leads HTTP to HTTPS, and is believed about travellers' addresses. That it takes
 * no such address from travellers themselves cannot be seen from here.
 */
export async function proxyCheck(
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
  ask: Fetch,
): Promise<CheckReport> {
  const { protocol, host, port } = new URL(publicUrl);
  if (protocol !== 'https:') return unknown(makeFinding('needsAddress'));
  const faults: CheckFinding[] = [];
  const health = await statusOf(`${publicUrl}/healthz`, ask);
  if (health.text !== 'ok') {
    const reason = health.reason;
    faults.push(makeFinding('proxyAway', { address: `${publicUrl}/healthz`, reason }));
  }
  // Beside another port than 443, port 80 may be another service's. Where nothing listens on it, nothing is sent in the
  // clear.
  const plain = port === '' ? await statusOf(`http://${host}/`, ask) : null;
  if (plain && plain.status !== null && !plain.location.startsWith('https://')) {
    faults.push(makeFinding('proxyPlain', { host, reason: plain.reason }));
  }
  if (!trustProxy) faults.push(makeFinding('proxyUnbelieved'));
  return faults.length === 0
    ? passCheck(makeFinding('proxyGood', { address: publicUrl }))
    : missing(faults, PROXY_GUIDE, ...(trustProxy ? [] : [variableMend('TRUST_PROXY=yes')]));
}

async function statusOf(address: string, ask: Fetch) {
  try {
    const answer = await ask(address, { redirect: 'manual' });
    const text = (await answer.text()).trim();
    const location = answer.headers.get('location') ?? '';
    return { status: answer.status, text, location, reason: String(answer.status) };
  } catch (error) {
    return { status: null, text: '', location: '', reason: errorReason(error) };
  }
}

/** Whether the mail server lets us in. `signIn` says hello, begins TLS and shows our account. */
export async function mailCheck(
  { mailUrl }: Pick<Config, 'mailUrl'>,
  signIn: () => Promise<unknown>,
): Promise<CheckReport> {
  const host = mailUrl ? new URL(mailUrl).hostname : '';
  try {
    await signIn();
    return passCheck(makeFinding('mailGood', { host }));
  } catch (error) {
    const status = error instanceof Error && 'responseCode' in error ? error.responseCode : '';
    const reason = `${errorReason(error)} ${typeof status === 'number' ? status : ''}`.trim();
    return missing(makeFinding('mailBad', { host, reason }), variableMend('MAIL_URL'));
  }
}

/** Whether the mailbox lets us in, and how much in it is for a person to see to. */
export async function mailboxCheck(
  { host }: Pick<MailboxConfig, 'host'>,
  countLeft: () => Promise<number>,
): Promise<CheckReport> {
  try {
    const left = await countLeft();
    return passCheck([makeFinding('mailGood', { host }), makeFinding('mailboxLeft', { left })]);
  } catch (error) {
    const reason = errorReason(error);
    return missing(makeFinding('mailBad', { host, reason }), variableMend('MAILBOX_URL'));
  }
}

/** The TXT records of a name, as `resolveTxt` of node:dns gives them. */
export type ResolveTxt = (name: string) => Promise<string[][]>;

/** The domain of a sender: `Name <name@example.org>` or `name@example.org`. */
const domainOf = (sender: string): string =>
  /@([^<>\s@]+)>?$/.exec(sender)?.[1]?.toLowerCase() ?? '';

/** A domain and those above it that somebody can own, nearest first: a.b.org, b.org. */
function withParents(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
}

/**
 * Whether the DNS tells receivers which servers send for our domain, by which key they sign, and to refuse what only
 * claims to be ours. Only that each record is there, once, and is no open one: what receivers make of them, the headers
 * of a received e-mail say.
 */
export async function senderCheck(
  { mailFrom, dkimSelector }: Pick<Config, 'mailFrom' | 'dkimSelector'>,
  resolve: ResolveTxt,
): Promise<CheckReport> {
  const domain = domainOf(mailFrom);
  const records = [
    {
      kind: 'SPF',
      names: [domain],
      begins: /^v=spf1( |$)/i,
      closes: /[ ~-](redirect=|[~-]all)/i,
      value: 'v=spf1 include:… -all',
    },
    {
      kind: 'DKIM',
      names: dkimSelector ? [`${dkimSelector}._domainkey.${domain}`] : [],
      begins: /(^|;)\s*p=/,
      closes: /(^|;)\s*p=\s*[\w+/]/,
      value: 'v=DKIM1; k=rsa; p=…',
    },
    {
      kind: 'DMARC',
      // Where a domain has none, that of the domain above counts.
      names: withParents(domain).map((owner) => `_dmarc.${owner}`),
      begins: /^v=DMARC1\s*(;|$)/,
      closes: /;\s*p\s*=\s*(quarantine|reject)/i,
      value: 'v=DMARC1; p=quarantine; rua=mailto:…',
    },
  ];
  const results = await Promise.all(
    records.map(async ({ kind, names, begins, closes, value }): Promise<CheckReport | null> => {
      for (const name of names) {
        const texts = await textsAt(name, resolve);
        if (!Array.isArray(texts)) return unknown(texts);
        const its = texts.filter((text) => begins.test(text));
        if (its.length === 1 && its.every((text) => closes.test(text))) return null;
        if (its.length > 0) break;
      }
      const [name] = names;
      return name === undefined
        ? unknown(makeFinding('dkimSelector'), variableMend('MAIL_DKIM_SELECTOR'))
        : missing(
            makeFinding('recordMissing', { name, kind }),
            recordMend(`${name} TXT "${value}"`),
          );
    }),
  );
  const faults = results.flatMap((fault) => fault ?? []);
  if (faults.length === 0) return passCheck(makeFinding('senderGood', { domain }));
  const answer = faults.some(({ state }) => state === 'missing') ? missing : unknown;
  return answer(
    faults.flatMap((fault) => fault.found),
    ...faults.flatMap((fault) => fault.mend),
  );
}

/** No such name, and no such record: the DNS answered that there is none. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/** The texts at a name, none where the DNS says so; or what is found where it does not answer. */
async function textsAt(name: string, resolve: ResolveTxt): Promise<string[] | CheckFinding> {
  try {
    // A long record comes in parts, which belong together without a space (RFC 7208, 3.3).
    return (await resolve(name)).map((parts) => parts.join(''));
  } catch (error) {
    const reason = errorReason(error);
    return ABSENT.has(reason) ? [] : makeFinding('dnsAway', { name, reason });
  }
}

/** Whether files can be kept: lists, writes, reads and removes a small one, as every start does. */
export async function filesCheck(config: Config): Promise<CheckReport> {
  const store = openFileStore(config);
  try {
    await store.check();
    return passCheck(makeFinding('filesGood', { place: store.name }));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return missing(mistakesFound(error.mistakes), variableMend('FILES_URL'));
  } finally {
    store.close();
  }
}

/** What sign-in needs of a provider's description (OpenID Connect Discovery 1.0, section 3). */
const description = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string().optional(),
  token_endpoint: z.string().optional(),
  jwks_uri: z.string().optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
});
const keys = z.object({ keys: z.array(z.object({ kty: z.string() })).min(1) });

const ADDRESSES = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;

/**
 * Whether the identity provider of staff answers, is who the configuration names, and offers what sign-in needs. Whether
 * it accepts our client shows only when somebody signs in.
 */
export async function signOnCheck(
  { issuer }: Pick<SingleSignOnConfig, 'issuer'>,
  publicUrl: string,
  ask: Fetch,
): Promise<CheckReport> {
  const mend = [
    variableMend('STAFF_SSO_ISSUER'),
    guideMend('docs/operations.md, “Single sign-on of staff”'),
  ];
  const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const answer = await readJson(address, description, ask);
  if ('reason' in answer) {
    return missing(makeFinding('signOnAway', { address, reason: answer.reason }), ...mend);
  }
  const { value } = answer;
  const faults: CheckFinding[] = [];
  if (value.issuer.replace(/\/+$/, '') !== issuer.replace(/\/+$/, '')) {
    faults.push(makeFinding('signOnOther', { issuer, found: value.issuer }));
  }
  for (const field of ADDRESSES) {
    const there = value[field];
    if (there === undefined) faults.push(makeFinding('signOnMissing', { field }));
    else if (!isSafe(there)) faults.push(makeFinding('signOnPlain', { field }));
  }
  // Providers may leave it out and support it nevertheless.
  const methods = value.code_challenge_methods_supported;
  if (methods && !methods.includes('S256')) {
    faults.push(makeFinding('signOnMissing', { field: 'PKCE S256' }));
  }
  if (faults.length > 0 || value.jwks_uri === undefined) return missing(faults, ...mend);
  const shown = await readJson(value.jwks_uri, keys, ask);
  if ('reason' in shown) {
    const values = { address: value.jwks_uri, reason: shown.reason };
    return missing(makeFinding('signOnKeys', values), ...mend);
  }
  return passCheck(
    makeFinding('signOnGood', { issuer: value.issuer, url: callbackAddress({ publicUrl }) }),
  );
}

async function readJson<T>(
  address: string,
  schema: z.ZodType<T>,
  ask: Fetch,
): Promise<{ value: T } | { reason: string }> {
  try {
    const answer = await ask(address, { headers: { accept: 'application/json' } });
    if (!answer.ok) return { reason: String(answer.status) };
    const parsed = schema.safeParse(await answer.json());
    return parsed.success ? { value: parsed.data } : { reason: 'JSON' };
  } catch (error) {
    return { reason: errorReason(error) };
  }
}

/** Another clock: what it is called, and what it says, to `precisionMs`. */
export type OtherClock = { name: string; precisionMs: number; read: () => Promise<Date | null> };

/** Codes of the second factor are refused from 30 seconds on; PayPal's signatures and our links expire by the clock. */
const MAX_CLOCK_DIFFERENCE_MS = 5000;

/**
 * Whether this machine's clock agrees with others. One reading is as good as the time it took, so a difference counts
 * only beyond that and the other clock's precision.
 */
export async function clockCheck(
  now: () => Date,
  others: readonly OtherClock[],
): Promise<CheckReport> {
  const readings = await Promise.all(
    others.map(async ({ name, precisionMs, read }) => {
      const before = now().getTime();
      const time = await read().catch(() => null);
      const after = now().getTime();
      if (!time) return [];
      const earliest = time.getTime() - after;
      const latest = time.getTime() + precisionMs - before;
      // Zero where our clock fits between the two.
      return [{ name, offMs: earliest > 0 ? earliest : Math.max(0, -latest) }];
    }),
  );
  const offsets = readings.flat();
  const mend = commandMend('timedatectl set-ntp true');
  if (offsets.length === 0) return unknown(makeFinding('clockAlone'), mend);
  const off = offsets.filter(({ offMs }) => offMs > MAX_CLOCK_DIFFERENCE_MS);
  const namesOf = (list: typeof offsets) => list.map(({ name }) => name).join(', ');
  if (off.length === 0) {
    return passCheck(makeFinding('clockGood', { names: namesOf(offsets) }));
  }
  const seconds = Math.round(Math.max(...off.map(({ offMs }) => offMs)) / 1000);
  const values = { names: namesOf(off), seconds };
  return missing(makeFinding('clockOff', values), mend);
}

/** Clocks of other machines: the database's, and those by which the partners date their answers. */
export function otherClocks(
  { config, database }: { config: Config | null; database: { db: Database; url: string } | null },
  ask: Fetch,
) {
  const clocks = providerNames.flatMap((name) => {
    const address = config?.providers[name]?.endpoint;
    return address ? [partnerClock(new URL(address), ask)] : [];
  });
  // An embedded database, and a proxy to a partner on this machine, have this machine's clock and prove nothing.
  const servers = (database && parseServers(database.url)) ?? [];
  const isElsewhere = servers.length > 0 && servers.every(({ host }) => !isThisMachine(host));
  if (database && isElsewhere) {
    const name = servers.map((server) => server.name).join(', ');
    clocks.push({
      name,
      host: servers[0]?.host ?? '',
      precisionMs: 0,
      read: () => databaseTime(database.db),
    });
  }
  return clocks.filter(({ host }) => !isThisMachine(host));
}

const partnerClock = (
  { origin, host, hostname }: URL,
  ask: Fetch,
): OtherClock & { host: string } => ({
  name: host,
  host: hostname,
  // The header has whole seconds.
  precisionMs: 1000,
  read: async () => {
    const answer = await ask(origin, { method: 'HEAD', redirect: 'manual' });
    const date = answer.headers.get('date');
    return date ? new Date(date) : null;
  },
});

/** The database's own clock. */
async function databaseTime(db: Database): Promise<Date> {
  const { rows } = await db.execute<{ at: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::text as at`,
  );
  return new Date(Number(rows[0]?.at));
}
