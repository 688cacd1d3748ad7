import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';

test.each([
  [{ code: 'EENVELOPE', responseCode: 550 }, 'address'],
  [{ code: 'EMESSAGE', responseCode: 552 }, 'refused'],
  [{ code: 'EENVELOPE', responseCode: 450 }, 'later'],
  [{ code: 'ECONNECTION' }, 'unreachable'],
  [{ code: 'ESOCKET', errno: -111 }, 'unreachable'],
  [new Error('anything'), 'other'],
  [undefined, 'other'],
])('%j means: %s', (error, failure) => {
  expect(failureOf(error)).toBe(failure);
});
