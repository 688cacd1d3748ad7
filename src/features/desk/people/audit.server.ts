import { and, asc, desc, eq, gte, lt, notInArray, or, sql } from 'drizzle-orm';
import { everyRow, readPage, type Place, type RowPage } from '~/base/cursor.ts';
import { addDays, type PlainDate } from '~/base/dates/dates.ts';
import { isUuid } from '~/base/uuid.ts';
import { auditActions, viewingActions, type AuditAction } from '~/features/staff/audit-words.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import { applicationByNumber } from '~/features/application/store.server.ts';
import { refundsByOrder } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import type { AuditEntry } from '~/features/staff/store.server.ts';
import { auditEntry, staffAccount } from '~/features/staff/tables.server.ts';
import { csvDownload, type CsvColumns } from '~/platform/http/csv.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { DeskFile } from '../frame/desk-file.server.ts';
import { readDay } from '../frame/days.tsx';

/** Which entries of the audit trail are shown. `day` is a UTC day, `number` an application's. */
export type AuditFilter = {
  readonly staff: string | null;
  readonly action: AuditAction | null;
  readonly number: string;
  readonly day: PlainDate | null;
  /** Whether entries are shown that only say who saw something. */
  readonly views: 'yes' | null;
};

/** Reads an address's query; unknown values are ignored. */
export function readAuditFilter(query: URLSearchParams): AuditFilter {
  const staff = query.get('staff') ?? '';
  return {
    staff: isUuid(staff) ? staff : null,
    action: auditActions.find((action) => action === query.get('action')) ?? null,
    number: (query.get('number') ?? '').trim().slice(0, 40),
    day: readDay(query.get('day') ?? ''),
    views: query.has('views') ? 'yes' : null,
  };
}

/** What the trail says of a search in it. */
export const auditDetail = ({ staff, action, day, views }: AuditFilter) => ({
  staff,
  action,
  day,
  views,
});

const cursorOf = ({ at, id }: AuditEntry) => ({ at, id: String(id) });

/** A filter with the subjects of which any is looked for; null for all. */
type AuditQuery = AuditFilter & {
  readonly subjects: readonly { kind: string; ids: string[] }[] | null;
};

/** What a filter asks for; null where the number is no application's. */
export async function readAuditQuery(
  db: Queryable,
  filter: AuditFilter,
): Promise<AuditQuery | null> {
  const { number } = filter;
  if (number === '') return { ...filter, subjects: null };
  const found = await applicationByNumber(db, normaliseNumber(number));
  if (!found) return null;
  // Entries about its payments are included.
  const order = await orderByNumber(db, found.orderNumber);
  const refunds = order ? await refundsByOrder(db, order.id) : [];
  const own = refunds.filter(({ refund }) => refund.applicationNumbers.includes(found.number));
  const subjects = [
    { kind: 'application', ids: [found.id] },
    { kind: 'refund', ids: own.map(({ refund }) => refund.id) },
  ];
  return { ...filter, subjects };
}

/** Entries newest first after a cursor, or, backwards, oldest first before it. */
async function searchEntries(
  db: Queryable,
  { staff, action, views, day, subjects }: AuditQuery,
  { cursor, backwards, limit }: Place,
): Promise<AuditEntry[]> {
  const { at, id } = auditEntry;
  const place = cursor && /^\d{1,15}$/.test(cursor.id) ? cursor : null;
  const sign = backwards ? sql`>` : sql`<`;
  const midnight = (date: PlainDate) => new Date(`${date}T00:00:00Z`);
  return db
    .select()
    .from(auditEntry)
    .where(
      and(
        staff ? eq(auditEntry.staffId, staff) : undefined,
        action ? eq(auditEntry.action, action) : undefined,
        action || views ? undefined : notInArray(auditEntry.action, [...viewingActions]),
        day ? and(gte(at, midnight(day)), lt(at, midnight(addDays(day, 1)))) : undefined,
        subjects
          ? or(
              ...subjects.map(({ kind, ids }) =>
                and(
                  eq(auditEntry.subjectKind, kind),
                  sql`${auditEntry.subjectId} = any(${sql.param(ids)}::text[])`,
                ),
              ),
            )
          : undefined,
        place
          ? sql`(${at}, ${id}) ${sign} (${place.at.toISOString()}::timestamptz, ${Number(place.id)})`
          : undefined,
      ),
    )
    .orderBy(...(backwards ? [asc(at), asc(id)] : [desc(at), desc(id)]))
    .limit(limit);
}

/** Every account that may occur in the trail, by name. */
export const accountsByName = (db: Queryable) =>
  db
    .select({ id: staffAccount.id, name: staffAccount.name })
    .from(staffAccount)
    .orderBy(asc(staffAccount.name), asc(staffAccount.id));

/** The page of entries that an address asks for, newest first. */
export const auditPage = (
  db: Queryable,
  query: AuditQuery,
  address: URLSearchParams,
): Promise<RowPage<AuditEntry>> =>
  readPage(address, (place) => searchEntries(db, query, place), cursorOf);

const auditColumns: CsvColumns<AuditEntry> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  staff: ({ staffId }) => staffId,
  action: ({ action }) => action,
  subject: ({ subjectKind }) => subjectKind,
  subject_id: ({ subjectId }) => subjectId,
  detail: ({ detail }) => JSON.stringify(detail),
};

/** The entries that match the filter. */
export const auditFile: DeskFile = {
  right: 'view_audit',
  async open({ platform: { db }, query: typed }) {
    const filter = readAuditFilter(typed);
    const query = await readAuditQuery(db, filter);
    if (!query) return null;
    const rows = everyRow<AuditEntry>((last, limit) =>
      searchEntries(db, query, { cursor: last && cursorOf(last), backwards: false, limit }),
    );
    return {
      action: 'audit_exported',
      subject: { kind: 'audit', id: 'file' },
      detail: auditDetail(filter),
      file: csvDownload('audit', auditColumns, rows),
    };
  },
};
