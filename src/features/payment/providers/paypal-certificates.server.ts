import { X509Certificate, type KeyObject } from 'node:crypto';

/** Milliseconds that a certificate is cached, unless it expires earlier; longer for a sender over its limit. */
const KEPT_MS = 24 * 3600_000;
const MOST_CACHED = 20;

/** `unavailable`: it could not be fetched now. `refused`: not from PayPal's host, not valid, or no certificate. */
export type CertificateKey = KeyObject | 'unavailable' | 'refused';

/** Milliseconds for which an address without a certificate is not asked for again. */
const REFUSED_MS = 10 * 60_000;
const MOST_REFUSED = 1000;

/** What PayPal calls a certificate: `CERT-360caa42-fca2a594-1d93a270`. */
const CERTIFICATE = /^CERT-[A-Za-z0-9-]{1,80}$/;

/**
 * The public keys of webhook signatures. The certificate's address comes with the webhook, so only those of PayPal's
 * certificates in `folder` are accepted: otherwise anybody could sign with their own, or have us ask for any page
 * there. `mayFetch` is asked before one is fetched that is not kept; what it
 * refuses is `unavailable`, so that a webhook of PayPal's is delivered again.
 */
export function paypalCertificates({
  folder,
  timeoutMs,
  now,
}: {
  folder: string;
  timeoutMs: number;
  now: () => Date;
}) {
  const below = new URL(folder).href;
  const cache = new Map<string, { certificate: X509Certificate; until: number }>();
  const refusedUntil = new Map<string, number>();
  const fetching = new Map<string, ReturnType<typeof fetchCertificate>>();

  async function fetchCertificate(
    url: string,
  ): Promise<X509Certificate | 'unavailable' | 'refused'> {
    try {
      const response = await fetch(url, {
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status >= 400 && response.status < 500) return 'refused';
      if (!response.ok) return 'unavailable';
      return parsed(await response.text()) ?? 'refused';
    } catch {
      return 'unavailable';
    }
  }

  async function certificateAt(
    url: string,
    mayFetch: () => Promise<boolean>,
  ): Promise<X509Certificate | 'unavailable' | 'refused'> {
    const known = cache.get(url);
    if (known && performance.now() < known.until) return known.certificate;
    if (performance.now() < (refusedUntil.get(url) ?? 0)) return 'refused';
    // A sender over its limit may still use what somebody else is fetching, or what was kept until now.
    const underWay = fetching.get(url);
    if (underWay) return underWay;
    if (!(await mayFetch())) return known?.certificate ?? 'unavailable';
    const begun = fetching.get(url) ?? fetchCertificate(url);
    fetching.set(url, begun);
    const fetched = await begun.finally(() => fetching.delete(url));
    if (fetched === 'refused') {
      if (refusedUntil.size >= MOST_REFUSED) refusedUntil.clear();
      refusedUntil.set(url, performance.now() + REFUSED_MS);
    } else if (fetched !== 'unavailable') {
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(url, { certificate: fetched, until: performance.now() + KEPT_MS });
    }
    return fetched;
  }

  return async function keyAt(
    address: string,
    mayFetch: () => Promise<boolean>,
  ): Promise<CertificateKey> {
    if (!URL.canParse(address)) return 'refused';
    const url = new URL(address);
    if (!url.href.startsWith(below)) return 'refused';
    if (!CERTIFICATE.test(url.href.slice(below.length))) return 'refused';
    const certificate = await certificateAt(url.href, mayFetch);
    if (typeof certificate === 'string') return certificate;
    const at = now();
    const isValid = at >= certificate.validFromDate && at <= certificate.validToDate;
    return isValid ? certificate.publicKey : 'refused';
  };
}

/** The first certificate of a PEM chain. */
function parsed(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}
