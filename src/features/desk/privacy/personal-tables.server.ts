import { is } from 'drizzle-orm';
import { getTableConfig, PgTable, type AnyPgColumn } from 'drizzle-orm/pg-core';
import * as application from '~/features/application/tables.server.ts';
import * as catalog from '~/features/catalog/tables.server.ts';
import * as email from '~/features/email/ledger/tables.server.ts';
import * as form from '~/features/form/tables.server.ts';
import * as insurance from '~/features/insurance/store/tables.server.ts';
import * as order from '~/features/order/tables.server.ts';
import * as payment from '~/features/payment/tables.server.ts';
import * as settings from '~/features/settings/tables.server.ts';
import * as staff from '~/features/staff/tables.server.ts';
import * as visa from '~/features/visa/store/tables.server.ts';
import * as backup from '~/platform/backup/tables.server.ts';
import {
  findPersonalTable,
  type PersonalTable,
} from '~/platform/postgres/personal-table.server.ts';
import * as service from '~/platform/postgres/tables.server.ts';
import type { SealedColumn } from '~/platform/backup/reencrypt.server.ts';
import * as desk from '../application/tables.server.ts';
import * as messages from '~/features/application/messages/tables.server.ts';
import * as privacy from './tables.server.ts';

/** In the order of an export. One that is not here fails `test/personal-data.test.ts`. */
const modules: readonly object[] = [
  application,
  visa,
  insurance,
  form,
  email,
  desk,
  messages,
  order,
  payment,
  privacy,
  staff,
  settings,
  service,
  backup,
  catalog,
];

/** Every table of the service. */
export const allTables: readonly PgTable[] = modules
  .flatMap((module): unknown[] => Object.values(module))
  .filter((one): one is PgTable => is(one, PgTable));

/** Those with data about people; the others are nobody's. */
export const personalTables: readonly PersonalTable[] = allTables.flatMap(
  (table) => findPersonalTable(table) ?? [],
);

/** Every column that is sealed, each value for its row's primary key. */
export const sealedColumns: readonly SealedColumn[] = personalTables.flatMap(
  ({ table, name, columns }) => {
    const key = primaryKeyOf(table).map((one) => ({ name: one.name, type: one.getSQLType() }));
    return columns
      .filter((one) => one.class === 'sealed' || one.class === 'withheld')
      .map(({ column }) => ({ table: name, column: column.name, key }));
  },
);

function primaryKeyOf(table: PgTable): readonly AnyPgColumn[] {
  const { columns, primaryKeys } = getTableConfig(table);
  // Drizzle's copies in a composite key do not know their types.
  const composite = primaryKeys[0]?.columns.flatMap(
    ({ name }) => columns.find((one) => one.name === name) ?? [],
  );
  return composite ?? columns.filter(({ primary }) => primary);
}
