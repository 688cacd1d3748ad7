import { expect, test } from 'vitest';
import { pageAfterSignIn } from './staff.ts';

test.each([
  ['/admin/applications/TRV7K2M9QXD4HPBR', '/admin/applications/TRV7K2M9QXD4HPBR'],
  ['/admin', '/admin'],
  [null, '/admin'],
  ['https://evil.example/admin', '/admin'],
  ['//evil.example', '/admin'],
  ['/admin//evil.example', '/admin'],
  ['/administrator', '/admin'],
  ['/admin/../status', '/admin'],
  ['/admin\\evil', '/admin'],
  ['/admin?next=x', '/admin'],
  ['javascript:alert(1)', '/admin'],
])('%s leads to %s', (asked, page) => {
  expect(pageAfterSignIn(asked)).toBe(page);
});
