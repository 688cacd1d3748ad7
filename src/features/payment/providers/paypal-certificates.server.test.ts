import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { selfSigned } from '~/lab/paypal/paypal-calls.server.ts';
import { paypalCertificates } from './paypal-client.server.ts';

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});
const pem = selfSigned('paypal', privateKey);
let asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
  asked.push(url);
  response.statusCode = url.includes('CERT-real') ? 200 : 404;
  response.end(url.includes('CERT-real') ? pem : 'no');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const origin = `http://127.0.0.1:${port}`;
const certs = `${origin}/v1/notifications/certs`;
const make = () =>
  paypalCertificates({
    folder: `${certs}/`,
    timeoutMs: 5000,
    now: () => new Date('2026-11-27T12:00:00Z'),
  });
const always = async () => true;
const never = async () => false;

beforeEach(() => {
  asked = [];
});
afterAll(() => void server.close());

test.each([
  `${origin}/`,
  `${origin}/v1/oauth2/token`,
  `${certs}/`,
  `${certs}/other`,
  `${certs}/CERT-real/more`,
  `${certs}/CERT-real?redirect=1`,
  `${certs}/CERT-real#x`,
  `${certs}/../../../CERT-real`,
  `${certs}/%2e%2e/CERT-real`,
  `${certs}/CERT-${'a'.repeat(200)}`,
  `http://127.0.0.1:${port + 1}/v1/notifications/certs/CERT-real`,
])('%s is not asked for', async (address) => {
  expect(await make()(address, always)).toBe('refused');
  expect(asked).toEqual([]);
});

test('a certificate is asked for once, also by many at once', async () => {
  const keyAt = make();
  const keys = await Promise.all(
    Array.from({ length: 10 }, () => keyAt(`${certs}/CERT-real-1`, always)),
  );
  for (const key of keys) expect(key).toMatchObject({ asymmetricKeyType: 'rsa' });
  expect(await keyAt(`${certs}/CERT-real-1`, never)).toMatchObject({ asymmetricKeyType: 'rsa' });
  expect(asked).toHaveLength(1);
});

test('one that is not there is not asked for again', async () => {
  const keyAt = make();
  for (let tries = 0; tries < 5; tries += 1)
    expect(await keyAt(`${certs}/CERT-none`, always)).toBe('refused');
  expect(asked).toHaveLength(1);
});

test('a sender over its limit has nothing fetched, and is told to come again', async () => {
  const keyAt = make();
  expect(await keyAt(`${certs}/CERT-real-2`, never)).toBe('unavailable');
  expect(asked).toEqual([]);
  expect(await keyAt(`${certs}/CERT-real-2`, always)).toMatchObject({ asymmetricKeyType: 'rsa' });
});
