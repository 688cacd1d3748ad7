import { and, eq, gt, sql, type SQL } from 'drizzle-orm';
import { uncheckedAnswersSql } from '~/features/application/corrected-mark.server.ts';
import { isWaitingSql } from '~/features/application/queue-sql.server.ts';
import { application, applicationCorrection } from '~/features/application/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/settlement/tables.server.ts';
import { auditEntry, staffAccount } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { ListReader } from './list-order-store.server.ts';
import { deskClaim } from '~/features/application/claim/tables.server.ts';
import { deskNote } from '../records/tables.server.ts';

/** What a row of the queue shows besides the application's own columns. */
export type RowMark = {
  withDocument: boolean;
  isPaid: boolean;
  /** Whether the payer's newest attempt failed; guests' attempts do not count. */
  hasFailed: boolean;
  /** When the email about the decision was sent, as recorded in the audit trail. */
  mailSentAt: Date | null;
  /** Who is working on it: somebody else's name, '' for oneself, null for nobody. */
  holder: string | null;
  /** Number of notes that are not struck. */
  notes: number;
  /** Undecided, and the last request for a correction was not answered. */
  unanswered: boolean;
  /** The traveller corrected it, and nobody has checked that yet. */
  corrected: boolean;
};

/** By application, in one statement for a whole page of the queue; each part uses an index. */
export async function rowMarks(
  db: Queryable,
  ids: readonly string[],
  { staffId, now }: ListReader,
): Promise<Map<string, RowMark>> {
  if (ids.length === 0) return new Map();
  const rows = await marks(db).execute({ ids: [...ids], staffId, now });
  return new Map(rows.map(({ id, ...mark }) => [id, mark]));
}

const latestAttemptFailed: SQL = sql`(select ${paymentAttempt.state} = 'failed' from ${paymentAttempt}
  where ${paymentAttempt.reference} = ${application.orderNumber} and ${paymentAttempt.begunBy} = 'payer'
  order by ${paymentAttempt.createdAt} desc, ${paymentAttempt.id} desc limit 1)`;

const decisionMailSentAt: SQL = sql`case when ${application.decidedAt} is not null then (
  select max(${auditEntry.at}) from ${auditEntry}
  where ${auditEntry.subjectKind} = 'application' and ${auditEntry.subjectId} = ${application.id}::text
    and ${auditEntry.action} = 'email_sent' and ${auditEntry.detail} ->> 'kind' in ('approved', 'rejected')) end`;

const notStruck: SQL = sql`(select count(*) from ${deskNote}
  where ${deskNote.applicationId} = ${application.id} and ${deskNote.struckAt} is null)`;

const lastRequestExpired: SQL = sql`case when ${application.decidedAt} is null then (
  select ${applicationCorrection.expiredAt} is not null from ${applicationCorrection}
  where ${applicationCorrection.applicationId} = ${application.id}
  order by ${applicationCorrection.askedAt} desc limit 1) end`;

const hasUncheckedAnswer: SQL = sql`(${isWaitingSql(application)} and exists (${uncheckedAnswersSql}
  and ${applicationCorrection.applicationId} = ${application.id}))`;

const marks = prepareOnce((db) =>
  db
    .select({
      id: application.id,
      withDocument: sql<boolean>`${visaApplication.supportingDocumentType} is not null`,
      isPaid: sql<boolean>`${order.paidAt} is not null`,
      hasFailed: sql<boolean>`coalesce(${latestAttemptFailed}, false)`,
      mailSentAt: sql<Date | null>`${decisionMailSentAt}`.mapWith(auditEntry.at),
      holder: sql<
        string | null
      >`case when ${eq(deskClaim.staffId, sql.placeholder('staffId'))} then ''
        when ${deskClaim.staffId} is not null then coalesce(${staffAccount.name}, '?') end`,
      notes: sql`${notStruck}`.mapWith(Number),
      unanswered: sql<boolean>`coalesce(${lastRequestExpired}, false)`,
      corrected: sql<boolean>`${hasUncheckedAnswer}`,
    })
    .from(application)
    .leftJoin(order, eq(order.number, application.orderNumber))
    .leftJoin(visaApplication, eq(visaApplication.applicationId, application.id))
    .leftJoin(
      deskClaim,
      and(
        eq(deskClaim.applicationId, application.id),
        gt(deskClaim.expiresAt, sql.placeholder('now')),
      ),
    )
    .leftJoin(staffAccount, eq(staffAccount.id, deskClaim.staffId))
    .where(sql`${application.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare(UNNAMED),
);
