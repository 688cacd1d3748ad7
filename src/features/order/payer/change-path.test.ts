import { expect, it } from 'vitest';
import { changePath } from './payer-links.ts';

it.each([
  ['TRV1', 'TRV1', '/application/change?ref=TRV1'],
  ['TRI1', 'TRI1', '/insurance/change?ref=TRI1'],
  ['TRI1', 'TRG1', '/application/change?ref=TRG1'],
  ['TRV1', 'TRG1', '/application/change?ref=TRV1'],
  ['TRG1', 'TRG1', '/application/change?ref=TRG1'],
])('%s of the order %s is changed at %s', (number, orderNumber, path) => {
  expect(changePath(number, orderNumber)).toBe(path);
});
