import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import { changeAccount, accountById } from '~/features/staff/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  MAX_VIEWS,
  readViewName,
  viewQuery,
  type QueueView,
  type ViewResult,
} from './list-filter.ts';
import { and, asc, eq, ne, or, sql, type SQL } from 'drizzle-orm';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { cacheUntilChanged } from '~/platform/postgres/invalidations.server.ts';
import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
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

type Viewing = Pick<Platform, 'db' | 'now'>;

/** One's own views and those that managers share, by name. */
export async function viewsByStaff(
  { db }: Pick<Platform, 'db'>,
  staff: Pick<Staff, 'id' | 'startView'>,
): Promise<QueueView[]> {
  const all = await allViews.current(db);
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
  const views = await viewsByStaff(platform, staff);
  return views.find(({ isStart }) => isStart)?.query ?? '';
}

/** The same of an account that has just signed in. */
export async function accountStartPage(
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
  const { name } = read;
  const result = await db.transaction(async (tx): Promise<ViewResult> => {
    const ofOthers = and(eq(deskView.staffId, staff.id), ne(deskView.name, name));
    if ((await tx.$count(deskView, ofOthers)) >= MAX_VIEWS) return 'limit';
    const at = now();
    const query = viewQuery(typed.query);
    const [stored] = await tx
      .insert(deskView)
      .values({ id: randomUUID(), staffId: staff.id, name, query, createdAt: at })
      .onConflictDoUpdate({
        target: [deskView.staffId, deskView.name],
        set: { query: sql`excluded.query` },
      })
      .returning({ id: deskView.id });
    if (!stored) throw new Error('The view was not stored');
    const subject = { kind: 'queue', id: stored.id } as const;
    await audit(tx, { at, staffId: staff.id, action: 'view_saved', subject });
    return 'saved';
  });
  allViews.invalidate(db);
  return result;
}

/** Removes a view for everybody; false where it is not there, or not one's to remove. */
export const removeView = (platform: Viewing, staff: Staff, id: string): Promise<boolean> =>
  change(platform, staff, { id, action: 'view_removed' }, (tx, which) =>
    tx.delete(deskView).where(which).returning({ id: deskView.id }),
  );

/** Lists a view for everybody, or for its owner alone again. The caller has checked the role. */
export const shareView = (
  platform: Viewing,
  staff: Staff,
  { id, shared }: { id: string; shared: boolean },
): Promise<boolean> =>
  change(platform, staff, { id, action: shared ? 'view_shared' : 'view_unshared' }, (tx, which) =>
    tx.update(deskView).set({ shared }).where(which).returning({ id: deskView.id }),
  );

/** Changes a view of one's own or, as one who shares views, a shared one of anybody. */
async function change(
  { db, now }: Viewing,
  staff: Staff,
  { id, action }: { id: string; action: 'view_removed' | 'view_shared' | 'view_unshared' },
  run: (tx: Transaction, which: SQL | undefined) => Promise<{ id: string }[]>,
): Promise<boolean> {
  if (!isUuid(id)) return false;
  const isShared = may(staff.role, 'share_view') ? eq(deskView.shared, true) : undefined;
  const which = and(eq(deskView.id, id), or(eq(deskView.staffId, staff.id), isShared));
  const done = await db.transaction(async (tx) => {
    const [changed] = await run(tx, which);
    if (!changed) return false;
    const subject = { kind: 'queue', id } as const;
    await audit(tx, { at: now(), staffId: staff.id, action, subject });
    return true;
  });
  allViews.invalidate(db);
  return done;
}

/** Begins one's queue with a view, or with the whole list; false where the view is not there for them. */
export async function setStartView(
  platform: Pick<Platform, 'db'>,
  staff: Staff,
  id: string | null,
): Promise<boolean> {
  const views = await viewsByStaff(platform, staff);
  if (id !== null && !views.some((view) => view.id === id)) return false;
  await changeAccount(platform.db, staff.id, { startView: id });
  return true;
}
