import { X509Certificate, type KeyObject } from 'node:crypto';

/** Milliseconds that a certificate is cached, unless it expires earlier. */
const KEPT_MS = 24 * 3600_000;
const MOST_CACHED = 20;

/** `unavailable`: it could not be fetched now. `refused`: not from PayPal's host, not valid, or no certificate. */
export type CertificateKey = KeyObject | 'unavailable' | 'refused';

/**
 * The public keys of webhook signatures. The certificate's address comes with the webhook, so only addresses below
 * `origin` are accepted: otherwise anybody could sign with their own.
 */
export function paypalCertificates({
  origin,
  timeoutMs,
  now,
}: {
  origin: string;
  timeoutMs: number;
  now: () => Date;
}) {
  const cache = new Map<string, { certificate: X509Certificate; until: number }>();

  async function certificateAt(url: string): Promise<X509Certificate | 'unavailable' | 'refused'> {
    const known = cache.get(url);
    if (known && performance.now() < known.until) return known.certificate;
    try {
      const response = await fetch(url, {
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.status >= 400 && response.status < 500) return 'refused';
      if (!response.ok) return 'unavailable';
      const certificate = parsed(await response.text());
      if (!certificate) return 'refused';
      if (cache.size >= MOST_CACHED) cache.clear();
      cache.set(url, { certificate, until: performance.now() + KEPT_MS });
      return certificate;
    } catch {
      return 'unavailable';
    }
  }

  return async function keyAt(address: string): Promise<CertificateKey> {
    if (!URL.canParse(address)) return 'refused';
    const url = new URL(address);
    if (url.origin !== origin || url.username || url.password) return 'refused';
    const certificate = await certificateAt(url.href);
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
