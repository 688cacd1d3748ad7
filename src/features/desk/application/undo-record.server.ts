import type { ServiceCode } from '~/features/order/service-code.ts';
import { randomUUID } from 'node:crypto';
import { eq, lt, and, desc, gt, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { applicationStatuses } from '~/features/application/status-machine.ts';
import {
  applicationsByOrder,
  currentDocument,
  type Application,
} from '~/features/application/store.server.ts';
import { applicationsLeaving } from '~/features/application/leave-order.ts';
import { linesByOrder, orderByNumber } from '~/features/order/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { deskDecision } from './tables.server.ts';
import type { Undoable, UndoableKind } from './decision-types.ts';
import { application, applicationEvent } from '~/features/application/tables.server.ts';
import { prepareOnce } from '~/platform/postgres/prepare-once.server.ts';
import { UNNAMED } from '~/platform/postgres/statements.server.ts';
import { cookieHeader, readSecretCookie, secretCookie } from '~/platform/http/cookies.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

const moment = z.coerce.date().nullable();

/** What stood before a decision, and what it caused: ids, states and moments, no personal data. */
const before = z.object({
  /** The application, and the insurance that left an unpaid order with its visa. */
  applications: z.array(
    z.object({
      id: z.uuid(),
      status: z.enum(applicationStatuses),
      actionRequired: z.boolean(),
      pausedAt: moment,
      promisedAt: moment,
      lastEvent: z.number(),
    }),
  ),
  /** The document that counted. */
  documentId: z.uuid().nullable(),
  /** The unpaid order of a rejected application. */
  order: z
    .object({
      id: z.uuid(),
      amountMinor: z.number(),
      failedStarts: z.number(),
      lines: z.array(
        z.object({
          id: z.uuid(),
          orderId: z.uuid(),
          position: z.number(),
          applicationNumber: z.string(),
          code: z.string(),
          detail: z.custom<ServiceCode | null>((one) => one === null || typeof one === 'string'),
          amountMinor: z.number(),
        }),
      ),
    })
    .nullable(),
  emails: z.array(z.uuid()),
  refunds: z.array(z.uuid()),
  corrections: z.array(z.uuid()),
});
type UndoRecord = z.infer<typeof before>;

export type DecisionMade = Omit<typeof deskDecision.$inferSelect, 'before'> & {
  before: UndoRecord;
};

type Changeable = Pick<UndoRecord, 'applications' | 'documentId' | 'order'>;

/** What stands now and a decision of this kind may change. Needs the locks of the decision. */
export async function readChangeable(
  tx: Transaction,
  found: Application,
  kind: UndoableKind,
): Promise<Changeable> {
  const current = await currentDocument(tx, found.id);
  const order = kind === 'reject' ? await orderByNumber(tx, found.orderNumber) : null;
  const unpaid = order && !order.paidAt ? order : null;
  const leaving = unpaid
    ? applicationsLeaving(await applicationsByOrder(tx, unpaid.number), found)
    : [];
  const applications: UndoRecord['applications'] = [];
  for (const one of [found, ...leaving.filter(({ id }) => id !== found.id)]) {
    const { id, status, actionRequired, pausedAt, promisedAt } = one;
    const [newest] = await tx
      .select({ id: applicationEvent.id })
      .from(applicationEvent)
      .where(eq(applicationEvent.applicationId, id))
      .orderBy(desc(applicationEvent.id))
      .limit(1);
    const lastEvent = newest?.id ?? 0;
    applications.push({ id, status, actionRequired, pausedAt, promisedAt, lastEvent });
  }
  return {
    applications,
    documentId: current?.id ?? null,
    order: unpaid && {
      id: unpaid.id,
      amountMinor: unpaid.amountMinor,
      failedStarts: unpaid.failedStarts,
      lines: await linesByOrder(tx, unpaid.id),
    },
  };
}

/** A decision taken at `at`, which its author can undo for as long as they chose. */
export const beginUndoable = (at: Date, { undoSeconds }: Pick<Staff, 'undoSeconds'>): Undoable => ({
  id: randomUUID(),
  delayMs: undoSeconds * 1000,
  until: new Date(at.getTime() + undoSeconds * 1000),
  emails: [],
  refunds: [],
  corrections: [],
});

/** Stores how a decision is undone, in its transaction. */
export async function insertUndoable(
  tx: Transaction,
  { id, until, delayMs: _delay, ...caused }: Undoable,
  made: { found: Application; staff: Staff; kind: UndoableKind; at: Date; changeable: Changeable },
): Promise<void> {
  const { found, staff, kind, at } = made;
  const stood: UndoRecord = { ...made.changeable, ...caused };
  await tx.insert(deskDecision).values({
    id,
    applicationId: found.id,
    staffId: staff.id,
    kind,
    at,
    undoUntil: until,
    before: stood,
  });
}

/** A decision, locked until the transaction ends; null for an unknown id. */
export async function lockDecision(tx: Transaction, id: string): Promise<DecisionMade | null> {
  const [row] = await tx.select().from(deskDecision).where(eq(deskDecision.id, id)).for('update');
  return row ? { ...row, before: before.parse(row.before) } : null;
}

export async function decisionById(
  db: Queryable,
  id: string,
): Promise<Pick<DecisionMade, 'applicationId' | 'kind' | 'staffId'> | null> {
  const [row] = await db.select().from(deskDecision).where(eq(deskDecision.id, id));
  return row ?? null;
}

export async function markUndone(tx: Transaction, id: string, undoneAt: Date): Promise<void> {
  await tx.update(deskDecision).set({ undoneAt }).where(eq(deskDecision.id, id));
}

export async function deleteDecisions(db: Queryable, olderThan: Date): Promise<void> {
  await db.delete(deskDecision).where(lt(deskDecision.at, olderThan));
}

/** A decision that its author can still undo. */
export type UndoableDecision = {
  id: string;
  number: string;
  name: string;
  kind: UndoableKind;
  /** Milliseconds left. */
  left: number;
  /** Milliseconds since it was taken. */
  age: number;
};

/** One statement, as every page of the desk runs it. */
const ownUndoable = prepareOnce((db) =>
  db
    .select({
      id: deskDecision.id,
      kind: deskDecision.kind,
      at: deskDecision.at,
      undoUntil: deskDecision.undoUntil,
      number: application.number,
      firstName: application.firstName,
      lastName: application.lastName,
    })
    .from(deskDecision)
    .innerJoin(application, eq(application.id, deskDecision.applicationId))
    .where(
      and(
        eq(deskDecision.staffId, sql.placeholder('staffId')),
        gt(deskDecision.undoUntil, sql.placeholder('now')),
        isNull(deskDecision.undoneAt),
      ),
    )
    .orderBy(desc(deskDecision.at))
    .prepare(UNNAMED),
);

/** This person's decisions that can be undone now, the newest first. */
export async function undoableDecisions(
  db: Queryable,
  { id: staffId }: Pick<Staff, 'id'>,
  now: Date,
): Promise<UndoableDecision[]> {
  const rows = await ownUndoable(db).execute({ staffId, now });
  return rows.map(({ id, kind, number, at, undoUntil, ...name }) => ({
    id,
    kind,
    number,
    name: `${name.lastName}, ${name.firstName}`,
    left: undoUntil.getTime() - now.getTime(),
    age: now.getTime() - at.getTime(),
  }));
}

const NAME = 'lale_desk_undo';

/**
 * The header of an answer that has decided something: for as long as its author can undo it, this browser's pages look
 * for what can be undone. All others save the statement.
 */
export const undoCookie = (platform: Platform, { undoSeconds }: Pick<Staff, 'undoSeconds'>) =>
  cookieHeader(secretCookie(platform, NAME, '1', { maxAgeSeconds: undoSeconds }));

/** Whether this browser has decided something just now. */
export const hasJustDecided = (platform: Platform, request: Request): boolean =>
  readSecretCookie(platform, request, NAME) !== undefined;
