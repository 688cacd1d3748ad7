import { createHmac, timingSafeEqual } from 'node:crypto';

export type Verified =
  | { ok: true; payload: unknown }
  | { ok: false; reason: 'malformed' | 'expired' };

export type Signer = {
  /**
   * A compact url-safe token. The payload can be read by whoever holds it: put ids into it, no personal data.
   * A token of one purpose is malformed for every other.
   */
  sign(payload: unknown, purpose: string, expiresAt: Date): string;
  /** The payload is parsed, not checked: the caller's schema does that. */
  verify(token: string, purpose: string, now: Date): Verified;
};

const MALFORMED: Verified = { ok: false, reason: 'malformed' };

/** HMAC-SHA-256 tokens `<expiry in base 36>.<payload>.<signature>`; newest secret first, all accepted. */
export function makeSigner(secrets: readonly string[]): Signer {
  const [newest] = secrets;
  if (!newest) throw new Error('At least one signing secret is needed');

  return {
    sign(payload, purpose, expiresAt) {
      const expiry = Math.ceil(expiresAt.getTime() / 1000).toString(36);
      const body = Buffer.from(JSON.stringify(payload), 'utf8').toString('base64url');
      return `${expiry}.${body}.${mac(newest, purpose, expiry, body).toString('base64url')}`;
    },
    verify(token, purpose, now) {
      const [expiry, body, signature, ...rest] = token.split('.');
      if (!expiry || !body || !signature || rest.length > 0) return MALFORMED;
      const given = Buffer.from(signature, 'base64url');
      const genuine = secrets.some((secret) => isEqual(mac(secret, purpose, expiry, body), given));
      if (!genuine) return MALFORMED;
      if (Number.parseInt(expiry, 36) * 1000 <= now.getTime())
        return { ok: false, reason: 'expired' };
      const payload: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
      return { ok: true, payload };
    },
  };
}

function mac(secret: string, purpose: string, expiry: string, body: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\0${expiry}.${body}`).digest();
}

function isEqual(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}
