import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  sql,
  type SQL,
} from 'drizzle-orm';
import { application, applicationDocument } from '~/features/application/tables.server.ts';
import { auditEntry } from '~/features/staff/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { deskDecision, deskUpload } from './tables.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { readInsuranceDetails } from '~/features/insurance/store/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

export type VisaRow = typeof visaApplication.$inferSelect;
export type DeskUpload = typeof deskUpload.$inferSelect;

export async function visaRows(db: Queryable, ids: string[]): Promise<Map<string, VisaRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select()
    .from(visaApplication)
    .where(inArray(visaApplication.applicationId, ids));
  return new Map(rows.map((row) => [row.applicationId, row]));
}

/**
 * A condition: the audit entry is of an email that told the decision on the application. An adult's insurance is approved
 * in the one that confirms the payment.
 */
export const tellsDecision: SQL = sql`${auditEntry.subjectKind} = 'application' and ${auditEntry.action} = 'email_sent'
  and (${auditEntry.detail} ->> 'kind' in ('approved', 'rejected', 'cancelled', 'cancelled_traveller')
    or (${auditEntry.detail} ->> 'kind' = 'received' and ${application.kind} = 'insurance'
      and ${auditEntry.at} >= ${application.decidedAt}))`;

/** When the email about the decision was sent, by application, as recorded in the audit trail. */
export async function decisionMailMoments(
  db: Queryable,
  ids: string[],
): Promise<Map<string, Date>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: auditEntry.subjectId, at: auditEntry.at })
    .from(auditEntry)
    .innerJoin(application, eq(sql`${application.id}::text`, auditEntry.subjectId))
    .where(and(inArray(application.id, ids), inArray(auditEntry.subjectId, ids), tellsDecision));
  return new Map(rows.map(({ id, at }) => [id, at]));
}

/** Oldest first, by application; those without documents are absent. */
export async function documentsByApplication(db: Queryable, applicationIds: string[]) {
  const rows = await db
    .select()
    .from(applicationDocument)
    .where(inArray(applicationDocument.applicationId, applicationIds))
    .orderBy(asc(applicationDocument.createdAt), asc(applicationDocument.id));
  return Map.groupBy(rows, ({ applicationId }) => applicationId);
}

export async function documentById(db: Queryable, id: string) {
  const [row] = await db.select().from(applicationDocument).where(eq(applicationDocument.id, id));
  return row ?? null;
}

export async function insertUpload(db: Queryable, row: typeof deskUpload.$inferInsert) {
  await db.insert(deskUpload).values(row);
}

export async function uploadById(db: Queryable, fileId: string): Promise<DeskUpload | null> {
  const [row] = await db.select().from(deskUpload).where(eq(deskUpload.fileId, fileId));
  return row ?? null;
}

/** Numbers listed at most. */
const MAX_LISTED_NUMBERS = 10;

/** Numbers of other applications that got a file with the same bytes, newest first. */
export async function sameFileElsewhere(
  db: Queryable,
  { contentHash, applicationId }: { contentHash: Buffer; applicationId: string },
): Promise<string[]> {
  const rows = await db
    .select({ number: application.number })
    .from(applicationDocument)
    .innerJoin(application, eq(application.id, applicationDocument.applicationId))
    .where(
      and(
        eq(applicationDocument.contentHash, contentHash),
        ne(applicationDocument.applicationId, applicationId),
      ),
    )
    .orderBy(desc(applicationDocument.createdAt))
    .limit(MAX_LISTED_NUMBERS);
  return [...new Set(rows.map(({ number }) => number))];
}

const isFreeFor = (taken: { fileId: string; applicationId: string; staffId: string }) =>
  and(
    eq(deskUpload.fileId, taken.fileId),
    isNull(deskUpload.applicationId),
    or(
      isNull(deskUpload.draftFor),
      and(eq(deskUpload.draftFor, taken.applicationId), eq(deskUpload.staffId, taken.staffId)),
    ),
  );

/**
 * Assigns an upload to an application; null for an unknown file, a used one, and one uploaded for another application
 * or by somebody else. `keepText`: the decision may be undone, after which the file is compared again.
 */
export async function claimUpload(
  tx: Transaction,
  taken: { fileId: string; applicationId: string; staffId: string },
  { keepText = false } = {},
): Promise<DeskUpload | null> {
  const [row] = await tx
    .update(deskUpload)
    .set({ applicationId: taken.applicationId, ...(keepText ? {} : { text: null, name: null }) })
    .where(isFreeFor(taken))
    .returning();
  return row ?? null;
}

/** Lets the person who used an upload use it again, for the same application. */
export async function releaseUpload(
  tx: Transaction,
  { fileId, applicationId, staffId }: { fileId: string; applicationId: string; staffId: string },
): Promise<void> {
  await tx
    .update(deskUpload)
    .set({ applicationId: null, draftFor: applicationId, staffId })
    .where(and(eq(deskUpload.fileId, fileId), eq(deskUpload.applicationId, applicationId)));
}

/** Deletes name and text of uploads that were used by decisions which stay. */
export async function deleteUsedTexts(db: Queryable, now: Date): Promise<void> {
  const undoable = db
    .select({ one: sql`1` })
    .from(deskDecision)
    .where(
      and(
        eq(deskDecision.applicationId, deskUpload.applicationId),
        gt(deskDecision.undoUntil, now),
      ),
    );
  await db
    .update(deskUpload)
    .set({ text: null, name: null })
    .where(
      and(
        isNotNull(deskUpload.applicationId),
        or(isNotNull(deskUpload.text), isNotNull(deskUpload.name)),
        notExists(undoable),
      ),
    );
}

/** Whether `claimUpload` would succeed. */
export async function isUploadFree(
  db: Queryable,
  taken: { fileId: string; applicationId: string; staffId: string },
): Promise<boolean> {
  const rows = await db
    .select({ fileId: deskUpload.fileId })
    .from(deskUpload)
    .where(isFreeFor(taken));
  return rows.length > 0;
}

/** Deletes unused uploads; returns their files. */
export async function deleteUnusedUploadRows(db: Queryable, before: Date): Promise<string[]> {
  const rows = await db
    .delete(deskUpload)
    .where(and(isNull(deskUpload.applicationId), lt(deskUpload.createdAt, before)))
    .returning({ fileId: deskUpload.fileId });
  return rows.map(({ fileId }) => fileId);
}

export type DocumentNumbers = { passport: string; supportingDocument: string | null };

/** The sealed numbers of a visa application, decrypted. Whoever shows them in full records it in the audit trail. */
export function openNumbers({ sealer }: Pick<Platform, 'sealer'>, row: VisaRow): DocumentNumbers {
  const id = row.applicationId;
  return {
    passport: sealer.unsealText(row.passportNumber, `visa_application.passport_number:${id}`),
    supportingDocument:
      row.supportingDocumentNumber &&
      sealer.unsealText(
        row.supportingDocumentNumber,
        `visa_application.supporting_document_number:${id}`,
      ),
  };
}

/** `openNumbers` for an application of either kind; null for one without answers. */
export async function readDocumentNumbers(
  { db, sealer }: { db: Queryable; sealer: Platform['sealer'] },
  { id, kind }: Application,
): Promise<DocumentNumbers | null> {
  if (kind === 'visa') {
    const row = (await visaRows(db, [id])).get(id);
    return row ? openNumbers({ sealer }, row) : null;
  }
  const details = await readInsuranceDetails(db, sealer, id);
  return details && { passport: details.passportNumber, supportingDocument: null };
}
