import { expect, test } from 'vitest';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { securityText } from './api.server.ts';

const at = { publicUrl: 'https://lale.example', now: new Date('2026-11-22T13:00:00Z') };

test('names a contact, and expires within a year', () => {
  const operator = { supportEmail: 'help@lale.example', contactUrl: 'https://lale.example/write' };
  expect(securityText(operator, at)).toBe(
    [
      'Contact: mailto:help@lale.example',
      'Contact: https://lale.example/write',
      'Expires: 2027-05-21T00:00:00.000Z',
      'Preferred-Languages: en, tr, fr, de, es, ar',
      'Canonical: https://lale.example/.well-known/security.txt',
      'Policy: https://lale.example/security',
      '',
    ].join('\n'),
  );
});

test('does not exist without a contact', async () => {
  expect(securityText({ supportEmail: '[Support e-mail]' }, at)).toBeNull();
  const platform = await makeTestPlatform();
  const operator = { ...platform.config.operator, supportEmail: '[Support e-mail]' };
  const placeholders = makeTestApp({ ...platform, config: { ...platform.config, operator } });
  expect((await placeholders.request('/.well-known/security.txt')).status).toBe(404);
});

test('is served from the configuration', async () => {
  const variables = { OPERATOR_SUPPORT_EMAIL: 'help@lale.example' };
  const app = makeTestApp(await makeTestPlatform({ variables }));
  const response = await app.request('/.well-known/security.txt');
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toContain('Contact: mailto:help@lale.example\n');
});
