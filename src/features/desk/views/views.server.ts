import { randomUUID } from 'node:crypto';
import { isUuid } from '~/base/uuid.ts';
import { changeAccount } from '~/features/staff/account-store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { accountById } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  countViews,
  deleteView,
  invalidateViews,
  markShared,
  putView,
  viewsKnown,
} from './view-store.server.ts';
import { MOST_VIEWS, readViewName, viewQuery, type View, type ViewResult } from './view.ts';

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
