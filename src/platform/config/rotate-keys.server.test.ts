import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeSealer, makeSigner } from '../crypto/crypto.server.ts';
import { environment } from './config-environment.server.ts';
import { draws } from './fresh-keys.server.ts';
import { rotationLines } from './rotate-keys.server.ts';

const DAY = '2026-11-23';
const parsed = environment.parse({
  ENCRYPTION_KEYS: draws.ENCRYPTION_KEYS(DAY),
  SECRETS: draws.SECRETS(),
  LOOKUP_KEY: draws.LOOKUP_KEY(),
});
const config = {
  encryptionKeys: parsed.ENCRYPTION_KEYS ?? [],
  signingSecrets: parsed.SECRETS ?? [],
  lookupKeys: parsed.LOOKUP_KEY ?? [],
};
const lookup = new Uint8Array(32);

/** The value of each step, as the service reads it. */
const stepsOf = (name: string, given = config) =>
  rotationLines(name, given, DAY)
    .filter((line) => line.includes(`${name}=`))
    .map((line) => environment.parse(parseEnv(line.replace(/^# /, ''))));

test('only the first step is in force where all lines are put into the file', () => {
  for (const name of ['ENCRYPTION_KEYS', 'SECRETS']) {
    const lines = rotationLines(name, config, DAY);
    expect(lines.filter((line) => !line.startsWith('#'))).toHaveLength(1);
    expect(lines.find((line) => !line.startsWith('#'))).toContain(lines.at(-1)?.split('=', 2)[1]);
  }
});

describe('from step to step', () => {
  test('processes before and after open what each other sealed, until the old key goes', () => {
    const keys = [
      config.encryptionKeys,
      ...stepsOf('ENCRYPTION_KEYS').map((one) => one.ENCRYPTION_KEYS ?? []),
    ];
    const [before, learnt, sealing, alone] = keys.map((data) => makeSealer({ data, lookup }));
    if (!before || !learnt || !sealing || !alone) throw new Error('Steps are missing');
    for (const [one, other] of [
      [before, learnt],
      [learnt, sealing],
    ] as const) {
      expect(one.unsealText(other.seal('x', 'y'), 'y')).toBe('x');
      expect(other.unsealText(one.seal('x', 'y'), 'y')).toBe('x');
    }
    expect(sealing.unsealText(alone.seal('x', 'y'), 'y')).toBe('x');
    expect(alone.unsealText(sealing.seal('x', 'y'), 'y')).toBe('x');
    expect(() => alone.unseal(before.seal('x', 'y'), 'y')).toThrow('No data key');
    expect(sealing.isStale(before.seal('x', 'y'))).toBe(true);
  });

  test('a second key of one day gets a name of its own', () => {
    const [first] = stepsOf('ENCRYPTION_KEYS');
    const second = stepsOf('ENCRYPTION_KEYS', {
      ...config,
      encryptionKeys: first?.ENCRYPTION_KEYS ?? [],
    });
    expect(second.at(-1)?.ENCRYPTION_KEYS?.map(({ id }) => id)).toEqual([`${DAY}-3`]);
  });

  test('signatures hold between neighbours, and the old ones end with the last step', () => {
    const secrets = [config.signingSecrets, ...stepsOf('SECRETS').map((one) => one.SECRETS ?? [])];
    const [before, learnt, signing, alone] = secrets.map(makeSigner);
    const later = new Date('2027-01-01');
    const now = new Date('2026-12-01');
    const holds = (by: typeof before, made: typeof before) =>
      by?.verify(made?.sign({}, 'p', later) ?? '', 'p', now).ok;
    expect([holds(before, learnt), holds(learnt, before), holds(learnt, signing)]).toEqual([
      true,
      true,
      true,
    ]);
    expect([holds(signing, learnt), holds(signing, alone), holds(alone, signing)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(holds(alone, before)).toBe(false);
  });
});

test.each([
  'METRICS_TOKEN',
  'DATABASE_PASSWORD',
  'AWS_SECRET_ACCESS_KEY',
  'CARD_GATEWAY_PRIVATE_KEY',
])('%s is drawn anew, with what to do beside', (name) => {
  const [advice, ...lines] = rotationLines(name, config, DAY);
  expect(advice).toMatch(/^# [^=]+$/);
  expect(lines.some((line) => line.includes(`${name}=`))).toBe(true);
});

test('every secret that is drawn is replaced by the command, and nothing else is', () => {
  const names = [...Object.keys(draws), 'CARD_GATEWAY_PRIVATE_KEY'];
  // The password is the account's after the first start, and changed at the desk; the id goes with its key.
  const others = names.filter((name) => !['ADMIN_PASSWORD', 'AWS_ACCESS_KEY_ID'].includes(name));
  for (const name of others) expect(() => rotationLines(name, config, DAY)).not.toThrow();
  expect(() => rotationLines('PATH', config, DAY)).toThrow('PATH is none of ENCRYPTION_KEYS');
});

test('a newer look-up key stands on those there are', () => {
  const [step] = stepsOf('LOOKUP_KEY');
  const [newest, ...older] = step?.LOOKUP_KEY ?? [];
  expect(newest).toHaveLength(32);
  expect(older).toEqual(config.lookupKeys);
});
