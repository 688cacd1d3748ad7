import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import type { Transaction } from '~/platform/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  changeAccount,
  countAdministrators,
  endSessions,
  setRecoveryCodes,
} from './account-store.server.ts';
import { audit, type AuditAction } from './audit.server.ts';
import { may, type Role } from './roles.ts';
import type { Staff } from './staff.ts';
import { accountById, lockAccounts, type Account } from './store.server.ts';

/** own_account: nobody takes away their own rights. last_administrator: somebody has to be left. */
export type AccountError = 'forbidden' | 'not_found' | 'own_account' | 'last_administrator';

type Detail = Record<string, string | number | boolean | null>;

/** Changes somebody else's account under the accounts' lock, with one line in the audit trail. */
async function change(
  platform: Platform,
  by: Staff,
  id: string,
  work: (
    tx: Transaction,
    account: Account,
  ) => Promise<Outcome<{ action: AuditAction; detail?: Detail }, AccountError>>,
): Promise<Outcome<null, AccountError>> {
  if (!may(by.role, 'administer')) return refused('forbidden');
  if (by.id === id) return refused('own_account');
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    // Their own rights may have ended since they asked.
    const asking = await accountById(tx, by.id);
    if (!asking?.active || !may(asking.role, 'administer')) return refused('forbidden');
    const account = isUuid(id) ? await accountById(tx, id) : null;
    if (!account) return refused('not_found');
    const done = await work(tx, account);
    if (!done.ok) return done;
    const { action, detail } = done.value;
    const subject = { kind: 'account', id } as const;
    await audit(tx, { at: platform.now(), staffId: by.id, action, subject, detail });
    return ok(null);
  });
}

const isLastAdministrator = async (tx: Transaction, { id, role, active }: Account) =>
  role === 'administrator' && active && (await countAdministrators(tx, id)) === 0;

/** Another role takes effect with the next request; sessions stay. */
export const changeRole = (platform: Platform, by: Staff, id: string, role: Role) =>
  change(platform, by, id, async (tx, account) => {
    if (role !== 'administrator' && (await isLastAdministrator(tx, account))) {
      return refused('last_administrator');
    }
    await changeAccount(tx, id, { role });
    return ok({ action: 'role_changed', detail: { from: account.role, to: role } });
  });

/** A deactivated account cannot sign in, and all its sessions end at once. What it did stays in the trail. */
export const setActive = (platform: Platform, by: Staff, id: string, active: boolean) =>
  change(platform, by, id, async (tx, account) => {
    if (!active && (await isLastAdministrator(tx, account))) return refused('last_administrator');
    await changeAccount(tx, id, { active });
    if (!active) await endSessions(tx, { accountId: id, now: platform.now() });
    return ok({ action: active ? 'account_reactivated' : 'account_deactivated' });
  });

/** For somebody who lost telephone and recovery codes: the next sign-in asks for the password alone. */
export const resetSecondFactor = (platform: Platform, by: Staff, id: string) =>
  change(platform, by, id, async (tx) => {
    await changeAccount(tx, id, { totpSecret: null, totpStep: null });
    await setRecoveryCodes(tx, id, []);
    await endSessions(tx, { accountId: id, now: platform.now() });
    return ok({ action: 'second_factor_reset' });
  });

export const endAllSessions = (platform: Platform, by: Staff, id: string) =>
  change(platform, by, id, async (tx) => {
    const sessions = await endSessions(tx, { accountId: id, now: platform.now() });
    return ok({ action: 'sessions_ended', detail: { sessions } });
  });
