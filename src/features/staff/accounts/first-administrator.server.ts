import { randomUUID } from 'node:crypto';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import { hashPassword, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { passwordProblem } from './password-problem.server.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type PasswordProblem } from '../passwords.ts';
import { normaliseEmail } from '../sign-in.server.ts';
import { accountByEmail, hasAccounts, insertAccount, lockAccounts } from '../store.server.ts';

const DEFAULT_EMAIL = 'admin@lale.example';
/** Until they say what they are called. */
const NAME = 'Administrator';

const mistakes: Record<PasswordProblem, string> = {
  too_short: `must have at least ${MIN_PASSWORD_LENGTH} characters`,
  too_long: `must have at most ${MAX_PASSWORD_LENGTH} characters`,
  personal: 'must not contain the word Lale or the address of ADMIN_EMAIL',
  guessable: 'is a common or breached password, or easy to guess',
};

export type FirstAdministrator = {
  /** False where accounts existed already. */
  created: boolean;
  email: string;
  /** ADMIN_EMAIL is set, and read no longer: there are accounts, and none of them has this address. */
  ignored?: true;
  /** Set where it was generated: print it once, as it is stored nowhere. */
  password?: string;
};

/**
 * Creates the first administrator in a database without staff: from ADMIN_EMAIL and ADMIN_PASSWORD, or with a generated
 * password of 120 bits. Processes that start together create one.
 * @throws ConfigError where ADMIN_PASSWORD breaks the rules for staff passwords.
 */
export async function ensureFirstAdministrator(platform: Platform): Promise<FirstAdministrator> {
  const { config, db } = platform;
  const email = normaliseEmail(config.adminEmail ?? DEFAULT_EMAIL);
  if (await hasAccounts(db)) {
    const isKnown = config.adminEmail === undefined || (await accountByEmail(db, email)) !== null;
    return isKnown ? { created: false, email } : { created: false, email, ignored: true };
  }
  const problem =
    config.adminPassword === undefined
      ? null
      : await passwordProblem(config.adminPassword, { email, name: NAME });
  if (problem) throw new ConfigError([`ADMIN_PASSWORD: ${mistakes[problem]}`]);
  const made = config.adminPassword === undefined ? randomToken(120) : undefined;
  const passwordHash = await hashPassword(config.adminPassword ?? made ?? '');
  return db.transaction(async (tx) => {
    await lockAccounts(tx);
    if (await hasAccounts(tx)) return { created: false, email };
    await insertAccount(tx, {
      id: randomUUID(),
      email,
      name: NAME,
      named: false,
      passwordHash,
      role: 'administrator',
      createdAt: platform.now(),
    });
    return made === undefined ? { created: true, email } : { created: true, email, password: made };
  });
}
