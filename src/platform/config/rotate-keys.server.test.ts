import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeSealer, makeSigner } from '../crypto/crypto.server.ts';
import { environment, ConfigError, readConfig } from './config.server.ts';
import { draws, freshKeys, rotationLines } from './rotate-keys.server.ts';
import { projectRoot } from './root.server.ts';

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
  const lines = rotationLines(name, config, DAY);
  expect(lines[0]).toMatch(/^# [^=]+$/);
  expect(lines.some((line) => line.includes(`${name}=`))).toBe(true);
});

test.each(['STRIPE_SECRET_KEY', 'PAYPAL_CLIENT_SECRET', 'MAIL_URL', 'STAFF_SSO_CLIENT_SECRET'])(
  'of %s, which another side makes, the command says the steps and sets nothing',
  (name) => {
    const lines = rotationLines(name, config, DAY);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^# \d\. /);
  },
);

/** Read by compose.yaml alone. */
const composed = ['DATABASE_PASSWORD', 'DATABASE_OWNER_PASSWORD', 'FILES_RPC_SECRET'];

/** Variables without a secret in them. A new variable belongs here, or gets its steps in `rotate-keys.server.ts`. */
const withoutSecret = `
  PORT HOST PUBLIC_URL MODE DATA_DIR PROCESSES DRAIN_GRACE_MS TRUST_PROXY MAINTENANCE LOG_LEVEL GATEWAY_PROCESSING_MS
  DATABASE_POOL_SIZE DATABASE_JOBS_POOL_SIZE DATABASE_WAIT_MS DATABASE_WITHOUT_TLS
  READS_AT_ONCE WORK_AT_ONCE WORK_WAITING WORK_WAIT_MS EVENT_LOOP_DELAY_MS
  FILES_URL FILES_WITHOUT_TLS FILES_TIMEOUT_MS AWS_REGION AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3
  MAIL_FROM MAIL_DKIM_SELECTOR MAILBOX_ADDRESS ADMIN_EMAIL
  STAFF_SSO_ISSUER STAFF_SSO_CLIENT_ID STAFF_SSO_NAME STAFF_SSO_SCOPE STAFF_SSO_ROLE_CLAIM STAFF_SSO_ROLES
  STAFF_SSO_SECOND_FACTOR_AMR STAFF_SSO_SECOND_FACTOR_ACR STAFF_PASSWORD_SIGN_IN
  OPERATOR_LEGAL_NAME OPERATOR_ADDRESS OPERATOR_TAX_NUMBER OPERATOR_SUPPORT_EMAIL ALERT_EMAIL OPERATOR_SUPPORT_PHONE
  OPERATOR_CONTACT_URL OPERATOR_LIVE_CHAT_URL OPERATOR_HELP_CENTRE_URL
  AUTHORITIES_CHARGE CARD_BRANDS REFUND_MANAGER_ABOVE ONE_ADMINISTRATOR_SETS_PRICES CARD_PARTNER
  CARD_GATEWAY_ENDPOINT CARD_GATEWAY_PUBLIC_ENDPOINT CARD_GATEWAY_MERCHANT_ID CARD_GATEWAY_DIGEST CARD_GATEWAY_ALLOW_MD5
  CARD_GATEWAY_MODE CARD_GATEWAY_TIMEOUT_MS
  PAYPAL_ENDPOINT PAYPAL_CLIENT_ID PAYPAL_WEBHOOK_ID PAYPAL_CERTIFICATE_ORIGIN PAYPAL_TIMEOUT_MS
  STRIPE_ENDPOINT STRIPE_TIMEOUT_MS
`
  .trim()
  .split(/\s+/);

const isReplaced = (name: string): boolean => {
  try {
    return rotationLines(name, config, DAY).length > 0;
  } catch {
    return false;
  }
};

const operations = readFileSync(join(projectRoot, 'docs', 'operations.md'), 'utf8');
const [, replacing = ''] = operations.split('## Replacing secrets');

test.each([...Object.keys(environment.shape), ...composed, ...Object.keys(draws)])(
  '%s is replaced by the command and named in docs/operations.md, or holds no secret',
  (name) => {
    expect(isReplaced(name)).toBe(!withoutSecret.includes(name));
    if (isReplaced(name)) expect(replacing).toContain(`\`${name}\``);
  },
);

test('what is no secret is refused, with the names of those that are', () => {
  expect(() => rotationLines('PATH', config, DAY)).toThrow('PATH is none of ENCRYPTION_KEYS');
});

test('a newer look-up key stands on those there are', () => {
  const [step] = stepsOf('LOOKUP_KEY');
  const [newest, ...older] = step?.LOOKUP_KEY ?? [];
  expect(newest).toHaveLength(32);
  expect(older).toEqual(config.lookupKeys);
});

const draw = () => freshKeys('2026-11-23', 'store');
/** With the lines that are commented out put into force. */
const allOf = (lines: readonly string[]) =>
  parseEnv(lines.map((line) => line.replace(/^# (?=[A-Z_]+=)/, '')).join('\n'));

test('live mode has nothing to say against what is drawn', () => {
  for (const lines of [draw(), draw(), draw(), draw()]) {
    const values = parseEnv(lines.join('\n'));
    expect(mistakesOf({ ...values, MODE: 'live' }, values)).toEqual([]);
  }
});

test('every value is drawn anew', () => {
  const [first, second] = [allOf(draw()), allOf(draw())];
  const same = Object.keys(first).filter((name) => first[name] === second[name]);
  expect(same).toEqual([]);
});

test('every secret of .env.example that is ours to choose has a value, and nothing else has', () => {
  const example = readFileSync(join(projectRoot, '.env.example'), 'utf8');
  const names = [...example.matchAll(/^(?:# )?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = '']) => name);
  const secret = /PASSWORD|SECRET|KEY|TOKEN/;
  // What a partner or a provider of storage gives us, and limits with such a word in their name.
  const given = [
    'PAYPAL_CLIENT_SECRET',
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRETS',
    'CARD_GATEWAY_PROVIDER_PUBLIC_KEYS',
    'AWS_SESSION_TOKEN',
    'STAFF_SSO_CLIENT_SECRET',
    'STAFF_PASSWORD_SIGN_IN',
  ];
  const ours = names.filter((name) => secret.test(name) && !given.includes(name));
  expect(Object.keys(allOf(draw())).toSorted()).toEqual(ours.toSorted());
});

test('the database owner’s password is drawn for a file of its own', () => {
  expect(Object.keys(allOf(freshKeys('2026-11-23', 'owner')))).toEqual(['DATABASE_OWNER_PASSWORD']);
  expect(readFileSync(join(projectRoot, '.env.owner.example'), 'utf8')).toMatch(
    /^DATABASE_OWNER_PASSWORD=$/m,
  );
});

test('an installation without compose.yaml gets no account of its file store', () => {
  const names = Object.keys(allOf(freshKeys('2026-11-23')));
  expect(names.filter((name) => /^AWS_|^FILES_/.test(name))).toEqual([]);
});

test('the key of the card partner is one that live mode takes', () => {
  const values = allOf(draw());
  const mistakes = mistakesOf({ ...values, MODE: 'live' }, { CARD_GATEWAY_PRIVATE_KEY: '' });
  expect(mistakes).toEqual([]);
});

/** What the configuration says about these variables, of all that it says. */
function mistakesOf(variables: NodeJS.Dict<string>, about: NodeJS.Dict<string>): string[] {
  const { MODE } = variables;
  try {
    readConfig({ ...variables, MODE, DATA_DIR: '/nonexistent' });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.filter((mistake) =>
      Object.keys(about).some(
        (name) => mistake.startsWith(`${name}:`) && !mistake.includes('is needed together'),
      ),
    );
  }
}
