import { expect, test } from 'vitest';
import { redirectAddress } from './debug-payment.ts';

const page = 'https://gateway.example/checkout?theme=plain';

test('the direct redirect names the payment, whatever was typed', () => {
  expect(redirectAddress(page, 'a b&c')).toBe(`${page}&order=a+b%26c`);
});

test('without an id there is no page to lead to', () => {
  expect(redirectAddress(page, '')).toBeNull();
});
