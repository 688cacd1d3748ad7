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

const dialect = new PgDialect();

/** Text and values of a statement, or of a part of one. */
export const queryOf = (part: SQL): Query => dialect.sqlToQuery(part);

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
    built ??= queryOf(build());
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
