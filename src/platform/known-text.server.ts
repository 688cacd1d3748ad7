import { is, Param, Placeholder, SQL, type Query } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

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

/** As `fillPlaceholders` of Drizzle, which asks columns to write null, too. */
function valueOf(param: unknown, values: Readonly<Record<string, unknown>>): unknown {
  const isOfColumn = is(param, Param);
  const placeholder: unknown = isOfColumn ? param.value : param;
  if (!is(placeholder, Placeholder)) return param;
  const value = values[placeholder.name];
  if (value === undefined) throw new Error(`No value for ${placeholder.name}`);
  return isOfColumn && value !== null ? param.encoder.mapToDriverValue(value) : value;
}
