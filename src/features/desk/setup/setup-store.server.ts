import { and, count, eq, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';
import type { PasswordAccounts } from '~/features/staff/password-accounts.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';

export type AccountRights = {
  role: string;
  /** The schema is there. */
  hasSchema: boolean;
  /** A superuser, or the owner of a table of the service, itself or as a member of its owner's role. */
  ownsTables: boolean;
  /** May change or remove what the audit trail has. */
  changesTrail: boolean;
};

/** What the service's account of the database may do beyond its work. */
export async function accountRights(db: Database): Promise<AccountRights> {
  const { rows } = await db.execute<AccountRights>(sql`
    select current_user::text as "role",
      to_regclass('public.audit_entry') is not null as "hasSchema",
      (select rolsuper from pg_roles where rolname = current_user) or exists (
        select from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
          and pg_has_role(current_user, relowner, 'member')
      ) as "ownsTables",
      coalesce(has_table_privilege(
        current_user, to_regclass('public.audit_entry')::oid, 'update, delete, truncate, trigger'
      ), false) as "changesTrail"`);
  const [row] = rows;
  if (!row) throw new Error('The database did not say who we are');
  return row;
}

export type Archiving = {
  /** `on`, `always` or `off`. */
  mode: string;
  archivedAt: Date | null;
  failedAt: Date | null;
};

/** Whether the database keeps its log of changes for restoring to any moment (`archive_mode`), and how that goes. */
export async function archiving(db: Database): Promise<Archiving> {
  const { rows } = await db.execute<{
    mode: string;
    archived: string | null;
    failed: string | null;
  }>(
    sql`select current_setting('archive_mode') as mode, last_archived_time::text as archived,
      last_failed_time::text as failed from pg_stat_archiver`,
  );
  const [row] = rows;
  const moment = (text: string | null | undefined) => (text ? new Date(text) : null);
  return {
    mode: row?.mode ?? 'off',
    archivedAt: moment(row?.archived),
    failedAt: moment(row?.failed),
  };
}

/** The database's own clock. */
export async function databaseTime(db: Database): Promise<Date> {
  const { rows } = await db.execute<{ at: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::text as at`,
  );
  return new Date(Number(rows[0]?.at));
}

/**
 * Active staff, how many of them are administrators, and how many have no second factor. `passwords`: whose are taken,
 * where the identity provider's second factor is enough for the others.
 */
export async function countStaff(db: Database, passwords: PasswordAccounts | null) {
  const countOf = (which: SQL) => sql`count(*) filter (where ${which})`.mapWith(Number);
  const [row] = await db
    .select({
      all: count(),
      administrators: countOf(eq(staffAccount.role, 'administrator')),
      without: countOf(
        sql`${and(
          isNull(staffAccount.totpSecret),
          passwords === null ? undefined : ne(staffAccount.passwordHash, ''),
          passwords === null || passwords === 'all'
            ? undefined
            : inArray(staffAccount.email, [...passwords]),
        )}`,
      ),
    })
    .from(staffAccount)
    .where(eq(staffAccount.active, true));
  return row ?? { all: 0, administrators: 0, without: 0 };
}
