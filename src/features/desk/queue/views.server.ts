import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import { changeAccount, accountById } from '~/features/staff/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { MOST_VIEWS, readViewName, viewQuery, type View, type ViewResult } from './list-filter.ts';
import { and, asc, count, eq, ne, sql } from 'drizzle-orm';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { cacheUntilChanged } from '~/platform/postgres/invalidations.server.ts';
import type { Database, Queryable } from '~/platform/postgres/database.server.ts';
import { deskView } from '../application/tables.server.ts';

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

const viewsKnown = (db: Database) => allViews.current(db);
const invalidateViews = (db: Database): void => allViews.invalidate(db);

/** Somebody's views of other names. */
async function countViews(
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
async function putView(db: Queryable, view: typeof deskView.$inferInsert): Promise<string> {
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

async function deleteView(
  db: Queryable,
  { id, owner }: { id: string; owner: string | null },
): Promise<boolean> {
  const rows = await db.delete(deskView).where(named(id, owner)).returning({ id: deskView.id });
  return rows.length > 0;
}

async function markShared(
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

type Viewing = Pick<Platform, 'db' | 'now'>;

/** One's own views and those that managers share, by name. */
export async function viewsFor(
  { db }: Pick<Platform, 'db'>,
  staff: Pick<Staff, 'id' | 'startView'>,
): Promise<View[]> {
  const all = await viewsKnown(db);
  return all
    .filter(({ staffId, shared }) => shared || staffId === staff.id)
    .map(({ staffId, owner, ...view }) => ({
      ...view,
      owner: staffId === staff.id ? '' : owner,
      isStart: view.id === staff.startView,
    }));
}

/** The query that somebody's queue begins with: of the view they chose, while it is there for them; '' for the whole list. */
export async function startQuery(
  platform: Pick<Platform, 'db'>,
  staff: Pick<Staff, 'id' | 'startView'>,
): Promise<string> {
  if (staff.startView === null) return '';
  const views = await viewsFor(platform, staff);
  return views.find(({ isStart }) => isStart)?.query ?? '';
}

/** The same of an account that has just signed in. */
export async function startOfAccount(
  platform: Pick<Platform, 'db'>,
  accountId: string,
): Promise<string> {
  const account = await accountById(platform.db, accountId);
  return account ? startQuery(platform, account) : '';
}

/** Names the list of an address; an own view of that name gets the new list. */
export async function saveView(
  { db, now }: Viewing,
  staff: Staff,
  typed: { name: string; query: string },
): Promise<ViewResult> {
  const read = readViewName(typed.name);
  if ('problem' in read) return read.problem;
  const result = await db.transaction(async (tx): Promise<ViewResult> => {
    const others = await countViews(tx, { staffId: staff.id, not: read.name });
    if (others >= MOST_VIEWS) return 'limit';
    const at = now();
    const query = viewQuery(typed.query);
    const wanted = { id: randomUUID(), staffId: staff.id, name: read.name, query, createdAt: at };
    const id = await putView(tx, wanted);
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'view_saved',
      subject: { kind: 'queue', id },
    });
    return 'saved';
  });
  invalidateViews(db);
  return result;
}

/** Whose view somebody may change: their own, and as one who shares views a shared one of anybody. */
const ownersFor = (staff: Staff): readonly (string | null)[] =>
  may(staff.role, 'share_view') ? [staff.id, null] : [staff.id];

/** Removes a view for everybody; false where it is not there, or not one's to remove. */
export const removeView = (platform: Viewing, staff: Staff, id: string): Promise<boolean> =>
  change(platform, staff, id, 'view_removed', (tx, owner) => deleteView(tx, { id, owner }));

/** Lists a view for everybody, or for its owner alone again. The caller has checked the role. */
export const shareView = (
  platform: Viewing,
  staff: Staff,
  { id, shared }: { id: string; shared: boolean },
): Promise<boolean> =>
  change(platform, staff, id, shared ? 'view_shared' : 'view_unshared', (tx, owner) =>
    markShared(tx, { id, owner, shared }),
  );

async function change(
  { db, now }: Viewing,
  staff: Staff,
  id: string,
  action: 'view_removed' | 'view_shared' | 'view_unshared',
  run: (tx: Parameters<typeof deleteView>[0], owner: string | null) => Promise<boolean>,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const done = await db.transaction(async (tx) => {
    for (const owner of ownersFor(staff)) {
      if (!(await run(tx, owner))) continue;
      const subject = { kind: 'queue', id } as const;
      await audit(tx, { at: now(), staffId: staff.id, action, subject });
      return true;
    }
    return false;
  });
  invalidateViews(db);
  return done;
}

/** Begins one's queue with a view, or with the whole list; false where the view is not there for them. */
export async function startWith(
  platform: Pick<Platform, 'db'>,
  staff: Staff,
  id: string | null,
): Promise<boolean> {
  const views = await viewsFor(platform, staff);
  if (id !== null && !views.some((view) => view.id === id)) return false;
  await changeAccount(platform.db, staff.id, { startView: id });
  return true;
}
