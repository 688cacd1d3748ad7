import { AsyncLocalStorage } from 'node:async_hooks';
import { z } from 'zod';
import { sentStatements } from '../../src/platform/postgres/statements.server.ts';

export type Cost = {
  /** Everything sent to PostgreSQL; BEGIN, SAVEPOINT and COMMIT count, too. */
  statements: readonly string[];
  /** What was stored separately: a statement outside a transaction, or a whole transaction. */
  commits: number;
  /** Statements sent on one connection while another one of the same work was in a transaction. */
  beside: readonly string[];
};

type Counter = {
  statements: string[];
  commits: number;
  beside: string[];
  /** Connections in a transaction, and whether it has stored anything yet. */
  open: Map<object, { writes: boolean }>;
};

const counting = new AsyncLocalStorage<Counter>();
const sent = z.object({ text: z.string(), client: z.custom<object>() });

sentStatements.subscribe((message) => {
  const counter = counting.getStore();
  if (counter) note(counter, sent.parse(message));
});

const WRITES = /\b(?:insert into|update|delete from|add_job)\b/i;
/** A locked row is not a changed one. */
const HELD = /\bfor (?:no key )?update\b/gi;

function note(counter: Counter, { text, client }: z.infer<typeof sent>): void {
  counter.statements.push(text);
  const word = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase();
  const transaction = counter.open.get(client);
  if (word === 'begin') counter.open.set(client, { writes: false });
  else if (word === 'commit' || word === 'rollback') {
    if (word === 'rollback' && /\bto\b/i.test(text)) return;
    if (word === 'commit' && transaction?.writes) counter.commits += 1;
    counter.open.delete(client);
  } else {
    const writes = WRITES.test(text.replace(HELD, ''));
    if (transaction) transaction.writes ||= writes;
    else {
      if (counter.open.size > 0) counter.beside.push(text);
      if (writes) counter.commits += 1;
    }
  }
}

/**
 * Counts what work sends to PostgreSQL, on any of our connections. What an outside provider does because of it (the
 * simulated one over HTTP, in the same process) is not counted, as it has a connection of its own.
 */
export async function countCost<T>(work: () => Promise<T>): Promise<{ answer: T; cost: Cost }> {
  const counter: Counter = { statements: [], commits: 0, beside: [], open: new Map() };
  const answer = await counting.run(counter, work);
  const { statements, commits, beside } = counter;
  return { answer, cost: { statements, commits, beside } };
}
