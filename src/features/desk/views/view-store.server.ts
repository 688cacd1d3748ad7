import { and, asc, count, eq, ne, sql } from 'drizzle-orm';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { cacheUntilChanged } from '~/platform/invalidation/cache-until-changed.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import { deskView } from './tables.server.ts';

/** Everybody's views by name, in memory until one changes: every page of the queue lists some. */
const allViews = cacheUntilChanged({
  topic: 'desk_view',
  read: (db: Database) =>
    db
      .select({
        id: deskView.id,
        staffId: deskView.staffId,
        owner: staffAccount.name,
        name: deskView.name,
        query: deskView.query,
        shared: deskView.shared,
      })
      .from(deskView)
      .innerJoin(staffAccount, eq(staffAccount.id, deskView.staffId))
      .orderBy(asc(deskView.name), asc(deskView.id)),
});

export const viewsKnown = (db: Database) => allViews.current(db);
export const invalidateViews = (db: Database): void => allViews.invalidate(db);

/** Somebody's views of other names. */
export async function countViews(
  db: Queryable,
  { staffId, not }: { staffId: string; not: string },
): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(deskView)
    .where(and(eq(deskView.staffId, staffId), ne(deskView.name, not)));
  return row?.count ?? 0;
}

/** Stores a view; one's own of the same name gets the new list. Returns its id. */
export async function putView(db: Queryable, view: typeof deskView.$inferInsert): Promise<string> {
  const [row] = await db
    .insert(deskView)
    .values(view)
    .onConflictDoUpdate({
      target: [deskView.staffId, deskView.name],
      set: { query: sql`excluded.query` },
    })
    .returning({ id: deskView.id });
  if (!row) throw new Error('The view was not stored');
  return row.id;
}

/** A view of `owner`; null for anybody’s that is shared. */
const named = (id: string, owner: string | null) =>
  and(
    eq(deskView.id, id),
    owner === null ? eq(deskView.shared, true) : eq(deskView.staffId, owner),
  );

export async function deleteView(
  db: Queryable,
  { id, owner }: { id: string; owner: string | null },
): Promise<boolean> {
  const rows = await db.delete(deskView).where(named(id, owner)).returning({ id: deskView.id });
  return rows.length > 0;
}

export async function markShared(
  db: Queryable,
  { id, owner, shared }: { id: string; owner: string | null; shared: boolean },
): Promise<boolean> {
  const rows = await db
    .update(deskView)
    .set({ shared })
    .where(named(id, owner))
    .returning({ id: deskView.id });
  return rows.length > 0;
}
