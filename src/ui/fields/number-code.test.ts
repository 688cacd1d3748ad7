import { describe, expect, it } from 'vitest';
import { inGroups } from './number-code.tsx';

describe('a number in groups', () => {
  it.each([
    ['TRV7K2M9QXD4HPBR', ['TRV', '7K2M', '9QXD', '4HPB', 'R']],
    ['TRV7K', ['TRV', '7K']],
    ['TRV7K2M9QXD4HPBR123', ['TRV', '7K2M', '9QXD', '4HPB', 'R', '123']],
    ['', []],
  ])('%s is %j', (value, groups) => {
    expect(inGroups(value, [3, 4, 4, 4, 1])).toEqual(groups);
  });
});
