import { expect, test } from 'vitest';
import { rejectionCodes, rejectionCodesFor, speaks } from './rejection.ts';

test('every reason is for a visa, an insurance or both, and "other" closes each list', () => {
  const [visa, insurance] = [rejectionCodesFor('visa'), rejectionCodesFor('insurance')];
  expect(new Set([...visa, ...insurance])).toEqual(new Set(rejectionCodes));
  expect([visa.at(-1), insurance.at(-1)]).toEqual(['other', 'other']);
  expect(visa).not.toContain('parent_id_unreadable');
  expect(insurance).not.toContain('authorities_refused');
});

test('"other" and the time before the list say nothing without words', () => {
  expect([speaks('other'), speaks('duplicate')]).toEqual([false, true]);
});
