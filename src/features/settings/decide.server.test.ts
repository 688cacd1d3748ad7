import { describe, expect, it, test } from 'vitest';
import { storeStaffId } from '~/features/staff/testing/staff-id.server.ts';
import { openDatabase } from '~/platform/postgres/database.server.ts';
import { addDays, addMonths, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { useDatabase } from '../../../test/database.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { valuesInForce, type SettingsSection } from './change.ts';
import { decideSetting, sectionVersion, withdrawDecision } from './decide.server.ts';
import { currentSettings, readSettings, invalidateSettings } from './store.server.ts';
import {
  areClosuresApart,
  CLOSURE_YEARS_AHEAD,
  closureProblem,
  MAX_CLOSURE_DAYS,
  type ClosureProblem,
} from './office.server.ts';
import { operatorMistakes, requireRealOperator } from './operator.server.ts';
import { settingChange } from './tables.server.ts';

const { db, pool, url } = await useDatabase();
const staffId = await storeStaffId(db);
const start = new Date('2026-11-23T10:00:00Z');
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
const always = () => true;
const quiet = async () => undefined;

const versionOf = async (section: SettingsSection) =>
  sectionVersion(await readSettings(db), section);

async function change(
  section: SettingsSection,
  values: Record<string, unknown>,
  {
    validFrom = null,
    now = start,
    seen,
  }: { validFrom?: Date | null; now?: Date; seen?: string } = {},
) {
  return decideSetting(
    db,
    {
      section,
      values,
      validFrom,
      reason: 'Because',
      staffId,
      alone: true,
      seen: seen ?? (await versionOf(section)),
      now,
    },
    always,
    quiet,
  );
}

describe('a decision', () => {
  it('counts from now on, or from the moment it names', async () => {
    await change('visa_prices', { a: 1 });
    await change('visa_prices', { a: 2, b: 2 }, { validFrom: after(5) });
    const settings = await readSettings(db);
    expect(valuesInForce(settings, 'visa_prices', start)).toEqual({ a: 1 });
    expect(valuesInForce(settings, 'visa_prices', after(5))).toEqual({ a: 2, b: 2 });
  });

  it('is never dated back', async () => {
    const kept = await change('operator', { name: 'x' }, { validFrom: after(-5), now: start });
    expect(kept).toMatchObject({ ok: true, value: { validFrom: start } });
  });

  it('is refused to the second of two who saw the same', async () => {
    const seen = await versionOf('retention');
    const both = await Promise.all([
      change('retention', { visa: 6 }, { seen }),
      change('retention', { visa: 7 }, { seen }),
    ]);
    expect(both.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(both).toContainEqual({ ok: false, error: 'settings_changed' });
    // A decision in another section does not conflict.
    expect(await change('operator', { name: 'y' })).toMatchObject({ ok: true });
  });

  it('is refused where it would not fit with another one to come', async () => {
    const fits = (values: Readonly<Record<string, unknown>>) =>
      Number(values['slow'] ?? 0) <= Number(values['fast'] ?? 99);
    const plan = async (values: Record<string, unknown>, validFrom: Date) =>
      decideSetting(
        db,
        {
          section: 'plan_prices',
          values,
          validFrom,
          reason: '',
          staffId,
          alone: true,
          seen: await versionOf('plan_prices'),
          now: start,
        },
        fits,
        quiet,
      );
    expect((await plan({ slow: 1, fast: 2 }, after(1))).ok).toBe(true);
    const later = await plan({ slow: 5, fast: 9 }, after(10));
    expect(later.ok).toBe(true);
    expect(await plan({ fast: 4 }, after(5))).toMatchObject({ ok: true });
    expect(await plan({ slow: 8 }, after(5))).toEqual({ ok: false, error: 'does_not_fit' });
    expect(await plan({ fast: 3 }, after(20))).toEqual({ ok: false, error: 'does_not_fit' });
  });

  it('stores nothing when its audit entry fails', async () => {
    const before = await readSettings(db);
    const asked = {
      section: 'countries' as const,
      values: {},
      validFrom: null,
      reason: '',
      staffId,
      alone: true,
      seen: await versionOf('countries'),
      now: start,
    };
    const fails = () => Promise.reject(new Error('no trail'));
    await expect(decideSetting(db, asked, always, fails)).rejects.toThrow('no trail');
    expect(await readSettings(db)).toEqual(before);
  });
});

describe('withdrawing a decision', () => {
  const takeBack = (id: number, now: Date) =>
    withdrawDecision(db, { section: 'countries', id, staffId, now }, always, quiet);

  it('is possible until it takes effect, once', async () => {
    const made = await change('countries', { DZA: 1 }, { validFrom: after(5) });
    if (!made.ok) throw new Error(made.error);
    const { id } = made.value;
    expect(await takeBack(id, after(5))).toEqual({ ok: false, error: 'in_force' });
    expect((await takeBack(id, after(4))).ok).toBe(true);
    expect(await takeBack(id, after(4))).toEqual({ ok: false, error: 'not_found' });
    expect(valuesInForce(await readSettings(db), 'countries', after(6))).toEqual({});
    const kept = (await readSettings(db)).changes.find((one) => one.id === id);
    expect(kept?.withdrawn).toEqual({ at: after(4), staffId });
  });

  it('moves the version, so that nobody decides over it unseen', async () => {
    const made = await change('countries', { DZA: 2 }, { validFrom: after(8) });
    if (!made.ok) throw new Error(made.error);
    const seen = await versionOf('countries');
    await takeBack(made.value.id, start);
    expect(await change('countries', { DZA: 3 }, { seen })).toMatchObject({ ok: false });
  });
});

describe('what was decided', () => {
  it('cannot be rewritten, not even in the database', async () => {
    for (const statement of [
      `update setting_change set reason = 'other'`,
      'delete from setting_change',
      'truncate setting_change cascade',
    ]) {
      await expect(pool.query(statement)).rejects.toThrow('append-only');
    }
  });

  it('is known to this process at once, and to another one within a second', async () => {
    const other = openDatabase(url, { poolSize: 1 });
    try {
      await currentSettings(other.db);
      await change('certifications', { one: 1 });
      const here = await currentSettings(db);
      expect(valuesInForce(here, 'certifications', start)).toEqual({ one: 1 });
      await expect
        .poll(async () => valuesInForce(await currentSettings(other.db), 'certifications', start), {
          timeout: 2000,
        })
        .toEqual({ one: 1 });
    } finally {
      await other.close();
    }
  });
});

function day(text: string): PlainDate {
  const date = parseDate(text);
  if (!date) throw new Error(text);
  return date;
}
const today = day('2026-11-23');
const standing = [{ from: '2026-12-24', to: '2026-12-31' }];
const last = addMonths(today, 12 * CLOSURE_YEARS_AHEAD);

test.each<[string, string, ClosureProblem | null]>([
  ['2026-11-23', '2026-11-23', null],
  ['2026-11-22', '2026-11-23', 'closure_past'],
  ['2026-12-02', '2026-12-01', 'closure_backwards'],
  ['2027-01-01', addDays(day('2027-01-01'), MAX_CLOSURE_DAYS - 1), null],
  ['2027-01-01', addDays(day('2027-01-01'), MAX_CLOSURE_DAYS), 'closure_long'],
  [last, last, null],
  [last, addDays(last, 1), 'closure_far'],
  ['2026-12-20', '2026-12-23', null],
  ['2026-12-20', '2026-12-24', 'closure_overlaps'],
  ['2026-12-25', '2026-12-26', 'closure_overlaps'],
  ['2026-12-20', '2027-01-05', 'closure_overlaps'],
  ['2026-12-31', '2026-12-31', 'closure_overlaps'],
  ['2027-01-01', '2027-01-01', null],
])('closed from %s to %s: %s', (from, to, problem) => {
  expect(closureProblem({ from: day(from), to: day(to) }, standing, today)).toBe(problem);
});

test('closures hold together while no two share a day', () => {
  const next = { from: '2027-01-01', to: '2027-01-02' };
  expect(areClosuresApart([...standing, next])).toBe(true);
  expect(areClosuresApart([...standing, next, { from: '2026-12-31', to: '2026-12-31' }])).toBe(
    false,
  );
});

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
