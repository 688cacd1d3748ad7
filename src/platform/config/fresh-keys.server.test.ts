import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.server.ts';
import { freshKeys } from './fresh-keys.server.ts';
import { projectRoot } from './root.server.ts';

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
