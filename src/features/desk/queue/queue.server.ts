import { usd, type Money } from '~/base/money.ts';
import { paymentStatus } from '~/features/application/status-machine.ts';
import type { Application } from '~/features/application/store.server.ts';
import { insuranceRows, type InsuranceRow } from '~/features/insurance/store/store.server.ts';
import { paidMoments, payingAttempts } from '~/features/order/store.server.ts';
import { attemptsById, latestAttempts } from '~/features/payment/settlement/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import { duplicateMarks } from '../application/duplicates.server.ts';
import {
  MAX_LIST_COUNT,
  PAGE_SIZE,
  workListNames,
  type ListFilter,
  type QueueKind,
  type ShownList,
  type WorkList,
} from './list-filter.ts';
import {
  groupsCondition,
  hasPdfSql,
  inHand,
  chaseMoment,
  isHandedInBeforeSql,
  isInWorkListSql,
  isPutOffSql,
  type ListReader,
} from './list-query.server.ts';
import { readList } from './list.server.ts';
import { readQueueCounts, type QueueCounts } from '../reports/totals.server.ts';
import {
  decisionMailMoments,
  tellsDecision,
  visaRows,
  type VisaRow,
} from '../application/store.server.ts';
import { and, eq, gt, inArray, sql, type SQL } from 'drizzle-orm';
import { uncheckedAnswersSql } from '~/features/application/corrected-mark.server.ts';
import { isWaitingSql } from '~/features/application/queue-sql.server.ts';
import {
  application,
  applicationCorrection,
  applicationEvent,
  deskClaim,
} from '~/features/application/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import { auditEntry, staffAccount } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import { isStillPutOff } from '../application/put-off.server.ts';
import { deskNote, deskPutOff } from '../application/tables.server.ts';
import { alias } from 'drizzle-orm/pg-core';
import { newMessagesSql } from '~/features/application/messages/messages.server.ts';
import { caseMessage } from '~/features/application/messages/tables.server.ts';

/** What a row of the queue shows besides the application's own columns. */
type RowMark = {
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
  /** Its traveller wrote, and nobody has read or answered that yet. */
  hasMessage: boolean;
  /** When it was handed in, while the authority has it. */
  handedInAt: Date | null;
  /** Until when somebody put it off, and who; `untilReply`: unless its traveller answers before. */
  putOff: { untilAt: Date; untilReply: boolean; by: string } | null;
  /** A PDF was added, and no decision has used it yet. */
  hasPdf: boolean;
};

/** By application, in one statement for a whole page of the queue; each part uses an index. */
export async function rowMarks(
  db: Queryable,
  ids: readonly string[],
  { staffId, now }: ListReader,
): Promise<Map<string, RowMark>> {
  if (ids.length === 0) return new Map();
  const rows = await marks(db).execute({ ids: [...ids], staffId, now });
  return new Map(
    rows.map(({ id, untilAt, untilReply, by, ...mark }) => {
      const putOff = untilAt && { untilAt, untilReply: untilReply === true, by: by ?? '?' };
      return [id, { ...mark, putOff }];
    }),
  );
}

const latestAttemptFailed: SQL = sql`(select ${paymentAttempt.state} = 'failed' from ${paymentAttempt}
  where ${paymentAttempt.reference} = ${application.orderNumber} and ${paymentAttempt.begunBy} = 'payer'
  order by ${paymentAttempt.createdAt} desc, ${paymentAttempt.id} desc limit 1)`;

const decisionMailSentAt: SQL = sql`case when ${application.decidedAt} is not null then (
  select max(${auditEntry.at}) from ${auditEntry}
  where ${auditEntry.subjectId} = ${application.id}::text and ${tellsDecision}) end`;

const notStruck: SQL = sql`(select count(*) from ${deskNote}
  where ${deskNote.applicationId} = ${application.id} and ${deskNote.struckAt} is null)`;

const lastRequestExpired: SQL = sql`case when ${application.decidedAt} is null then (
  select ${applicationCorrection.expiredAt} is not null from ${applicationCorrection}
  where ${applicationCorrection.applicationId} = ${application.id}
  order by ${applicationCorrection.askedAt} desc limit 1) end`;

const handedInAt: SQL = sql`case when ${and(
  eq(application.kind, 'visa'),
  eq(application.status, 'processing'),
)} then (
  select max(${applicationEvent.at}) from ${applicationEvent} where ${and(
    eq(applicationEvent.applicationId, application.id),
    eq(applicationEvent.kind, 'processing'),
  )}) end`;

const hasUncheckedAnswer: SQL = sql`(${isWaitingSql(application)} and exists (${uncheckedAnswersSql}
  and ${applicationCorrection.applicationId} = ${application.id}))`;

const putter = alias(staffAccount, 'putter');

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
      hasMessage: sql<boolean>`exists (${newMessagesSql} and ${eq(caseMessage.applicationId, application.id)})`,
      untilAt: deskPutOff.until,
      untilReply: deskPutOff.untilReply,
      by: putter.name,
      handedInAt: sql<Date | null>`${handedInAt}`.mapWith(applicationEvent.at),
      hasPdf: sql<boolean>`(${application.decidedAt} is null and ${hasPdfSql()})`,
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
    .leftJoin(
      deskPutOff,
      and(eq(deskPutOff.applicationId, application.id), isStillPutOff(sql.placeholder('now'))),
    )
    .leftJoin(putter, eq(putter.id, deskPutOff.staffId))
    .where(sql`${application.id} = any(${sql.placeholder('ids')}::uuid[])`)
    .prepare(UNNAMED),
);

/** One line of the queue. */
export type QueueRow = Pick<
  Application,
  | 'id'
  | 'number'
  | 'kind'
  | 'firstName'
  | 'lastName'
  | 'countryCode'
  | 'service'
  | 'status'
  | 'actionRequired'
  | 'pausedAt'
  | 'promisedAt'
  | 'decidedAt'
  | 'authorityReference'
> &
  Omit<RowMark, 'isPaid' | 'hasFailed'> & {
    total: Money;
    paymentStatus: ReturnType<typeof paymentStatus>;
    /** Approved, and its PDF is not attached yet. */
    undelivered: boolean;
    /** The authority has it for longer than the setting says: staff ask about it. */
    toChase: boolean;
    /** Whether it has a possible duplicate that was not dismissed. */
    duplicate: boolean;
  };

/** An application with related rows that the desk shows. */
export type DeskApplication = {
  application: Application;
  visa: VisaRow | null;
  insurance: InsuranceRow | null;
  paid: boolean;
  paymentStatus: QueueRow['paymentStatus'];
  mailSentAt: Date | null;
  /** The provider's id of the payment, as the status page shows it; for an unpaid order, of one that failed. */
  transactionId: string | null;
};

export type Queue = {
  rows: QueueRow[];
  total: number;
  hasBefore: boolean;
  hasAfter: boolean;
  /** The time limit was reached: nothing is known of this list. */
  isTooSlow: boolean;
};

/** How many each list of work has, by kind, and how many of all are put off. `toChase`: of those at the authority. */
export type ListCounts = Record<QueueKind, Partial<Record<ShownList, number>>> & {
  toChase: number;
};

export type OpenQueue = { queue: Queue; figures: QueueCounts; counts: ListCounts };

/** The rows of a list and the figures above it, as they are now. */
export async function openQueue(
  { db, now }: Pick<Platform, 'db' | 'now'>,
  staff: Pick<Staff, 'id'>,
  filter: ListFilter,
): Promise<OpenQueue> {
  const at = now();
  const [queue, figures, counts] = await Promise.all([
    queuePage(db, filter, { staffId: staff.id, now: at }),
    readQueueCounts(db, at),
    countWorkLists(db, at),
  ]);
  return { queue, figures, counts };
}

const kinds = ['visa', 'insurance'] as const;

/** One statement, as every page of the queue runs it. */
const workCounts = prepareOnce((db) => {
  const counting = (where: SQL | undefined) =>
    sql`count(*) filter (where ${where})`.mapWith(Number);
  const counted = (kind: QueueKind, list: WorkList, too?: SQL) => {
    const where = and(eq(application.kind, kind), isInWorkListSql(list, kind), too);
    return counting(where);
  };
  const inLists = (kind: QueueKind) => ({
    ...Object.fromEntries(workListNames(kind).map((list) => [list, counted(kind, list)])),
    put_off: counting(and(eq(application.kind, kind), isPutOffSql(sql.placeholder('now')))),
  });
  return db
    .select({
      visa: inLists('visa'),
      insurance: inLists('insurance'),
      toChase: counted(
        'visa',
        'at_authority',
        and(
          isHandedInBeforeSql(sql.placeholder('chaseBefore')),
          sql`not ${isPutOffSql(sql.placeholder('now'))}`,
        ),
      ),
    })
    .from(application)
    .where(and(inArray(application.kind, kinds), groupsCondition(inHand)))
    .prepare(UNNAMED);
});

export async function countWorkLists(db: Database, now: Date): Promise<ListCounts> {
  const [row] = await workCounts(db).execute({ now, chaseBefore: await chaseMoment(db, now) });
  return row ?? { visa: {}, insurance: {}, toChase: 0 };
}

export async function queuePage(
  db: Database,
  filter: ListFilter,
  looking: ListReader,
): Promise<Queue> {
  const size = { pageSize: PAGE_SIZE, mostCounted: MAX_LIST_COUNT + 1 };
  const found = await readList(db, filter, looking, size);
  if (!found) return { rows: [], total: 0, hasBefore: false, hasAfter: false, isTooSlow: true };
  const { rows, ...page } = found;
  const ids = rows.map(({ id }) => id);
  const [marks, duplicates, chaseBefore] = await Promise.all([
    rowMarks(db, ids, looking),
    duplicateMarks(db, ids),
    chaseMoment(db, looking.now),
  ]);
  return {
    ...page,
    isTooSlow: false,
    rows: rows.flatMap((application) => {
      const mark = marks.get(application.id);
      // Deleted since the list was read.
      if (!mark) return [];
      return {
        ...toRow(application, mark),
        toChase: isAtAuthority(application, mark) && mark.handedInAt < chaseBefore,
        duplicate: duplicates.has(application.id),
      };
    }),
  };
}

/** Whether staff can only wait for the authority, or ask it: its row is in that list, and nobody put it off. */
const isAtAuthority = (
  { pausedAt }: Pick<Application, 'pausedAt'>,
  mark: RowMark,
): mark is RowMark & { handedInAt: Date } =>
  mark.handedInAt !== null &&
  pausedAt === null &&
  !mark.hasPdf &&
  !mark.corrected &&
  mark.putOff === null;

/** Adds each application's answers, payment state and sent email. */
export async function loadRelated(
  db: Queryable,
  applications: readonly Application[],
): Promise<DeskApplication[]> {
  const ids = applications.map(({ id }) => id);
  const orders = [...new Set(applications.map(({ orderNumber }) => orderNumber))];
  const [visas, insurances, paid, attempts, mails, payments] = await Promise.all([
    visaRows(db, ids),
    insuranceRows(db, ids),
    paidMoments(db, orders),
    latestAttempts(db, orders),
    decisionMailMoments(db, ids),
    payingAttempts(db, orders),
  ]);
  const paying = await attemptsById(db, [...payments.values()]);
  return applications.map((application) => {
    const isPaid = paid.has(application.orderNumber);
    const latest = attempts.get(application.orderNumber);
    const payment = paying.get(payments.get(application.orderNumber) ?? '');
    const failed = latest?.state === 'failed' ? latest : undefined;
    return {
      application,
      visa: visas.get(application.id) ?? null,
      insurance: insurances.get(application.id) ?? null,
      paid: isPaid,
      paymentStatus: paymentStatus({
        paid: isPaid,
        latestAttemptFailed: failed !== undefined,
      }),
      mailSentAt: mails.get(application.id) ?? null,
      transactionId: payment
        ? (payment.providerReference ?? payment.captureId)
        : (failed?.providerReference ?? null),
    };
  });
}

function toRow(
  application: Application,
  { isPaid, hasFailed, ...mark }: RowMark,
): Omit<QueueRow, 'duplicate' | 'toChase'> {
  const { id, number, kind, firstName, lastName, countryCode, service, status } = application;
  const { actionRequired, pausedAt, promisedAt, decidedAt, undeliveredSince } = application;
  const { authorityReference } = application;
  return {
    id,
    number,
    kind,
    firstName,
    lastName,
    countryCode,
    service,
    total: usd(application.amountMinor),
    status,
    actionRequired,
    pausedAt,
    paymentStatus: paymentStatus({ paid: isPaid, latestAttemptFailed: hasFailed }),
    promisedAt,
    decidedAt,
    authorityReference,
    undelivered: undeliveredSince !== null,
    ...mark,
  };
}
