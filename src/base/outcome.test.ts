import { expect, it } from 'vitest';
import { ok, refused, type Outcome } from './outcome.ts';

it('tells the value from the reason', () => {
  const half = (whole: number): Outcome<number, 'odd'> =>
    whole % 2 === 0 ? ok(whole / 2) : refused('odd');
  expect(half(4)).toEqual({ ok: true, value: 2 });
  expect(half(3)).toEqual({ ok: false, error: 'odd' });
});
