import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();
const PRESENT = 0x01;
const VERIFIED = 0x04;
const NEW_CREDENTIAL = 0x40;

type Ceremony = {
  challenge: string;
  /** Where the browser is, and for whose site it asks. */
  origin: string;
  site: string;
  isVerified?: boolean;
};

/** An authenticator in a few lines (WebAuthn level 2, section 6), which makes and shows one passkey. */
export function authenticator({ counter: from = 0, step = 1 } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  let counter = from;

  function data(flags: number, { site, isVerified = true }: Ceremony, more = Buffer.alloc(0)) {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | PRESENT | (isVerified ? VERIFIED : 0));
    head.writeUInt32BE(counter, 1);
    counter += step;
    return Buffer.concat([sha256(site), head, more]);
  }
  const clientData = (type: string, { challenge, origin }: Ceremony) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const named = (response: Record<string, string>) =>
    JSON.stringify({
      id: id.toString('base64url'),
      rawId: id.toString('base64url'),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    id: id.toString('base64url'),
    setCounter: (to: number) => void (counter = to),
    make(ceremony: Ceremony): string {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      // COSE: an elliptic curve key for ES256 on P-256.
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
          [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
        ]),
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const more = Buffer.concat([Buffer.alloc(16), length, id, key]);
      const authData = new Uint8Array(data(NEW_CREDENTIAL, ceremony, more));
      const attestation = isoCBOR.encode(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]) as Parameters<typeof isoCBOR.encode>[0],
      );
      return named({
        clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
        attestationObject: Buffer.from(attestation).toString('base64url'),
      });
    },
    show(ceremony: Ceremony): string {
      const client = clientData('webauthn.get', ceremony);
      const authData = data(0, ceremony);
      const signature = createSign('SHA256')
        .update(Buffer.concat([authData, sha256(client)]))
        .sign(privateKey);
      return named({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      });
    },
  };
}
