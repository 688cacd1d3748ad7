import { createPublicKey, sign } from 'node:crypto';

/** Node reads certificates but cannot make them: the DER structures of a self-signed one (RFC 5280). */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const NULL = 0x05;
const OBJECT_ID = 0x06;
const UTF8_TEXT = 0x0c;
const UTC_TIME = 0x17;
const VERSION = 0xa0;

/** sha256WithRSAEncryption and commonName. */
const RSA_SHA256 = der(OBJECT_ID, Buffer.from('2a864886f70d01010b', 'hex'));
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'));

const algorithm = der(SEQUENCE, RSA_SHA256, der(NULL));
const time = (text: string) => der(UTC_TIME, Buffer.from(text));
const bits = (content: Buffer) => der(BIT_STRING, Buffer.from([0]), content);

/** A self-signed certificate for an RSA key, valid from 2020 to 2049, as PEM. */
export function selfSigned(name: string, privateKey: string): string {
  const subject = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8_TEXT, Buffer.from(name)))),
  );
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    subject,
    der(SEQUENCE, time('200101000000Z'), time('491231235959Z')),
    subject,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
  );
  const signed = der(SEQUENCE, body, algorithm, bits(sign('RSA-SHA256', body, privateKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
