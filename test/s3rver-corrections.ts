// Corrections for s3rver 5.0.0, so that it serves Amazon's current client with the current OpenSSL. Import it before.
import crypto from 'node:crypto';
import signatures from '@20minutes/s3rver/lib/signature/v4.js';

const { getStringToSign } = signatures;
// The client signs requests for a bucket as `/bucket/`; the server expects `/bucket`.
signatures.getStringToSign = (request, about) =>
  getStringToSign({ ...request, uri: request.uri.replace(/^\/[^/]+$/, '$&/') }, about);

const { createCipheriv, createDecipheriv } = crypto;
// The server encrypts continuation tokens with DES, which OpenSSL 3 does not have.
const twice = (bytes: Buffer) => Buffer.concat([bytes, bytes]);
Object.assign(crypto, {
  createCipheriv: (name: string, key: Buffer, iv: Buffer, options?: object) =>
    name === 'des'
      ? createCipheriv('aes-128-cbc', twice(key), twice(iv))
      : createCipheriv(name, key, iv, options),
  createDecipheriv: (name: string, key: Buffer, iv: Buffer, options?: object) =>
    name === 'des'
      ? createDecipheriv('aes-128-cbc', twice(key), twice(iv))
      : createDecipheriv(name, key, iv, options),
});
