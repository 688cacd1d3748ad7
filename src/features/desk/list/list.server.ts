import type { Database, Transaction } from '~/platform/postgres/database.server.ts';
import { TookTooLong, withinTime } from '~/platform/postgres/time-limit.server.ts';
import type { ListFilter } from './list-filter.ts';
import type { ListReader, ListQuery } from './list-order-store.server.ts';
import { countApplications } from './list-count-store.server.ts';
import { listApplications, type QueuePage } from './list-store.server.ts';

/** Milliseconds, twenty times the target of a list: an expensive filter must not block the desk for longer. */
const LIST_LIMIT_MS = 2000;

/**
 * For searches. PostgreSQL underestimates the cost of comparing texts and would rather scan the table than an index of
 * names; compiling a statement takes longer than running it; and a hundred thousand equal names are sorted in memory.
 */
const PLANNED = { enable_seqscan: 'off', jit: 'off', work_mem: '32MB' } as const;

type Size = { pageSize: number; mostCounted: number; limitMs?: number };

/** One page of a list and its size, counted up to a limit; null where the time limit was reached. */
export async function readList(
  db: Database,
  filter: ListFilter,
  looking: ListReader,
  { pageSize, mostCounted, limitMs = LIST_LIMIT_MS }: Size,
): Promise<(QueuePage & { total: number }) | null> {
  try {
    const planned = filter.search ? PLANNED : {};
    const read = async (tx: Transaction) => {
      const page = await listApplications(tx, filter, looking, { pageSize, mostCounted });
      const isWhole = !page.hasBefore && !page.hasAfter;
      const total = isWhole
        ? page.rows.length
        : page.total === null
          ? await countApplications(tx, filter, looking, {
              limit: mostCounted,
              isRare: page.isRare,
            })
          : Math.min(page.total, mostCounted);
      return { ...page, total };
    };
    return await withinTime(db, limitMs, read, planned);
  } catch (error) {
    if (error instanceof TookTooLong) return null;
    throw error;
  }
}

/** The size of a list, counted up to a limit; null where the time limit was reached. */
export async function countList(
  db: Database,
  filter: ListQuery,
  looking: ListReader,
  { mostCounted, limitMs = LIST_LIMIT_MS }: Omit<Size, 'pageSize'>,
): Promise<number | null> {
  try {
    return await withinTime(
      db,
      limitMs,
      (tx) => countApplications(tx, filter, looking, { limit: mostCounted }),
      filter.search ? PLANNED : {},
    );
  } catch (error) {
    if (error instanceof TookTooLong) return null;
    throw error;
  }
}
