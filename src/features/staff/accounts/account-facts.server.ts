import { isEmailAddress } from '~/base/email-address.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  changeAccount,
  endResetsByAccount,
  endSessions,
  forgetNames,
  hasEmail,
  accountById,
  lockAccounts,
} from '../store.server.ts';
import { auditAccount } from '../audit.server.ts';
import { normaliseEmail } from '../sign-in.server.ts';
import { MAX_STAFF_NAME_LENGTH, type Staff } from '../staff.ts';
import { changeOther, type AccountError } from './accounts.server.ts';
import { randomUUID } from 'node:crypto';
import { desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { staffAccountChange } from '../tables.server.ts';

const facts = z.object({ name: z.string(), email: z.string() });

const content = z.object({ before: facts, after: facts });

type AccountChange = { id: string; changedBy: string; at: Date } & z.infer<typeof content>;

const contextOf = (id: string) => `staff_account_change.content:${id}`;

async function insertAccountChange(
  tx: Transaction,
  sealer: Pick<Sealer, 'sealJson'>,
  { accountId, changedBy, at, before, after }: { accountId: string } & Omit<AccountChange, 'id'>,
): Promise<void> {
  const id = randomUUID();
  const sealed = sealer.sealJson({ before, after }, contextOf(id));
  await tx.insert(staffAccountChange).values({ id, accountId, changedBy, at, content: sealed });
}

/** Of one account, the newest first. */
export async function accountChanges(
  db: Queryable,
  sealer: Pick<Sealer, 'unsealJson'>,
  accountId: string,
): Promise<AccountChange[]> {
  const rows = await db
    .select()
    .from(staffAccountChange)
    .where(eq(staffAccountChange.accountId, accountId))
    .orderBy(desc(staffAccountChange.at), desc(staffAccountChange.id));
  return rows.map(({ id, changedBy, at, content: sealed }) => ({
    id,
    changedBy,
    at,
    ...content.parse(sealer.unsealJson(sealed, contextOf(id))),
  }));
}

/** A name as it was typed for an account, ready to be stored; empty where there is none. */
export const readStaffName = (typed: string): string =>
  typed.normalize('NFC').trim().replaceAll(/\s+/g, ' ').slice(0, MAX_STAFF_NAME_LENGTH);

/** Changes one's own name, with an audit entry; it stands at once beside everything that one did. */
export async function changeOwnName(
  platform: Platform,
  { id }: Pick<Staff, 'id'>,
  typed: string,
): Promise<Outcome<null, 'name_required'>> {
  const name = readStaffName(typed);
  if (name === '') return refused('name_required');
  const at = platform.now();
  await platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const account = await accountById(tx, id);
    if (!account || (account.named && account.name === name)) return;
    const { email } = account;
    await changeAccount(tx, id, { name, named: true });
    const before = { name: account.name, email };
    const change = { accountId: id, changedBy: id, at, before, after: { name, email } };
    await insertAccountChange(tx, platform.sealer, change);
    const detail = { name: true, email: false };
    await auditAccount(tx, id, { at, action: 'account_changed', detail });
  });
  forgetNames(platform.db);
  return ok(null);
}

export type AccountFactsError =
  | AccountError
  | 'name_required'
  | 'email_invalid'
  | 'email_mistyped'
  | 'email_taken'
  | 'unchanged';

/**
 * Changes a colleague's name and email address. With another address, sessions and open password links of the account
 * end: whoever reads the old one's post has no way in.
 */
export async function changeAccountFacts(
  platform: Platform,
  by: Staff,
  id: string,
  typed: { name: string; email: string; emailAnswer: string },
): Promise<Outcome<null, AccountFactsError>> {
  const name = readStaffName(typed.name);
  if (name === '') return refused('name_required');
  const { email: meant, ask } = resolveEmail(typed.email, typed.emailAnswer);
  const email = normaliseEmail(meant);
  if (!isEmailAddress(email)) return refused('email_invalid');
  type Refused = Exclude<AccountFactsError, AccountError>;
  const outcome = await changeOther<Refused>(platform, by, id, async (tx, account) => {
    const isMoved = account.email !== email;
    const isRenamed = account.name !== name;
    if (!isMoved && !isRenamed) return refused('unchanged');
    if (isMoved && ask !== null) return refused('email_mistyped');
    if (isMoved && (await hasEmail(tx, email))) return refused('email_taken');
    const at = platform.now();
    await changeAccount(tx, id, { name, email, ...(isRenamed && { named: true }) });
    const before = { name: account.name, email: account.email };
    const change = { accountId: id, changedBy: by.id, at, before, after: { name, email } };
    await insertAccountChange(tx, platform.sealer, change);
    const sessions = isMoved ? await endSessions(tx, { accountId: id, now: at }) : 0;
    if (isMoved) await endResetsByAccount(tx, id, at);
    const detail = { name: isRenamed, email: isMoved, sessions };
    return ok({ action: 'account_changed', detail });
  });
  if (outcome.ok) forgetNames(platform.db);
  return outcome;
}
