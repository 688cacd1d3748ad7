import { randomUUID } from 'node:crypto';
import { hashPassword, randomToken } from '~/platform/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { normaliseEmail } from './sign-in.server.ts';
import { hasAccounts, insertAccount, lockAccounts } from './store.server.ts';

const DEFAULT_EMAIL = 'admin@lale.example';

export type FirstAdministrator = {
  /** False where there already are accounts. */
  created: boolean;
  email: string;
  /** Only when it was made up here: to be printed once, it is stored nowhere. */
  password?: string;
};

/**
 * Makes the first administrator on a database without staff: the one of ADMIN_EMAIL and ADMIN_PASSWORD, else one with
 * a generated password of 120 bits. Processes that start together make one.
 */
export async function ensureFirstAdministrator(platform: Platform): Promise<FirstAdministrator> {
  const { config, db } = platform;
  const email = normaliseEmail(config.adminEmail ?? DEFAULT_EMAIL);
  if (await hasAccounts(db)) return { created: false, email };
  const made = config.adminPassword === undefined ? randomToken(120) : undefined;
  const passwordHash = await hashPassword(config.adminPassword ?? made ?? '');
  return db.transaction(async (tx) => {
    await lockAccounts(tx);
    if (await hasAccounts(tx)) return { created: false, email };
    await insertAccount(tx, {
      id: randomUUID(),
      email,
      name: 'Administrator',
      passwordHash,
      role: 'administrator',
      createdAt: platform.now(),
    });
    return made === undefined ? { created: true, email } : { created: true, email, password: made };
  });
}
