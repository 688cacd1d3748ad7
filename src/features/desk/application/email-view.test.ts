import { expect, test } from 'vitest';
import { maskEmail } from './open-case.server.ts';

test.each([
  ['thabo@example.org', 't•••o@example.org'],
  ['jo@example.org', 'j•••@example.org'],
  ['x@example.org', 'x•••@example.org'],
  ['"a@b"@example.org', '"•••"@example.org'],
  ['nobody', '•••'],
  ['@example.org', '•••'],
])('%s is shown as %s', (address, shown) => {
  expect(maskEmail(address)).toBe(shown);
});
