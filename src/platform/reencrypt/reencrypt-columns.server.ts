import type { Pool } from 'pg';
import { UnsealError, type Sealer } from '../crypto/crypto.server.ts';
import { exchangeValues, staleValues, type SealedValue } from './column-store.server.ts';
import { contextOf, type SealedColumn, type Unopened } from './sealed-column.ts';

/** Rows that one statement changes: none is locked for long. */
const BATCH = 500;

/**
 * Seals every value of a column with the newest key that is not. Batch by batch beside the running service: a value that
 * somebody changed meanwhile stays as it is, sealed by them. Whatever ends it, what was done stays done, and the next run
 * goes on with what is left. What no key opens is left as it is and returned.
 */
export async function reencryptColumn(
  pool: Pool,
  sealer: Pick<Sealer, 'seal' | 'unseal'>,
  column: SealedColumn,
  { head, onProgress }: { head: Buffer; onProgress: (done: number) => void },
): Promise<{ done: number; unopened: Unopened[] }> {
  const unopened: Unopened[] = [];
  let done = 0;
  for (let after: string[] | null = null; ;) {
    const values: SealedValue[] = await staleValues(pool, column, { head, after, limit: BATCH });
    const fresh = values.flatMap((value) => {
      const context = contextOf(column, value.key);
      try {
        return { ...value, fresh: sealer.seal(sealer.unseal(value.sealed, context), context) };
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        unopened.push({ where: `${column.table}.${column.column}`, id: value.key.join(' ') });
        return [];
      }
    });
    if (fresh.length > 0) done += await exchangeValues(pool, column, fresh);
    onProgress(done);
    if (values.length < BATCH) return { done, unopened };
    after = values.at(-1)?.key ?? null;
  }
}
