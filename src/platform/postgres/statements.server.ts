import {
  getTableColumns,
  is,
  Param,
  Placeholder,
  SQL,
  sql,
  type Column,
  type Query,
} from 'drizzle-orm';
import { PgDialect, type PgTable } from 'drizzle-orm/pg-core';
import { channel } from 'node:diagnostics_channel';
import pg from 'pg';

const dialect = new PgDialect();

/** Text and values of a statement, or of a part of one. */
export const toQuery = (part: SQL): Query => dialect.sqlToQuery(part);

/**
 * A statement whose text is known already, to be executed: Drizzle takes longer to build one of seventy values than all
 * else that is done to send it.
 */
export class KnownText extends SQL {
  readonly #query: { sql: string; params: unknown[] };

  constructor(text: string, params: unknown[]) {
    super([]);
    this.#query = { sql: text, params };
  }

  override toQuery() {
    return this.#query;
  }
}

/** A statement that is built once, with placeholders; executed with other values for them each time. */
export function knownStatement(
  build: () => SQL,
): (values: Readonly<Record<string, unknown>>) => KnownText {
  let built: Query | undefined;
  return (values) => {
    built ??= toQuery(build());
    return new KnownText(
      built.sql,
      built.params.map((param) => valueOf(param, values)),
    );
  };
}

/**
 * Changes of a table's rows where `which`, a condition with placeholders, holds: built once for each choice of columns. As
 * Drizzle has it, a value that is undefined leaves its column alone.
 */
export function knownChanges(
  table: PgTable,
  which: SQL,
): (
  values: Readonly<Record<string, unknown>>,
  where: Readonly<Record<string, unknown>>,
) => KnownText {
  const columns: Readonly<Record<string, Column>> = getTableColumns(table);
  const known = new Map<string, ReturnType<typeof knownStatement>>();
  const placeholder = (key: string) => `set ${key}`;
  const build = (keys: readonly string[]) => () => {
    const set = keys.flatMap((key) => {
      const column = columns[key];
      const value = sql.param(sql.placeholder(placeholder(key)), column);
      return column ? [sql`${sql.identifier(column.name)} = ${value}`] : [];
    });
    return sql`update ${table} set ${sql.join(set, sql`, `)} where ${which}`;
  };
  return (values, where) => {
    const given = Object.entries(values).filter(([, value]) => value !== undefined);
    const keys = given.map(([key]) => key);
    const name = keys.join();
    const statement = known.get(name) ?? knownStatement(build(keys));
    known.set(name, statement);
    const set = given.map(([key, value]) => [placeholder(key), value]);
    return statement({ ...where, ...Object.fromEntries(set) });
  };
}

/** As `fillPlaceholders` of Drizzle, which asks columns to write null, too. */
function valueOf(param: unknown, values: Readonly<Record<string, unknown>>): unknown {
  const isOfColumn = is(param, Param);
  const placeholder: unknown = isOfColumn ? param.value : param;
  if (!is(placeholder, Placeholder)) return param;
  const value = values[placeholder.name];
  if (value === undefined) throw new Error(`No value for ${placeholder.name}`);
  return isOfColumn && value !== null ? param.encoder.mapToDriverValue(value) : value;
}

/** Told of every statement of every connection that `openDatabase` makes; costs nothing while nobody listens. */
export const sentStatements = channel('lale:statement');

/** The name of a query that is built beforehand: Drizzle asks for one, and connections name what recurs themselves. */
export const UNNAMED = '';

/** A statement gets a name, and is prepared, the third time it is sent: a rare one is not worth keeping prepared. */
const RECURS_AT = 3;
/** Names of a process, and with it prepared statements of a connection, at most. */
const MAX_STATEMENT_NAMES = 400;
/** Texts that are remembered while they have no name yet. */
const MAX_SEEN_TEXTS = 2000;
/** How often names are given anew, before this process does without them. */
const MAX_GENERATIONS = 8;
const RENEWAL_MS = 1000;

/** What PostgreSQL can prepare: one statement that reads or writes rows. */
const PREPARABLE = /^\s*(?:select|insert|update|delete|with)\b[^;]*;?\s*$/i;
/**
 * Lists whose length changes would take a name for each length. The plan of a search depends on what is searched for; one
 * plan for all searches may be a hundred times slower.
 */
const VARYING = /\bin \(\$\d+, |\b(?:i?like|similar to)\b|[~@%]/i;

/**
 * Gives names to statements that recur, so that each connection parses and plans them once and not in every request.
 * node-postgres prepares a statement exactly where it has a name.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #seen = new Map<string, number>();
  #generation = 1;
  #renewedAt = Number.NEGATIVE_INFINITY;

  /** The name of a statement; undefined where it is not to be prepared, or not yet. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_STATEMENT_NAMES || this.#generation > MAX_GENERATIONS)
      return undefined;
    if (!PREPARABLE.test(text) || VARYING.test(text)) return undefined;
    const times = (this.#seen.get(text) ?? 0) + 1;
    if (times < RECURS_AT) {
      if (this.#seen.size >= MAX_SEEN_TEXTS) this.#seen.clear();
      this.#seen.set(text, times);
      return undefined;
    }
    this.#seen.delete(text);
    const name = `lale_${this.#generation}_${this.#names.size + 1}`;
    this.#names.set(text, name);
    return name;
  }

  /**
   * Gives all names anew: what was prepared under the old ones is not used any more. Connections find out one after the
   * other that a plan is outdated; they are given new names once.
   */
  renew(): void {
    const now = performance.now();
    if (now - this.#renewedAt < RENEWAL_MS) return;
    this.#renewedAt = now;
    this.#generation += 1;
    this.#names.clear();
  }
}

/** Gives every statement of a connection a name, and publishes it to `sentStatements`. */
export function nameStatements(client: pg.PoolClient, names: StatementNames): void {
  const send: unknown = Reflect.get(client, 'query');
  if (typeof send !== 'function') throw new Error('A connection without queries');
  const query = (first: unknown, ...rest: unknown[]): unknown => {
    const text = textOf(first);
    if (text !== null && sentStatements.hasSubscribers) sentStatements.publish({ text, client });
    return Reflect.apply(send, client, [named(first, names), ...rest]);
  };
  Object.defineProperty(client, 'query', { value: query, configurable: true, writable: true });
}

function textOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  const isConfig = typeof query === 'object' && query !== null && 'text' in query;
  return isConfig && typeof query.text === 'string' ? query.text : null;
}

/**
 * Names a statement that is sent as an object, as Drizzle does; a text alone, or a query with a name of its own, stays
 * as it is.
 */
function named(query: unknown, names: StatementNames): unknown {
  if (typeof query !== 'object' || query === null) return query;
  if (!('text' in query) || typeof query.text !== 'string' || 'submit' in query) return query;
  if ('name' in query && query.name !== undefined && query.name !== UNNAMED) return query;
  const name = names.nameOf(query.text);
  return { ...query, name };
}

/**
 * Whether a statement failed only because it was prepared before a migration changed what it answers. Nothing was done;
 * prepared anew it works. PostgreSQL's own words for it are translated, the place in its source is not.
 */
export function isOutdatedPlan(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof pg.DatabaseError && cause.code === '0A000') {
      return cause.routine === 'RevalidateCachedQuery';
    }
  }
  return false;
}
