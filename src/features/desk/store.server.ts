import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import {
  isWaitingSql,
  queueGroups,
  queueGroupSql,
  queueKeySql,
  searchedSql,
} from '~/features/application/queue-sql.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { application, applicationDocument } from '~/features/application/tables.server.ts';
import { order } from '~/features/order/tables.server.ts';
import { paymentAttempt } from '~/features/payment/tables.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/tables.server.ts';
import type { Queryable, Transaction } from '~/platform/database.server.ts';
import type { ListFilter } from './list-filter.ts';
import { claimedBy } from './claim-store.server.ts';
import { deskUpload } from './tables.server.ts';

export type VisaRow = typeof visaApplication.$inferSelect;
export type Upload = typeof deskUpload.$inferSelect;

const likePart = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Who looks, and when: for what is theirs and what is late. */
export type Looking = { staffId: string; now: Date };

const DAY_MS = 24 * 3600_000;

function condition(
  { kind, show, narrowing, search }: Omit<ListFilter, 'place' | 'sort'>,
  { staffId, now }: Looking,
): SQL | undefined {
  const { status, payment, nationality, service, from, to } = narrowing;
  const group = queueGroupSql(application);
  // In the words of the queue's index, so that each list is one stretch of it.
  const open = lt(group, queueGroups.decided);
  const shown: Record<ListFilter['show'], SQL | undefined> = {
    all: undefined,
    open,
    overdue: and(isWaitingSql(application), lt(queueKeySql(application), now.getTime())),
    mine: and(open, claimedBy(staffId, now)),
    action_required: eq(group, queueGroups.paused),
  };
  const words = searchedSql(application);
  return and(
    eq(application.kind, kind),
    shown[show],
    status === '' ? undefined : eq(application.status, status),
    payment === '' ? undefined : (payment === 'paid' ? isNotNull : isNull)(application.paidAt),
    nationality === '' ? undefined : eq(application.countryCode, nationality),
    service === '' ? undefined : eq(application.service, service),
    from === '' ? undefined : gte(application.createdAt, new Date(from)),
    to === '' ? undefined : lt(application.createdAt, new Date(Date.parse(to) + DAY_MS)),
    search
      ? or(
          and(...search.words.map((word) => sql`${words} like ${likePart(word)}`)),
          search.number ? sql`${application.number} like ${likePart(search.number)}` : undefined,
        )
      : undefined,
  );
}

/** What a list is sorted by, ascending or descending throughout, so that one index serves it in both directions. */
const orders: Record<ListFilter['sort'], { by: SQL[]; descending: boolean }> = {
  due: {
    by: [queueGroupSql(application), queueKeySql(application), sql`${application.id}`],
    descending: false,
  },
  newest: { by: [sql`${application.createdAt}`, sql`${application.id}`], descending: true },
  name: {
    by: [sql`${application.lastName}`, sql`${application.firstName}`, sql`${application.id}`],
    descending: false,
  },
};

/** The rows of one page, and whether there are more in front of it and behind it. */
export type QueuePage = { rows: Application[]; hasBefore: boolean; hasAfter: boolean };

/** One page of a list: by what stands behind or before a known application, never by counting rows. */
export async function listApplications(
  db: Queryable,
  { sort, place, ...filter }: ListFilter,
  looking: Looking,
  pageSize: number,
): Promise<QueuePage> {
  const { by, descending } = orders[sort];
  const backwards = place !== null && 'before' in place;
  const at = place ? await placeOf(db, by, 'before' in place ? place.before : place.after) : null;
  const isUp = descending === backwards;
  const row = sql`(${sql.join(by, sql`, `)})`;
  const rows = await db
    .select()
    .from(application)
    .where(
      and(condition(filter, looking), at ? sql`${row} ${isUp ? sql`>` : sql`<`} ${at}` : undefined),
    )
    .orderBy(...by.map((one) => (isUp ? asc(one) : desc(one))))
    .limit(pageSize + 1);
  const hasMore = rows.length > pageSize;
  const page = rows.slice(0, pageSize);
  return backwards
    ? { rows: page.toReversed(), hasBefore: hasMore, hasAfter: at !== null }
    : { rows: page, hasBefore: at !== null, hasAfter: hasMore };
}

/** The values by which a list is sorted, of one application; null for an unknown one. */
async function placeOf(db: Queryable, by: readonly SQL[], id: string): Promise<SQL | null> {
  const columns = Object.fromEntries(
    by.map((one, index) => [`v${index}`, sql<string>`${one}::text`]),
  );
  const [row] = await db.select(columns).from(application).where(eq(application.id, id));
  if (!row) return null;
  return sql`(${sql.join(
    by.map((_, index) => sql`${row[`v${index}`]}`),
    sql`, `,
  )})`;
}

/** How many a list has, counted up to a limit: nobody reads the last digit of a million. */
export async function countApplications(
  db: Queryable,
  filter: Omit<ListFilter, 'place' | 'sort'>,
  looking: Looking,
  limit: number,
): Promise<number> {
  const found = db
    .select({ one: sql`1`.as('one') })
    .from(application)
    .where(condition(filter, looking))
    .limit(limit)
    .as('found');
  const [row] = await db.select({ counted: count() }).from(found);
  return row?.counted ?? 0;
}

export async function visaRows(db: Queryable, ids: string[]): Promise<Map<string, VisaRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(visaApplication)
    .where(inArray(visaApplication.applicationId, ids));
  return new Map(rows.map((row) => [row.applicationId, row]));
}

/** When the e-mail about the decision left, by application. The audit trail says so: the desk does not know notices. */
export async function decisionMailMoments(
  db: Queryable,
  ids: string[],
): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: auditEntry.subjectId, at: auditEntry.at })
    .from(auditEntry)
    .where(
      and(
        eq(auditEntry.subjectKind, 'application'),
        inArray(auditEntry.subjectId, ids),
        eq(auditEntry.action, 'email_sent'),
        sql`${auditEntry.detail} ->> 'kind' in ('approved', 'rejected')`,
      ),
    );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

export async function documentsOf(db: Queryable, applicationId: string) {
  return db
    .select()
    .from(applicationDocument)
    .where(eq(applicationDocument.applicationId, applicationId))
    .orderBy(asc(applicationDocument.createdAt), asc(applicationDocument.id));
}

export async function documentById(db: Queryable, id: string) {
  const [row] = await db.select().from(applicationDocument).where(eq(applicationDocument.id, id));
  return row ?? null;
}

/** The application, held until the transaction ends: decisions about it come one after the other. */
export async function lockApplication(tx: Transaction, id: string): Promise<Application | null> {
  const [row] = await tx.select().from(application).where(eq(application.id, id)).for('update');
  return row ?? null;
}

export type Figures = {
  visa: number;
  insurance: number;
  visaThisWeek: number;
  insuranceThisWeek: number;
  pending: number;
  waiting: number;
  dueSoon: number;
  revenueMinor: number;
  revenueThisMonthMinor: number;
};

const counted = (what: SQL | undefined): SQL<number> =>
  sql<number>`count(*) filter (where ${what})`.mapWith(Number);

/** The figures of `statistics.server.ts`, in two statements. */
export async function readFigures(
  db: Queryable,
  since: { week: Date; month: Date; soon: Date },
): Promise<Figures> {
  const visa = eq(application.kind, 'visa');
  const insurance = eq(application.kind, 'insurance');
  const recent = sql`${application.createdAt} >= ${since.week}`;
  const waiting = isWaitingSql(application);
  const [counts] = await db
    .select({
      visa: counted(visa),
      insurance: counted(insurance),
      visaThisWeek: counted(and(visa, recent)),
      insuranceThisWeek: counted(and(insurance, recent)),
      pending: counted(eq(application.status, 'pending')),
      waiting: counted(waiting),
      dueSoon: counted(and(waiting, sql`${application.promisedAt} <= ${since.soon}`)),
    })
    .from(application);
  const net = sql`${order.amountMinor} - coalesce(${paymentAttempt.refundedMinor}, 0)`;
  const thisMonth = sql`${order.paidAt} >= ${since.month}`;
  const [money] = await db
    .select({
      all: sql<number>`coalesce(sum(${net}), 0)`.mapWith(Number),
      month: sql<number>`coalesce(sum(${net}) filter (where ${thisMonth}), 0)`.mapWith(Number),
    })
    .from(order)
    .leftJoin(paymentAttempt, eq(paymentAttempt.id, order.paidBy))
    .where(and(isNotNull(order.paidAt), eq(order.lab, false)));
  if (!counts || !money) throw new Error('The figures were not counted');
  return { ...counts, revenueMinor: money.all, revenueThisMonthMinor: money.month };
}

export async function insertUpload(db: Queryable, row: typeof deskUpload.$inferInsert) {
  await db.insert(deskUpload).values(row);
}

/** Gives an upload to one application; null for an unknown file and for one that was given away before. */
export async function claimUpload(
  tx: Transaction,
  fileId: string,
  applicationId: string,
): Promise<Upload | null> {
  const [row] = await tx
    .update(deskUpload)
    .set({ applicationId })
    .where(and(eq(deskUpload.fileId, fileId), isNull(deskUpload.applicationId)))
    .returning();
  return row ?? null;
}

/** Removes and returns uploads that nobody used. */
export async function takeUnusedUploads(db: Queryable, before: Date): Promise<string[]> {
  const rows = await db
    .delete(deskUpload)
    .where(and(isNull(deskUpload.applicationId), lt(deskUpload.createdAt, before)))
    .returning({ fileId: deskUpload.fileId });
  return rows.map(({ fileId }) => fileId);
}
