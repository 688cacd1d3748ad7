import { expect, it } from 'vitest';
import { ONE_NAME, withOneName } from './one-name.ts';

it('puts a single name in both places where the box is ticked, whatever the hidden field holds', () => {
  const answers = { lastName: 'Suharto', firstName: 'left over', phone: '1' };
  expect(withOneName(answers, { [ONE_NAME]: 'yes' })).toEqual({ ...answers, firstName: 'Suharto' });
  expect(withOneName(answers, { [ONE_NAME]: '' })).toEqual(answers);
  expect(withOneName(answers, {})).toEqual(answers);
});
