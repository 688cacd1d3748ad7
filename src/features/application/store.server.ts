import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { within, type Span } from '~/platform/postgres/span.server.ts';
import { newRow, storeRows, type NewRow } from '~/platform/postgres/store-together.server.ts';
import { markAnswersChecked } from './corrected-mark.server.ts';
import { isUndeliveredSql, isWaitingSql } from './queue-sql.server.ts';
import type { Rejection } from './rejection.ts';
import type { ApplicationStatus } from './status-machine.ts';
import {
  application,
  applicationDocument,
  applicationEvent,
  downloadLink,
} from './tables.server.ts';

export type Application = typeof application.$inferSelect;
export type ApplicationEvent = typeof applicationEvent.$inferSelect;
export type ApplicationDocument = typeof applicationDocument.$inferSelect;

type NewApplication = typeof application.$inferInsert;

/** A new application with the first event of its history. */
export const applicationRows = (row: NewApplication): NewRow[] => [
  newRow(application, row),
  newRow(applicationEvent, { applicationId: row.id, kind: 'submitted', at: row.createdAt }),
];

export async function insertApplication(
  tx: Transaction,
  row: NewApplication,
): Promise<Application> {
  await storeRows(tx, { rows: applicationRows(row) });
  const stored = await applicationById(tx, row.id);
  if (!stored) throw new Error('The application was not stored');
  return stored;
}

/** What a traveller answers for an e-visa and for an insurance alike. */
export type SharedAnswers = Pick<
  typeof application.$inferInsert,
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'dateOfBirth'
  | 'countryCode'
  | 'travelDocument'
  | 'startsOn'
  | 'service'
>;

/** Stores what a traveller changes of an unpaid application; its number, status and history stay. */
export async function changeApplication(
  tx: Transaction,
  id: string,
  values: SharedAnswers &
    Pick<typeof application.$inferInsert, 'language' | 'amountMinor' | 'currency'>,
  at: Date,
): Promise<void> {
  await tx.update(application).set(values).where(eq(application.id, id));
  await addEvent(tx, { applicationId: id, kind: 'changed', at });
}

export async function addEvent(tx: Transaction, event: typeof applicationEvent.$inferInsert) {
  await tx.insert(applicationEvent).values(event);
}

export async function applicationByNumber(
  db: Queryable,
  number: string,
): Promise<Application | null> {
  const [row] = await db.select().from(application).where(eq(application.number, number));
  return row ?? null;
}

export async function applicationById(db: Queryable, id: string): Promise<Application | null> {
  const [row] = await db.select().from(application).where(eq(application.id, id));
  return row ?? null;
}

/** By traveller, in the order of the order; a visa stands before the insurance that came along. */
export async function applicationsByOrder(
  db: Queryable,
  orderNumber: string,
): Promise<Application[]> {
  return db
    .select()
    .from(application)
    .where(eq(application.orderNumber, orderNumber))
    .orderBy(
      asc(application.travellerPosition),
      asc(application.createdAt),
      desc(application.kind),
      asc(application.number),
    );
}

export async function applicationsNumbered(
  db: Queryable,
  numbers: string[],
): Promise<Application[]> {
  if (numbers.length === 0) return [];
  return db.select().from(application).where(inArray(application.number, numbers));
}

/** Sets the moments of payment and promise, once. */
export async function startClock(
  tx: Transaction,
  { id, paidAt, promisedAt }: { id: string; paidAt: Date; promisedAt: Date | null },
): Promise<boolean> {
  const rows = await tx
    .update(application)
    .set({ paidAt, promisedAt })
    .where(and(eq(application.id, id), isNull(application.paidAt)))
    .returning({ id: application.id });
  if (rows.length === 0) return false;
  await addEvent(tx, { applicationId: id, kind: 'paid', at: paidAt });
  return true;
}

/**
 * Changes a status if it still is the one that was read; returns null where it was changed in between. A decision ends
 * the mark of an answered correction, which undoing it brings back.
 */
export async function changeStatus(
  tx: Transaction,
  change: {
    id: string;
    from: ApplicationStatus;
    to: ApplicationStatus;
    at: Date;
    /** For a change to processing. */
    authorityReference?: string | null | undefined;
    /** For a change to rejected. */
    rejection?: Rejection | undefined;
    staffId: string | null;
  },
): Promise<Application | null> {
  const decided = change.to === 'approved' || change.to === 'rejected';
  const [row] = await tx
    .update(application)
    .set({
      status: change.to,
      ...(decided ? { decidedAt: change.at } : {}),
      authorityReference: change.authorityReference,
      // Until a document is attached.
      ...(change.to === 'approved' && {
        undeliveredSince: sql`case when ${application.kind} = 'visa' then ${change.at.toISOString()}::timestamptz end`,
      }),
      ...(change.rejection && {
        rejectionCode: change.rejection.code,
        rejectionReason: change.rejection.words,
      }),
    })
    .where(and(eq(application.id, change.id), eq(application.status, change.from)))
    .returning();
  if (!row || change.to === 'pending') return null;
  // Whoever hands it in has them before their eyes.
  await markAnswersChecked(tx, change.id, change.at);
  await addEvent(tx, {
    applicationId: change.id,
    kind: change.to,
    at: change.at,
    staffId: change.staffId,
  });
  return row;
}

/** `reference`: null for none. */
export async function changeReference(
  tx: Transaction,
  id: string,
  reference: string | null,
): Promise<void> {
  await tx.update(application).set({ authorityReference: reference }).where(eq(application.id, id));
}

export async function applicationEvents(
  db: Queryable,
  applicationId: string,
): Promise<ApplicationEvent[]> {
  return db
    .select()
    .from(applicationEvent)
    .where(eq(applicationEvent.applicationId, applicationId))
    .orderBy(asc(applicationEvent.at), asc(applicationEvent.id));
}

/** The same for several applications, by id; those without events are absent. */
export async function eventsByApplication(
  db: Queryable,
  applicationIds: string[],
): Promise<Map<string, ApplicationEvent[]>> {
  if (applicationIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(applicationEvent)
    .where(inArray(applicationEvent.applicationId, applicationIds))
    .orderBy(asc(applicationEvent.at), asc(applicationEvent.id));
  return Map.groupBy(rows, ({ applicationId }) => applicationId);
}

/** Attaches a file for the traveller: the newest is the one to download, an earlier one is kept as replaced. */
export async function attachDocument(
  tx: Transaction,
  row: typeof applicationDocument.$inferInsert,
): Promise<void> {
  await tx
    .update(applicationDocument)
    .set({ replacedAt: row.createdAt })
    .where(
      and(
        eq(applicationDocument.applicationId, row.applicationId),
        isNull(applicationDocument.replacedAt),
      ),
    );
  await tx.insert(applicationDocument).values(row);
  await tx
    .update(application)
    .set({ undeliveredSince: null })
    .where(and(eq(application.id, row.applicationId), isNotNull(application.undeliveredSince)));
}

export async function currentDocument(
  db: Queryable,
  applicationId: string,
): Promise<ApplicationDocument | null> {
  const [row] = await db
    .select()
    .from(applicationDocument)
    .where(
      and(
        eq(applicationDocument.applicationId, applicationId),
        isNull(applicationDocument.replacedAt),
      ),
    )
    .orderBy(desc(applicationDocument.createdAt))
    .limit(1);
  return row ?? null;
}

/** When the document that this one replaces was attached; null for a first one. */
export async function replacementMoment(
  db: Queryable,
  { applicationId, documentId }: { applicationId: string; documentId: string },
): Promise<Date | null> {
  const documents = await db
    .select({ id: applicationDocument.id, createdAt: applicationDocument.createdAt })
    .from(applicationDocument)
    .where(eq(applicationDocument.applicationId, applicationId))
    .orderBy(asc(applicationDocument.createdAt), asc(applicationDocument.replacedAt));
  const at = documents.findIndex(({ id }) => id === documentId);
  return documents[at - 1]?.createdAt ?? null;
}

/** The application that a document was delivered for. */
export async function applicationByDocument(
  db: Queryable,
  documentId: string,
): Promise<Application | null> {
  const [row] = await db
    .select({ application })
    .from(applicationDocument)
    .innerJoin(application, eq(application.id, applicationDocument.applicationId))
    .where(eq(applicationDocument.id, documentId));
  return row?.application ?? null;
}

export async function insertDownloadLink(db: Queryable, row: typeof downloadLink.$inferInsert) {
  await db.insert(downloadLink).values(row);
}

export async function documentByLink(db: Queryable, tokenHash: Buffer) {
  const [row] = await db
    .select({ link: downloadLink, document: applicationDocument })
    .from(downloadLink)
    .innerJoin(applicationDocument, eq(applicationDocument.id, downloadLink.documentId))
    .where(eq(downloadLink.tokenHash, tokenHash));
  return row ?? null;
}

export async function deleteDownloadLinks(db: Queryable, before: Date): Promise<void> {
  await db.delete(downloadLink).where(lt(downloadLink.expiresAt, before));
}

/**
 * What waits for the desk: undecided applications, approved ones without their PDF, and those of either that are past
 * their promised moment.
 */
export async function countWaiting(
  db: Queryable,
  now: Date,
): Promise<{ waiting: number; undelivered: number; overdue: number }> {
  const counted = (where: SQL) => sql<number>`count(*) filter (where ${where})`.mapWith(Number);
  const [row] = await db
    .select({
      waiting: counted(isWaitingSql(application)),
      undelivered: counted(isUndeliveredSql(application)),
      overdue: counted(lt(application.promisedAt, now)),
    })
    .from(application)
    .where(
      and(
        inArray(application.kind, ['visa', 'insurance']),
        or(isWaitingSql(application), isUndeliveredSql(application)),
      ),
    );
  return row ?? { waiting: 0, undelivered: 0, overdue: 0 };
}

/**
 * Decisions of a span about paid visa applications. Insurance is mostly approved automatically, and what a traveller
 * withdrew nobody decided.
 */
export const isVisaDecidedSql = (span: Span): SQL => sql`${application.kind} = 'visa'
  and ${application.paidAt} is not null and ${within(sql`${application.decidedAt}`, span)}
  and ${application.rejectionCode} is distinct from 'withdrawn'`;

/** How many of them approved and how many rejected. */
export async function countDecisions(
  db: Queryable,
  span: Span,
): Promise<{ approved: number; rejected: number }> {
  const counted = (status: 'approved' | 'rejected') =>
    sql<number>`count(*) filter (where ${eq(application.status, status)})`.mapWith(Number);
  const [row] = await db
    .select({ approved: counted('approved'), rejected: counted('rejected') })
    .from(application)
    .where(isVisaDecidedSql(span));
  return row ?? { approved: 0, rejected: 0 };
}

/**
 * The application, locked until the transaction ends, so that decisions about it run one after the other. `for no key
 * update`, as all our locks: rows that refer to it may be stored meanwhile, which `for update` would delay, with
 * deadlocks against transactions that stored such a row first.
 */
export async function lockApplication(tx: Transaction, id: string): Promise<Application | null> {
  const [row] = await tx
    .select()
    .from(application)
    .where(eq(application.id, id))
    .for('no key update');
  return row ?? null;
}
