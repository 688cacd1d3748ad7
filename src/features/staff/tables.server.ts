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
import {
  internal,
  personal,
  personalTable,
  sealed,
  withheld,
} from '~/platform/postgres/personal-table.server.ts';
import { signInMethods, DEFAULT_UNDO_SECONDS, undoSeconds } from './staff.ts';
import { roles } from './roles.ts';

export const staffAccount = personalTable(
  'staff_account',
  {
    about: 'staff',
    purpose: 'to let staff in, and nobody else',
    erasure: 'none',
    rows: [['id', 'staffIds']],
  },
  {
    id: uuid().primaryKey(),
    /** Lower case; the sign-in name. */
    email: personal(text().notNull().unique()),
    name: personal(text().notNull()),
    /** False for the first administrator, who was not asked yet what they are called. */
    named: internal(boolean().notNull().default(true)),
    /** argon2id. */
    passwordHash: internal(text('password_hash').notNull()),
    role: personal(text({ enum: roles }).notNull()),
    /** Sealed TOTP secret; null until the second factor is set up. */
    totpSecret: withheld(bytes('totp_secret')),
    /** The last accepted TOTP step, so that each code works once. */
    totpStep: internal(integer('totp_step')),
    active: personal(boolean().notNull().default(true)),
    /** Seconds in which their decisions can be undone. */
    undoSeconds: personal(integer('undo_seconds').notNull().default(DEFAULT_UNDO_SECONDS)),
    /** The view that their queue begins with; nothing where it has been removed. */
    startView: uuid('start_view'),
    createdAt: personal(moment('created_at').notNull()),
    /** When the role was given, or the account put back in use, after it was made; null where neither happened. */
    roleSince: personal(moment('role_since')),
  },
  (t) => [
    ...enumChecks(t),
    check(
      'staff_account_undo_seconds',
      sql`${t.undoSeconds} in (${sql.raw(undoSeconds.join(', '))})`,
    ),
  ],
);

/** A column with the account of one of the staff. */
export const staffRef = (column: string) => uuid(column).references(() => staffAccount.id);

/** What an account was called and how it was reached before a change of it, and after: the audit trail has ids alone. */
export const staffAccountChange = personalTable(
  'staff_account_change',
  {
    about: 'staff',
    purpose: 'to know who was called what when',
    kept: ['logs'],
    erasure: 'none',
    rows: [
      ['accountId', 'staffIds'],
      ['changedBy', 'staffIds'],
    ],
  },
  {
    id: uuid().primaryKey(),
    accountId: staffRef('account_id').notNull(),
    changedBy: staffRef('changed_by').notNull(),
    at: personal(moment().notNull()),
    /** Sealed: name and address, before and after. */
    content: sealed(bytes().notNull()),
  },
  (t) => [index('staff_account_change_account').on(t.accountId)],
);

export const staffSession = personalTable(
  'staff_session',
  {
    about: 'staff',
    purpose: 'to let staff in, and nobody else',
    kept: ['staffSession'],
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
  },
  {
    id: uuid().primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    accountId: staffRef('account_id').notNull(),
    /** Password accepted, second factor still missing. */
    half: internal(boolean().notNull()),
    /** What opened it: a password, or a sign-in at the identity provider. */
    method: personal(text({ enum: signInMethods }).notNull()),
    /** Whether the identity provider vouched for a second factor, so that the app's code was not asked for. */
    provedFactor: internal(boolean('proved_factor').notNull().default(false)),
    /** When its owner proved again that it is them, for one action that asks for it; null once that was done. */
    provedAt: personal(moment('proved_at')),
    /** Browser and system at sign-in ("Firefox, Windows"); no versions, no address. */
    device: personal(text()),
    createdAt: personal(moment('created_at').notNull()),
    seenAt: personal(moment('seen_at').notNull()),
    expiresAt: personal(moment('expires_at').notNull()),
    endedAt: personal(moment('ended_at')),
  },
  (t) => [...enumChecks(t), index('staff_session_account').on(t.accountId)],
);

/** A key in a device or in somebody's own keychain that signs in to this site alone (WebAuthn). */
export const staffPasskey = personalTable(
  'staff_passkey',
  {
    about: 'staff',
    purpose: 'to let staff in, and nobody else',
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
  },
  {
    /** The authenticator's name for it, in base64url. */
    id: internal(text().primaryKey()),
    accountId: staffRef('account_id').notNull(),
    /** COSE; public. */
    publicKey: bytes('public_key').notNull(),
    /** How often it has signed, as far as it counts; one that goes back was copied. */
    counter: internal(bigint({ mode: 'number' }).notNull()),
    /** What its owner calls it. */
    name: personal(text().notNull()),
    createdAt: personal(moment('created_at').notNull()),
    usedAt: personal(moment('used_at')),
  },
  (t) => [index('staff_passkey_account').on(t.accountId)],
);

/** An invitation: a link by email that works once, within seven days. We store its hash. */
export const staffInvitation = personalTable(
  'staff_invitation',
  {
    about: 'staff',
    purpose: 'to let staff in, and nobody else',
    erasure: 'none',
    rows: [['email', 'staffEmails']],
  },
  {
    id: uuid().primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    /** Lower case. */
    email: personal(text().notNull()),
    name: personal(text().notNull()),
    role: personal(text({ enum: roles }).notNull()),
    invitedBy: staffRef('invited_by').notNull(),
    createdAt: personal(moment('created_at').notNull()),
    expiresAt: personal(moment('expires_at').notNull()),
    /** Accepted, or withdrawn. */
    endedAt: personal(moment('ended_at')),
  },
  (t) => enumChecks(t),
);

/** A link to a new password that works once, within an hour. We store its hash. Deleted a day after its end. */
export const staffReset = personalTable(
  'staff_reset',
  {
    about: 'staff',
    purpose: 'to let staff in, and nobody else',
    kept: ['passwordLink'],
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
  },
  {
    id: uuid().primaryKey(),
    tokenHash: bytes('token_hash').notNull().unique(),
    accountId: staffRef('account_id').notNull(),
    /** Who asked for it: somebody by email, an administrator, or the command on the server. */
    askedBy: personal(text('asked_by', { enum: ['email', 'administrator', 'command'] }).notNull()),
    createdAt: personal(moment('created_at').notNull()),
    expiresAt: personal(moment('expires_at').notNull()),
    /** Used, or ended by the use of another one. */
    endedAt: personal(moment('ended_at')),
  },
  (t) => [...enumChecks(t), index('staff_reset_account').on(t.accountId)],
);

/** Codes to use without the phone, each once. */
export const staffRecoveryCode = personalTable(
  'staff_recovery_code',
  {
    about: 'staff',
    purpose: 'to let staff in, and nobody else',
    erasure: 'none',
    rows: [['accountId', 'staffIds']],
  },
  {
    /** The first letter and argon2id (a PHC string). */
    codeHash: bytes('code_hash').primaryKey(),
    accountId: staffRef('account_id').notNull(),
    usedAt: personal(moment('used_at')),
  },
  (t) => [index('staff_recovery_code_account').on(t.accountId)],
);

/** Who saw or did what to which application. Append-only; ids, never personal data. */
export const auditEntry = personalTable(
  'audit_entry',
  {
    about: 'staff',
    purpose: 'to know who saw or did what',
    kept: ['logs'],
    // Ids, which lead to nobody once the rows they are of are gone.
    erasure: 'kept',
    rows: [
      ['subjectId', 'applicationIds', ['subjectKind', 'application']],
      ['subjectId', 'orderIds', ['subjectKind', 'order']],
      ['subjectId', 'refundIds', ['subjectKind', 'refund']],
      ['subjectId', 'caseIds', ['subjectKind', 'request']],
      ['subjectId', 'staffIds', ['subjectKind', 'account']],
      ['staffId', 'staffIds'],
    ],
  },
  {
    id: bigserial({ mode: 'number' }).primaryKey(),
    at: personal(moment().notNull()),
    staffId: uuid('staff_id'),
    action: personal(text().notNull()),
    subjectKind: personal(text('subject_kind').notNull()),
    subjectId: internal(text('subject_id').notNull()),
    /** May name staff and other applications by their ids. */
    detail: internal(jsonb().$type<Record<string, string | number | boolean | null>>().notNull()),
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
