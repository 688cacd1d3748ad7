import { sql, isNull, type Placeholder, type SQL, and, eq } from 'drizzle-orm';
import { toPlainDate, UTC } from '~/base/dates/dates.ts';
import { yearWithoutFeasts } from '~/base/dates/holidays.ts';
import { correctedWaitingSql } from '~/features/application/corrected-mark.server.ts';
import { isUndeliveredSql } from '~/features/application/queue-sql.server.ts';
import { application } from '~/features/application/tables.server.ts';
import { heldRefundsSql } from '~/features/order/refunds/order-refund-store.server.ts';
import { listOutages } from '~/features/payment/providers/outage.server.ts';
import { proposalsForSql } from '~/features/settings/proposals.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import type { DeskSignals } from './live-state.ts';
import { paymentAlert } from '~/features/payment/tables.server.ts';
import { KVKK_REPLY_DAYS } from '~/features/site/retention.ts';
import { GDPR_MONTHS, URGENT_DAYS } from '../privacy/privacy-case.ts';
import { privacyCase } from '../privacy/tables.server.ts';
import { deskForYou, deskSecondLook } from '../application/tables.server.ts';

/** The number of somebody's unread entries, from an index of those alone. */
const unreadForYouSql = (staffId: SQL | ReturnType<typeof sql.placeholder>): SQL =>
  sql`select count(*) from ${deskForYou} where ${and(eq(deskForYou.staffId, staffId), isNull(deskForYou.readAt))}`;

/** The number of open cases that are urgent or late today, by the rule of `answerDueDate` in `privacy-case.ts`. */
const urgentCasesSql = (today: ReturnType<typeof sql.placeholder>) =>
  sql`select count(*) from ${privacyCase} where ${privacyCase.closedAt} is null
    and least(
      ${privacyCase.arrivedOn} + ${sql.raw(String(KVKK_REPLY_DAYS))},
      (${privacyCase.arrivedOn} + interval '${sql.raw(String(GDPR_MONTHS))} months')::date
    ) <= ${today}::date + ${sql.raw(String(URGENT_DAYS))}`;

/** Days in which a decision is looked at again: what was sent is used by then, and new ones matter more. */
const LOOK_DAYS = 7;

/** The decisions of others that somebody is to look at, from an index of the open ones. `now`: in ISO 8601. */
export const isOpenLookSql = (asked: Readonly<Record<'staffId' | 'now', SQL | Placeholder>>): SQL =>
  sql`${deskSecondLook.verdict} is null and ${deskSecondLook.staffId} <> ${asked.staffId}
    and ${deskSecondLook.decidedAt} > ${asked.now}::timestamptz - interval '${sql.raw(String(LOOK_DAYS))} days'`;

const openAlertsSql: SQL = sql`select count(*) from ${paymentAlert} where ${isNull(paymentAlert.resolvedAt)}`;

/**
 * What this person sees on every page: counts of what came for them, of answered corrections, of missing PDFs, of refunds asked for by
 * others, of alerts, of decisions to look at again, and of requests about personal data that are due. Every count uses an index of open rows, but for
 * the requests: they are few.
 */
export async function deskSignals(db: Queryable, staff: Staff, now: Date): Promise<DeskSignals> {
  const mayAdminister = may(staff.role, 'administer');
  const maySeePayments = may(staff.role, 'view_payments');
  const mayRelease = may(staff.role, 'release_refund');
  const [[counted], partnersDown] = await Promise.all([
    openCounts(db).execute({
      staffId: staff.id,
      today: toPlainDate(now, UTC),
      now: now.toISOString(),
    }),
    listOutages(db),
  ]);
  if (!counted) throw new Error('The signals were not counted');
  return {
    ...counted,
    refunds: mayRelease ? counted.refunds : 0,
    alerts: maySeePayments ? counted.alerts : 0,
    looks: may(staff.role, 'second_look') ? counted.looks : 0,
    proposals: mayAdminister ? counted.proposals : 0,
    requests: mayAdminister ? counted.requests : 0,
    partnersDown,
    maySeePayments,
    yearWithoutFeasts: may(staff.role, 'close_days') ? yearWithoutFeasts(now) : null,
  };
}

const undeliveredSql = sql`select count(*) from ${application}
  where ${application.kind} = 'visa' and ${isUndeliveredSql(application)}`;

/** One statement, as every page of the desk runs it. */
const openCounts = prepareOnce((db) =>
  db
    .select({
      forYou: sql`(${unreadForYouSql(sql.placeholder('staffId'))})`.mapWith(Number),
      corrections: sql`(${correctedWaitingSql})`.mapWith(Number),
      undelivered: sql`(${undeliveredSql})`.mapWith(Number),
      undeliveredLate: sql`(${undeliveredSql}
        and ${application.promisedAt} < ${sql.placeholder('now')}::timestamptz)`.mapWith(Number),
      refunds: sql`(${heldRefundsSql({ notBy: sql.placeholder('staffId') })})`.mapWith(Number),
      alerts: sql`(${openAlertsSql})`.mapWith(Number),
      looks: sql`(select count(*) from ${deskSecondLook} where ${isOpenLookSql({
        staffId: sql.placeholder('staffId'),
        now: sql.placeholder('now'),
      })})`.mapWith(Number),
      proposals: sql`(${proposalsForSql(sql.placeholder('staffId'))})`.mapWith(Number),
      requests: sql`(${urgentCasesSql(sql.placeholder('today'))})`.mapWith(Number),
    })
    .from(sql`(select 1) one`)
    .prepare(UNNAMED),
);
