import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockedOrigin, directiveOf } from './csp-reports.server.ts';

test.each([
  ['https://evil.example/a/TRV7K2M9QXD4HPBR?token=abc#x', 'https://evil.example'],
  ['https://somebody:secret@evil.example:8443/a', 'https://evil.example:8443'],
  ['wss://evil.example/socket?email=a@b.example', 'wss://evil.example'],
  ['blob:https://lale.example/0b1c', 'https://lale.example'],
  ['data:text/html,somebody@example.org', 'data:'],
  ['data', 'data:'],
  ['chrome-extension', 'chrome-extension:'],
  ['inline', 'inline'],
  ['eval', 'eval'],
  ['', 'other'],
  ['/application?code=1', 'other'],
  [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`, 'other'],
])('of %s stays %s', (named, expected) => {
  expect(blockedOrigin(named)).toBe(expected);
});

test('no path, query or name of a user stays of any address', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.stringMatching(/^[A-Z0-9]{16}$/),
      (url, number) => {
        const origin = blockedOrigin(`${url}/${number}?ref=${number}`);
        expect(origin).not.toContain(number);
        expect(origin).toMatch(/^(other|[a-z]+:\/\/[^/?#@]+)$/);
      },
    ),
  );
});

test.each([
  ['script-src-elem', 'script-src-elem'],
  ["script-src 'self' https://a.example", 'script-src'],
  ['TRV7K2M9QXD4HPBR', 'other'],
  ['', 'other'],
  ['constructor', 'other'],
])('the directive %j is %s', (named, expected) => {
  expect(directiveOf(named)).toBe(expected);
});
