import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import { appearances } from './appearance.ts';
import { roles } from './roles.ts';
import { signInMethods } from './staff.ts';
import { DEFAULT_UNDO_SECONDS, undoSeconds } from './undo-seconds.ts';

export const staffAccount = pgTable(
  'staff_account',
  {
    id: uuid().primaryKey(),
    /** Lower case; the sign-in name. */
    email: text().notNull().unique(),
    name: text().notNull(),
    /** False for the first administrator, who was not asked yet what they are called. */
    named: boolean().notNull().default(true),
    /** argon2id. */
    passwordHash: text('password_hash').notNull(),
    role: text({ enum: roles }).notNull(),
    /** Sealed TOTP secret; null until the second factor is set up. */
    totpSecret: bytes('totp_secret'),
    /** The last accepted TOTP step, so that each code works once. */
    totpStep: integer('totp_step'),
    active: boolean().notNull().default(true),
    /** The colours of the desk on this person's screens. */
    appearance: text({ enum: appearances }).notNull().default('device'),
    /** Seconds in which their decisions can be undone. */
    undoSeconds: integer('undo_seconds').notNull().default(DEFAULT_UNDO_SECONDS),
    /** The view that their queue begins with; nothing where it has been removed. */
    startView: uuid('start_view'),
    createdAt: moment('created_at').notNull(),
    /** When the role was given, or the account put back in use, after it was made; null where neither happened. */
    roleSince: moment('role_since'),
  },
  (t) => [
    ...enumChecks(t),
    check(
      'staff_account_undo_seconds',
      sql`${t.undoSeconds} in (${sql.raw(undoSeconds.join(', '))})`,
    ),
  ],
);

/** What an account was called and how it was reached before a change of it, and after: the audit trail has ids alone. */
export const staffAccountChange = pgTable(
  'staff_account_change',
  {
    id: uuid().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => staffAccount.id),
    changedBy: uuid('changed_by')
      .notNull()
      .references(() => staffAccount.id),
    at: moment().notNull(),
    /** Sealed: name and address, before and after. */
    content: bytes().notNull(),
  },
  (t) => [index('staff_account_change_account').on(t.accountId)],
);

export const staffSession = pgTable(
  'staff_session',
  {
    id: uuid().primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => staffAccount.id),
    /** Password accepted, second factor still missing. */
    half: boolean().notNull(),
    /** What opened it: a password, or a sign-in at the identity provider. */
    method: text({ enum: signInMethods }).notNull(),
    /** Whether the identity provider vouched for a second factor, so that the app's code was not asked for. */
    provedFactor: boolean('proved_factor').notNull().default(false),
    /** When its owner proved again that it is them, for one action that asks for it; null once that was done. */
    provedAt: moment('proved_at'),
    /** Browser and system at sign-in ("Firefox, Windows"); no versions, no address. */
    device: text(),
    createdAt: moment('created_at').notNull(),
    seenAt: moment('seen_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (t) => [...enumChecks(t), index('staff_session_account').on(t.accountId)],
);

/** A key in a device or in somebody's own keychain that signs in to this site alone (WebAuthn). */
export const staffPasskey = pgTable(
  'staff_passkey',
  {
    /** The authenticator's name for it, in base64url. */
    id: text().primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => staffAccount.id),
    /** COSE; public. */
    publicKey: bytes('public_key').notNull(),
    /** How often it has signed, as far as it counts; one that goes back was copied. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** What its owner calls it. */
    name: text().notNull(),
    createdAt: moment('created_at').notNull(),
    usedAt: moment('used_at'),
  },
  (t) => [index('staff_passkey_account').on(t.accountId)],
);

/** An invitation: a link by email that works once, within seven days. We store its hash. */
export const staffInvitation = pgTable(
  'staff_invitation',
  {
    id: uuid().primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    /** Lower case. */
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: roles }).notNull(),
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => staffAccount.id),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Accepted, or withdrawn. */
    endedAt: moment('ended_at'),
  },
  (t) => enumChecks(t),
);

/** A link to a new password that works once, within an hour. We store its hash. Deleted a day after its end. */
export const staffReset = pgTable(
  'staff_reset',
  {
    id: uuid().primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => staffAccount.id),
    /** Who asked for it: somebody by email, an administrator, or the command on the server. */
    askedBy: text('asked_by', { enum: ['email', 'administrator', 'command'] }).notNull(),
    createdAt: moment('created_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    /** Used, or ended by the use of another one. */
    endedAt: moment('ended_at'),
  },
  (t) => [...enumChecks(t), index('staff_reset_account').on(t.accountId)],
);

/** Codes to use without the phone, each once. */
export const staffRecoveryCode = pgTable(
  'staff_recovery_code',
  {
    /** The first letter and argon2id (a PHC string). */
    codeHash: bytes('code_hash').primaryKey(),
    accountId: uuid('account_id')
      .notNull()
      .references(() => staffAccount.id),
    usedAt: moment('used_at'),
  },
  (t) => [index('staff_recovery_code_account').on(t.accountId)],
);

/** Who saw or did what to which application. Append-only; ids, never personal data. */
export const auditEntry = pgTable(
  'audit_entry',
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: moment().notNull(),
    staffId: uuid('staff_id'),
    action: text().notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    detail: jsonb().$type<Record<string, string | number | boolean | null>>().notNull(),
  },
  (t) => [
    index('audit_entry_subject').on(t.subjectKind, t.subjectId),
    index('audit_entry_staff').on(t.staffId, t.at),
    index('audit_entry_newest').on(t.at, t.id),
  ],
);

/**
 * One seal per UTC day of the audit trail, each covering the one before it. Append-only; kept when the day's entries
 * are deleted.
 */
export const auditSeal = pgTable('audit_seal', {
  day: date().primaryKey(),
  entries: integer().notNull(),
  /** SHA-256 of the fingerprints. */
  rows: text().notNull(),
  /** Number and digest of every entry, so that later changes can be named. */
  fingerprints: bytes().notNull(),
  /** Keyed hash over the seal of the day before and this day's figures. */
  seal: text().notNull(),
  sealedAt: moment('sealed_at').notNull(),
});
