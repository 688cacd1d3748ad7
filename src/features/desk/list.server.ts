import type { Database } from '~/platform/database.server.ts';
import { TookTooLong, withinTime } from '~/platform/time-limit.server.ts';
import type { ListFilter } from './list-filter.ts';
import {
  countApplications,
  listApplications,
  type Looking,
  type QueuePage,
} from './list-store.server.ts';

/** Twenty times what a list promises. A filter that nobody thought of does not hold the desk for longer. */
const LIST_LIMIT_MS = 2000;

type Size = { pageSize: number; mostCounted: number; limitMs?: number };

/** One page of a list and how many there are, counted up to a limit; null where the database had to give up. */
export async function readList(
  db: Database,
  filter: ListFilter,
  looking: Looking,
  { pageSize, mostCounted, limitMs = LIST_LIMIT_MS }: Size,
): Promise<(QueuePage & { total: number }) | null> {
  try {
    return await withinTime(db, limitMs, async (tx) => {
      const page = await listApplications(tx, filter, looking, pageSize);
      const isWhole = !page.hasBefore && !page.hasAfter;
      const total = isWhole
        ? page.rows.length
        : await countApplications(tx, filter, looking, mostCounted);
      return { ...page, total };
    });
  } catch (error) {
    if (error instanceof TookTooLong) return null;
    throw error;
  }
}
