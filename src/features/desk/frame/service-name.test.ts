import { expect, test } from 'vitest';
import { textsIn } from '~/i18n/translations.server.ts';
import { serviceName } from './formats.ts';

test('the same speed means another time with a supporting document', () => {
  const t = textsIn('en', 'desk');
  expect(serviceName(t, { service: 'standard', withDocument: false })).toBe('Standard');
  expect(serviceName(t, { service: 'standard', withDocument: true })).toBe('Standard, 4 days');
  expect(serviceName(t, { service: 'urgent_12', withDocument: true })).toBe('Urgent, 12 hours');
  expect(serviceName(t, { service: '30-days', withDocument: false })).toBe('30 days');
});
