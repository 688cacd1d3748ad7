import { connect } from 'node:tls';
import { reasonOf } from '~/base/error-reason.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { checked, guide, variable, waiting, type Check, type Finding } from './setup-check.ts';

/** The end of a certificate that a host showed and that this machine trusts for it. */
export type CertificateEnd = (host: string, port: number) => Promise<Date>;
export type Fetch = (address: string, options: RequestInit) => Promise<Response>;

/** Authorities renew about 30 days before the end; one that is this close is not renewed by itself. */
const RENEWED_BEFORE_MS = 14 * 24 * 3600_000;
const PROXY_GUIDE = guide('docs/going-live.md, “Proxy”');

/** Whether the address of the service shows a certificate that browsers accept, and goes on doing so. */
export async function tlsCheck(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { certificateEnd, now }: { certificateEnd: CertificateEnd; now: () => Date },
): Promise<Check> {
  const { protocol, hostname, port: typed } = new URL(publicUrl);
  if (protocol !== 'https:') {
    return checked('tls', 'missing', { code: 'tlsNone' }, variable('PUBLIC_URL'));
  }
  const port = typed === '' ? 443 : Number(typed);
  try {
    const end = await certificateEnd(hostname, port);
    const values = { host: hostname, day: end.toISOString().slice(0, 10) };
    return end.getTime() - now().getTime() < RENEWED_BEFORE_MS
      ? checked('tls', 'missing', { code: 'tlsEnding', values }, PROXY_GUIDE)
      : checked('tls', 'ok', { code: 'tlsGood', values });
  } catch (error) {
    const values = { host: hostname, port, reason: reasonOf(error) };
    return checked('tls', 'missing', { code: 'tlsBad', values }, PROXY_GUIDE);
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
): Promise<Check> {
  const { protocol, host, port } = new URL(publicUrl);
  if (protocol !== 'https:') return waiting('proxy', 'needsAddress');
  const faults: Finding[] = [];
  const health = await statusOf(`${publicUrl}/healthz`, ask);
  if (health.text !== 'ok') {
    const reason = health.reason;
    faults.push({ code: 'proxyAway', values: { address: `${publicUrl}/healthz`, reason } });
  }
  // Beside another port than 443, port 80 may be another service's. Where nothing listens on it, nothing is sent in the
  // clear.
  const plain = port === '' ? await statusOf(`http://${host}/`, ask) : null;
  if (plain && plain.status !== null && !plain.location.startsWith('https://')) {
    faults.push({ code: 'proxyPlain', values: { host, reason: plain.reason } });
  }
  if (!trustProxy) faults.push({ code: 'proxyUnbelieved' });
  return faults.length === 0
    ? checked('proxy', 'ok', { code: 'proxyGood', values: { address: publicUrl } })
    : checked(
        'proxy',
        'missing',
        faults,
        PROXY_GUIDE,
        ...(trustProxy ? [] : [variable('TRUST_PROXY=yes')]),
      );
}

async function statusOf(address: string, ask: Fetch) {
  try {
    const answer = await ask(address, { redirect: 'manual' });
    const text = (await answer.text()).trim();
    const location = answer.headers.get('location') ?? '';
    return { status: answer.status, text, location, reason: String(answer.status) };
  } catch (error) {
    return { status: null, text: '', location: '', reason: reasonOf(error) };
  }
}
