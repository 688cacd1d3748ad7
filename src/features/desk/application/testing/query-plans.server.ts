import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import type { Database } from '~/platform/postgres/database.server.ts';

/** One node of an executed plan. Rows are those of one loop. */
type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
};

type Statement = { query: string; params: unknown[] };

/**
 * A database that records plans: `plansOf` returns the executed plan of each statement in a piece of work. Plans that
 * are only cheap for small tables are disabled.
 */
export function watchPlans(
  pool: Pool,
  without: readonly ('seqscan' | 'bitmapscan')[] = ['seqscan'],
): {
  db: Database;
  plansOf(work: () => Promise<unknown>): Promise<PlanNode[]>;
} {
  const asked: Statement[] = [];
  const db = drizzle({
    client: pool,
    logger: { logQuery: (query, params) => void asked.push({ query, params }) },
  });
  return {
    db,
    async plansOf(work) {
      asked.length = 0;
      await work();
      const plans: PlanNode[] = [];
      for (const one of asked.filter(({ query }) => /^\s*select/.test(query))) {
        plans.push(await planOf(pool, without, one));
      }
      return plans;
    },
  };
}

async function planOf(
  pool: Pool,
  without: readonly string[],
  { query, params }: Statement,
): Promise<PlanNode> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    for (const way of without) await client.query(`set local enable_${way} = off`);
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${query}`,
      params,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan;
    if (!plan) throw new Error('No plan');
    return plan;
  } finally {
    await client.query('rollback').finally(() => client.release());
  }
}

/** A plan's nodes that read a table or its indexes, with the rows each of them read in all. */
export function planReads(node: PlanNode): { table: string; how: string; rows: number }[] {
  const below = (node.Plans ?? []).flatMap(planReads);
  const table = node['Relation Name'];
  if (table === undefined) return below;
  const rows =
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops'];
  return [{ table, how: node['Node Type'], rows }, ...below];
}

/** The indexes that a plan uses. */
export function planIndexes(node: PlanNode): string[] {
  const own = node['Index Name'];
  return [...(own === undefined ? [] : [own]), ...(node.Plans ?? []).flatMap(planIndexes)];
}
