import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

const DEADLINE_MS = 10_000;

/**
 * Runs all of them at the same moment: a table is locked until each waits for it, on a connection of its own, and then
 * unlocked. Each must use that table; the pool must have a connection for each.
 * @throws Error when they do not all wait, as the test would prove nothing.
 */
export async function atOnce<T>(
  { url }: { url: string },
  table: string,
  runs: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const gate = new pg.Client({ connectionString: url });
  await gate.connect();
  try {
    await gate.query(`begin; lock table ${table} in access exclusive mode`);
    const running = Promise.all(runs.map((run) => run()));
    // Failures before the table is unlocked are reported below.
    running.catch(() => undefined);
    const came = await untilWaiting(gate, table, runs.length);
    await gate.query('commit');
    const done = await running;
    if (came < runs.length) throw new Error(`${came} of ${runs.length} came together`);
    return done;
  } finally {
    await gate.end();
  }
}

async function untilWaiting(gate: pg.Client, table: string, wanted: number): Promise<number> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const { rows } = await gate.query<{ waiting: number }>(
      'select count(*)::int as waiting from pg_locks where relation = $1::regclass and not granted',
      [table],
    );
    const waiting = rows[0]?.waiting ?? 0;
    if (waiting >= wanted || Date.now() > deadline) return waiting;
    await wait(5);
  }
}
