import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { workOf } from './listener.server.ts';

function asked(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  isSimulated = true,
) {
  const incoming = new IncomingMessage(new Socket());
  return workOf(Object.assign(incoming, { method, url, headers }), { isSimulated });
}

test.each([
  ['GET', '/application', 'read'],
  ['HEAD', '/application', 'read'],
  ['OPTIONS', '/application', 'read'],
  ['GET', '/assets/a.js', 'file'],
  ['POST', '/assets/a.js', 'write'],
  ['POST', '/api/payment/notification/card', 'payment'],
  ['POST', '/api/applications', 'write'],
  ['POST', '/csp-reports', 'report'],
  ['GET', '/healthz', null],
])('%s %s is %s', (method, url, work) => {
  expect(asked(method, url)).toBe(work);
});

test.each([
  '/application?/api/payment/notification/card',
  '/application/api/payment/return/card',
  '//healthz',
  '/healthz/',
  '/HEALTHZ',
  '/application#/healthz',
  'http://lale.example/healthz',
])('nobody gets ahead by an address like %s', (url) => {
  expect(asked('GET', url)).toBe('read');
});

test.each([
  ['/api/orders', { 'content-length': '65536' }, 'write'],
  ['/api/orders', { 'content-length': '65537' }, 'upload'],
  // Known once it has arrived.
  ['/api/orders', { 'transfer-encoding': 'chunked' }, 'write'],
  ['/insurance', { 'content-length': '65537' }, 'upload'],
  ['/ar/insurance.data?index', { 'content-length': '65537' }, 'upload'],
  // Refused, which is little work.
  ['/api/orders', { 'content-length': '1e9' }, 'write'],
  ['/api/orders', { 'content-length': 'none' }, 'write'],
  ['/api/applications', { 'content-length': '65537' }, 'write'],
  ['/admin/pdfs', { 'content-length': '65537' }, 'write'],
  ['/admin/pdfs', { 'content-length': '65537', cookie: 'a=b; lale_staff=x' }, 'upload'],
  ['/admin/pdfs', { 'content-length': '65537', cookie: '__Host-lale_staff=x' }, 'upload'],
  ['/api/payment/return/card', { 'content-length': '65537' }, 'payment'],
])('POST %s with %j is %s', (url, headers, work) => {
  expect(asked('POST', url, headers)).toBe(work);
});

test('the simulated partners come first only where they are', () => {
  for (const path of ['/lab/gateway/v1/checkout', '/lab/paypal/x']) {
    expect(asked('GET', path)).toBe('payment');
    expect(asked('GET', path, {}, false)).toBe('read');
    expect(asked('POST', path, {}, false)).toBe('write');
  }
});

test('a report of any size takes no place of a traveller', () => {
  expect(asked('POST', '/csp-reports', { 'transfer-encoding': 'chunked' })).toBe('report');
  expect(asked('POST', '/csp-reports?a=b', { 'content-length': '9000000' })).toBe('report');
});
