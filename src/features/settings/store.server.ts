import { asc, max, sql, type SQL, inArray } from 'drizzle-orm';
import type { Database, Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { cacheUntilChanged } from '~/platform/postgres/invalidations.server.ts';
import { noSettings, type SettingsChange, type SettingsSection, type Settings } from './change.ts';
import { settingChange } from './tables.server.ts';

const settingsCache = cacheUntilChanged({ topic: 'setting_change', read: refresh });

/**
 * The settings as the database has them, cached until one changes: the changing process notices at once, others within
 * a second. What is agreed with a traveller reads them in its own transaction: `readSettings`.
 * @throws AskedInsideTransaction
 */
export const currentSettings = (db: Database): Promise<Settings> => settingsCache.current(db);

/** Reads the version; everything else only where it is a new one. */
async function refresh(db: Database, known: Settings = noSettings): Promise<Settings> {
  const [row] = await db.select({ version: max(settingChange.id) }).from(settingChange);
  return (row?.version ?? 0) === known.version ? known : readSettings(db);
}

/** After a change in this process: the next read asks the database. */
export const invalidateSettings = (db: Database): void => settingsCache.invalidate(db);

/** The settings as this transaction sees them, or one `section` of them. */
export async function readSettings(
  db: Queryable,
  sections?: readonly SettingsSection[],
): Promise<Settings> {
  const rows = await db
    .select()
    .from(settingChange)
    .where(sections && inArray(settingChange.section, [...sections]))
    .orderBy(asc(settingChange.id));
  const takenBack = new Map(
    rows.flatMap(({ withdraws, createdAt, staffId }) =>
      withdraws === null ? [] : [[withdraws, { at: createdAt, staffId }] as const],
    ),
  );
  const changes = rows
    .filter(({ withdraws }) => withdraws === null)
    .map(({ withdraws: _, ...row }): SettingsChange => ({
      ...row,
      withdrawn: takenBack.get(row.id) ?? null,
    }));
  return { version: rows.at(-1)?.id ?? 0, changes };
}

/**
 * Whether nothing was decided since settings were read: a condition for the statement that stores what follows from
 * them.
 */
export const areSettingsCurrentSql = ({ version }: Pick<Settings, 'version'>): SQL =>
  sql`(select coalesce(max(${settingChange.id}), 0) from ${settingChange}) = ${version}`;

export const areSettingsCurrent = async (db: Queryable, settings: Settings): Promise<boolean> =>
  (await db.execute(sql`select 1 where ${areSettingsCurrentSql(settings)}`)).rowCount === 1;

/** Any number that no other advisory lock uses. */
const LOCK = 7_303_019;

/**
 * Lets no other transaction change settings until this one ends; reading is not blocked. An advisory lock, as the
 * service's role has no right to lock the table.
 */
export async function lockSettings(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
}

type NewChange = Pick<
  SettingsChange,
  'section' | 'values' | 'validFrom' | 'reason' | 'staffId' | 'createdAt'
> &
  Partial<Pick<SettingsChange, 'confirmedBy' | 'alone'>>;

/** Returns the new decision's id. */
export async function insertChange(tx: Transaction, change: NewChange): Promise<number> {
  const [row] = await tx.insert(settingChange).values(change).returning({ id: settingChange.id });
  if (!row) throw new Error('A change was not stored');
  return row.id;
}
