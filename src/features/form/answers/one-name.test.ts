import { expect, it } from 'vitest';
import { ONE_NAME, oneNameBox, withOneName } from './controls.ts';

it('puts a single name in both places where the box is ticked, whatever the hidden field holds', () => {
  const answers = { lastName: 'Suharto', firstName: 'left over', phone: '1' };
  expect(withOneName(answers, { [ONE_NAME]: 'yes' })).toEqual({ ...answers, firstName: 'Suharto' });
  expect(withOneName(answers, { [ONE_NAME]: '' })).toEqual(answers);
  expect(withOneName(answers, {})).toEqual(answers);
});

it('ticks the box for equal names alone, and leaves the hidden field empty', () => {
  const single = { lastName: 'Suharto', firstName: 'Suharto' };
  const box = oneNameBox(single);
  expect(box).toEqual({ [ONE_NAME]: 'yes', firstName: '' });
  expect(withOneName({ lastName: 'Soekarno', firstName: '' }, box).firstName).toBe('Soekarno');
  expect(oneNameBox({ lastName: 'Nkosi', firstName: 'Thandi' })).toEqual({});
  expect(oneNameBox({ lastName: '', firstName: '' })).toEqual({});
  expect(oneNameBox({})).toEqual({});
});
