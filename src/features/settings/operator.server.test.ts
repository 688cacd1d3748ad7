import { describe, expect, test } from 'vitest';
import { makeTestPlatform } from '../../../test/platform.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { operatorMistakes, requireRealOperator } from './operator.server.ts';
import { invalidateSettings } from './store.server.ts';
import { settingChange } from './tables.server.ts';

const real = {
  legalName: 'Tulip Travel Ltd',
  address: '1 Garden Road, Izmir',
  taxNumber: '1234567890',
  supportEmail: 'help@tulip-travel.com',
  supportPhone: '+90 232 000 00 00',
};

test.each(Object.keys(real))('a placeholder or nothing as %s is named', (field) => {
  for (const value of ['[Operator legal name]', '', '  ']) {
    expect(operatorMistakes({ ...real, [field]: value })).toEqual([
      expect.stringMatching(/^OPERATOR_[A-Z_]+: .*placeholder/),
    ]);
  }
});

test('a support address that is invalid is reported; real details are not', () => {
  expect(operatorMistakes({ ...real, supportEmail: 'by telephone' })).toEqual([
    expect.stringMatching('^OPERATOR_SUPPORT_EMAIL: must be'),
  ]);
  expect(operatorMistakes(real)).toEqual([]);
});

describe('at the start', async () => {
  const platform = await makeTestPlatform();
  const warnings: unknown[] = [];
  const log = { ...platform.log, warn: (...args: unknown[]) => void warnings.push(args) };
  const live = (operator = platform.config.operator) => ({
    ...platform,
    log: Object.assign(Object.create(platform.log), log),
    config: { ...platform.config, mode: 'live' as const, operator },
  });

  test('a test installation keeps its placeholders', async () => {
    await expect(requireRealOperator(platform)).resolves.toBeUndefined();
  });

  test('live mode names every placeholder at once', async () => {
    // Live mode leaves missing details out and shows no samples.
    const named = '[to be named]';
    const placeholders = {
      legalName: named,
      address: named,
      taxNumber: named,
      supportEmail: named,
      supportPhone: named,
    };
    const refused = await requireRealOperator(
      live({ ...platform.config.operator, ...placeholders }),
    ).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect(refused).toMatchObject({
      exitCode: 78,
      mistakes: expect.objectContaining({ length: 5 }),
    });
  });

  test('details of the environment do', async () => {
    await expect(requireRealOperator(live(real))).resolves.toBeUndefined();
  });

  test('so do details of the desk', async () => {
    // In force from tomorrow on, so that the other tests of today are not affected.
    const tomorrow = new Date(platform.now().getTime() + 24 * 3600_000);
    await platform.db.insert(settingChange).values({
      section: 'operator',
      values: real,
      validFrom: tomorrow,
      reason: 'x',
      createdAt: platform.now(),
    });
    invalidateSettings(platform.db);
    const then = { ...live(), now: () => tomorrow };
    await expect(requireRealOperator(then)).resolves.toBeUndefined();
  });

  test('the embedded database is a warning, not a refusal', async () => {
    warnings.length = 0;
    const { config } = live(real);
    await requireRealOperator({ ...live(real), config: { ...config, databaseUrl: undefined } });
    expect(warnings).toEqual([[expect.stringContaining('embedded database')]]);
  });
});
