import { DAY_MS } from '~/base/dates/dates.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { isEmailAddress } from '~/base/email-address.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { isUuid } from '~/base/uuid.ts';
import { hashPassword, hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import { enqueue } from '~/platform/jobs/jobs.server.ts';
import { resolveEmail } from '~/platform/mail/mistyped-email.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  endInvitation,
  hasEmail,
  findInvitation,
  type Invitation,
  accountByEmail,
  insertAccount,
  lockAccounts,
} from '../store.server.ts';
import { auditAccount } from '../audit.server.ts';
import { readStaffName } from './account-facts.server.ts';
import { passwordProblem } from './password-problem.server.ts';
import { usesPassword, type PasswordProblem } from '../passwords.ts';
import { may, type Role } from '../roles.ts';
import { openSession } from '../session.server.ts';
import { normaliseEmail } from '../sign-in.server.ts';
import { INVITATION_DAYS, type Staff } from '../staff.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { staffInvitation } from '../tables.server.ts';

export const INVITATION_JOB = 'staff.invited';
type InviteError =
  | 'forbidden'
  | 'email_invalid'
  | 'email_mistyped'
  | 'email_taken'
  | 'email_deactivated'
  | 'name_required';

const jobPayload = z.object({
  invitationId: z.uuid(),
  /** Base64 of a sealed { email, token }, as the job queue is not encrypted. */
  sealed: z.string(),
  language: z.string(),
});
const jobSecret = z.object({ email: z.string(), token: z.string() });
const contextOf = (id: string) => `${INVITATION_JOB}:${id}`;

/** Invites somebody by an emailed link that works once. Earlier invitations of the address end. */
export async function invite(
  platform: Platform,
  by: Staff,
  typed: { email: string; emailAnswer?: string; name: string; role: Role; language: string },
): Promise<Outcome<null, InviteError>> {
  if (!may(by.role, 'administer')) return refused('forbidden');
  const name = readStaffName(typed.name);
  if (name === '') return refused('name_required');
  const { email: meant, ask } = resolveEmail(typed.email, typed.emailAnswer ?? '');
  const email = normaliseEmail(meant);
  if (!isEmailAddress(email)) return refused('email_invalid');
  if (ask !== null) return refused('email_mistyped');
  const now = platform.now();
  const id = randomUUID();
  const token = randomToken(192);
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const there = await accountByEmail(tx, email);
    if (there) return refused(there.active ? 'email_taken' : 'email_deactivated');
    await endInvitation(tx, { email }, now);
    await insertInvitation(tx, {
      id,
      tokenHash: hashToken(token),
      email,
      name,
      role: typed.role,
      invitedBy: by.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
    });
    await auditAccount(tx, id, {
      at: now,
      action: 'staff_invited',
      by: by.id,
      detail: { role: typed.role },
    });
    const secret = { email, token };
    const sealed = platform.sealer.sealJson(secret, contextOf(id)).toString('base64');
    await enqueue(tx, INVITATION_JOB, { invitationId: id, sealed, language: typed.language });
    return ok(null);
  });
}

type InvitationMail = { email: string; url: string; language: string; days: number };

/** What the job `staff.invited` is to send; read by the feature that writes emails. */
export function readInvitationMail({ sealer, config }: Platform, payload: unknown): InvitationMail {
  const { invitationId, sealed, language } = jobPayload.parse(payload);
  const secret = jobSecret.parse(
    sealer.unsealJson(Buffer.from(sealed, 'base64'), contextOf(invitationId)),
  );
  const url = `${config.publicUrl}/${language}/admin/invitation/${secret.token}`;
  return { email: secret.email, url, language, days: INVITATION_DAYS };
}

/** The invitation of a link; null for an unknown, ended or expired one. */
export const readInvitation = (platform: Platform, token: string): Promise<Invitation | null> =>
  findInvitation(platform.db, { tokenHash: hashToken(token) }, platform.now());

export async function withdrawInvitation(
  platform: Platform,
  by: Staff,
  id: string,
): Promise<Outcome<null, 'forbidden' | 'not_found'>> {
  if (!may(by.role, 'administer')) return refused('forbidden');
  if (!isUuid(id)) return refused('not_found');
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    if (!(await endInvitation(tx, { id }, now))) return refused('not_found');
    await auditAccount(tx, id, { at: now, by: by.id, action: 'invitation_withdrawn' });
    return ok(null);
  });
}

type AcceptError = 'invitation_over' | PasswordProblem;

/** Creates the account with the person's own password and signs them in. Once. */
export async function acceptInvitation(
  platform: Platform,
  token: string,
  password: string,
  device: string | null = null,
): Promise<Outcome<{ token: string; accountId: string }, AcceptError>> {
  const invitation = await readInvitation(platform, token);
  // Where passwords are not taken, the page offers the identity provider alone.
  if (!invitation || !usesPassword(platform, invitation.email)) return refused('invitation_over');
  const problem = await passwordProblem(password, invitation);
  if (problem) return refused(problem);
  const passwordHash = await hashPassword(password);
  const now = platform.now();
  return platform.db.transaction(async (tx) => {
    await lockAccounts(tx);
    const isFirst = await endInvitation(tx, { id: invitation.id }, now);
    if (!isFirst || (await hasEmail(tx, invitation.email))) return refused('invitation_over');
    const { email: address, name, role } = invitation;
    const id = randomUUID();
    await insertAccount(tx, { id, email: address, name, role, passwordHash, createdAt: now });
    await auditAccount(tx, id, {
      at: now,
      action: 'invitation_accepted',
      detail: { invitation: invitation.id, role },
    });
    const session = { accountId: id, half: false, now, device };
    return ok({ token: await openSession(tx, session), accountId: id });
  });
}

async function insertInvitation(db: Queryable, row: typeof staffInvitation.$inferInsert) {
  await db.insert(staffInvitation).values(row);
}
