import { and, count, eq, inArray, isNull, ne, sql, type SQL } from 'drizzle-orm';
import type { Pool } from 'pg';
import type { PublishedTerms } from '~/features/insurance/rules/terms.ts';
import { readPublishedTerms } from '~/features/insurance/store/plan-store.server.ts';
import { changeInForce } from '~/features/settings/change.ts';
import { operatorInForce, operatorMistakes } from '~/features/settings/operator.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { PasswordAccounts } from '~/features/staff/passwords.ts';
import { hasAccounts } from '~/features/staff/store.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import {
  lastBackup,
  MAX_BACKUP_AGE_MS,
  type BackupRecord,
} from '~/platform/backup/backup-store.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { hasSamples } from '~/platform/config/sample-operator.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { checkDatabase, schemaState } from '~/platform/postgres/migrate.server.ts';
import {
  commandMend,
  makeFinding,
  guideMend,
  formatUtcMinute,
  missing,
  mistakesFound,
  passCheck,
  pageMend,
  unknown,
  variableMend,
  type CheckReport,
} from './setup-check.ts';

const MIGRATE = commandMend('npm run lale -- migrate <account of the service>');

/** Whether the database answers, is new enough and has the schema of this release. `url`: for messages, without its password. */
export async function databaseCheck(pool: Pool, url: string): Promise<CheckReport> {
  try {
    await checkDatabase(pool, url);
    return (await schemaState(pool)) === 'current'
      ? passCheck(makeFinding('databaseGood'))
      : missing(makeFinding('schemaOld'), MIGRATE);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return missing(mistakesFound(error.mistakes), variableMend('DATABASE_URL'));
  }
}

/** Whether the service's account owns nothing, so that it cannot switch the audit trail's triggers off. */
export async function accountsCheck(db: Database): Promise<CheckReport> {
  const { role, hasSchema, ownsTables, changesTrail } = await accountRights(db);
  const values = { role };
  if (!hasSchema) return missing(makeFinding('schemaOld'), MIGRATE);
  if (ownsTables) {
    const accounts = guideMend('docs/operations.md, “The database’s accounts”');
    return missing(makeFinding('accountOwns', values), MIGRATE, accounts);
  }
  return changesTrail
    ? missing(makeFinding('accountChanges', values), MIGRATE)
    : passCheck(makeFinding('accountGood', values));
}

/** On another machine than the server, as the guide says. */
const MAKE_KEYS = commandMend('npm run lale -- backup-keys lale-backups.txt');
const BACKUPS = guideMend('docs/operations.md, “Backups”');

/**
 * Whether `npm run lale -- backup` wrote all there is in the last night, and whether the database archives its log of changes:
 * one of them at least. Copies made in another way, and whether anything can be restored, cannot be seen from here.
 */
export async function backupsCheck(
  db: Database,
  { recipient, now }: { recipient: string | undefined; now: () => Date },
): Promise<CheckReport> {
  const archive = archiveResult(await archiving(db));
  const own = recipient ? ownResult(await lastBackup(db), now()) : null;
  if (!own) {
    if (archive.state === 'ok') return archive;
    return {
      state: archive.state,
      found: [makeFinding('backupUnset'), ...archive.found],
      mend: [MAKE_KEYS, variableMend('BACKUP_RECIPIENT'), BACKUPS, ARCHIVE],
    };
  }
  const findings = archive.state === 'unknown' ? own.found : [...own.found, ...archive.found];
  return own.state === 'missing' || archive.state === 'missing'
    ? missing(findings, commandMend('npm run lale -- backup <folder>'), BACKUPS)
    : passCheck(findings);
}

function ownResult(last: BackupRecord | null, now: Date): CheckReport {
  if (!last) return missing(makeFinding('backupNone'));
  const values = { moment: formatUtcMinute(last.begunAt), hours: MAX_BACKUP_AGE_MS / 3_600_000 };
  if (now.getTime() - last.begunAt.getTime() > MAX_BACKUP_AGE_MS) {
    return missing(makeFinding('backupOld', values));
  }
  return last.missingFiles > 0
    ? missing(makeFinding('backupIncomplete', values))
    : passCheck(makeFinding('backupGood', values));
}

const ARCHIVE = guideMend('docs/going-live.md, “Backups”');

function archiveResult({ mode, archivedAt, failedAt }: Archiving): CheckReport {
  if (mode === 'off') return unknown(makeFinding('backupsOff'));
  if (failedAt && (!archivedAt || failedAt > archivedAt)) {
    return missing(makeFinding('backupsFail', { moment: formatUtcMinute(failedAt) }));
  }
  return archivedAt
    ? passCheck(makeFinding('backupsGood', { moment: formatUtcMinute(archivedAt) }))
    : unknown(makeFinding('backupsNone'));
}

type CheckContext = { db: Database; now: () => Date };

/** Whether an insurer's terms are in force. A service that sells e-visas alone needs none, so their absence is no obstacle. */
export async function insuranceCheck({ db, now }: CheckContext): Promise<CheckReport> {
  const mend = pageMend('/admin/settings/insurance');
  const change = changeInForce(
    await readSettings(db, ['insurance_terms']),
    'insurance_terms',
    now(),
  );
  const terms = change && readPublishedTerms(change.values);
  if (terms?.isSample) return missing(makeFinding('insuranceSample'), mend);
  if (terms) {
    const values = { insurer: terms.insurer };
    return coversShortVisas(terms)
      ? passCheck(makeFinding('insuranceGood', values))
      : unknown(makeFinding('insuranceThin', values), mend);
  }
  // The service itself takes samples out of force; only somebody's decision says that none is to be sold.
  return change?.staffId
    ? passCheck(makeFinding('insuranceEnded'))
    : unknown(makeFinding('insuranceNone'), mend);
}

/** What Turkish embassies ask of insurance for short visas (their pages, 2026), in the words of English terms. */
const ASKED_COVERS = [
  /treatment|medical (expenses|costs|care)/i,
  /transfer|transport|evacuation/i,
  /return/i,
  /repatriation/i,
];
const ASKED_EUROS = 30_000;

/** Whether terms name the four covers that embassies ask for, and a sum in euros that is high enough. */
function coversShortVisas({ covers }: PublishedTerms): boolean {
  const titles = covers.map(({ title }) => title?.en ?? '').join('\n');
  const sums = covers.map(({ limit }) => eurosIn(limit?.en ?? ''));
  return (
    ASKED_COVERS.every((cover) => cover.test(titles)) && sums.some((sum) => sum >= ASKED_EUROS)
  );
}

/** The sum in euros that an English text names ("EUR 30,000"); 0 for none. */
function eurosIn(text: string): number {
  const [digits = '0'] = /EUR|€/.test(text) ? (/\d[\d.,]*/.exec(text) ?? []) : [];
  return Number(digits.replaceAll(/[.,](?=\d{3})/g, ''));
}

/** Whether travellers read who runs the service, as the law requires. */
export async function operatorCheck(
  config: Pick<Config, 'operator'>,
  { db, now }: CheckContext,
): Promise<CheckReport> {
  const mend = pageMend('/admin/settings/operator');
  const operator = operatorInForce(config, await readSettings(db, ['operator']), now());
  if (hasSamples(operator)) {
    return missing(makeFinding('operatorSample'), mend);
  }
  const mistakes = mistakesFound(operatorMistakes(operator));
  return mistakes.length > 0
    ? missing(mistakes, mend)
    : passCheck(makeFinding('operatorGood', { name: operator.legalName }));
}

/**
 * Whether there is an administrator, and whether all who may move money or change settings have a second factor: their
 * own, or that of an identity provider which the operator trusts.
 */
export async function factorsCheck(
  { db }: Pick<CheckContext, 'db'>,
  config?: Pick<Config, 'adminEmail' | 'passwordAccounts' | 'singleSignOn'>,
): Promise<CheckReport> {
  const { amr = [], acr = [] } = config?.singleSignOn?.secondFactor ?? {};
  const trusted = amr.length + acr.length > 0 ? config?.passwordAccounts : undefined;
  const { all, administrators, without } = await countStaff(db, trusted ?? null);
  if (administrators === 0) {
    if (config?.adminEmail && !(await hasAccounts(db))) {
      return missing(makeFinding('administratorComes'), commandMend('npm start'));
    }
    const mend = variableMend('ADMIN_EMAIL, ADMIN_PASSWORD');
    return missing(makeFinding('administratorsNone'), mend);
  }
  return without === 0
    ? passCheck(makeFinding('factorsGood', { all }))
    : missing(makeFinding('factorsMissing', { all, without }), pageMend('/admin/accounts'));
}

type AccountRights = {
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

type Archiving = {
  /** `on`, `always` or `off`. */
  mode: string;
  archivedAt: Date | null;
  failedAt: Date | null;
};

/** Whether the database keeps its log of changes for restoring to any moment (`archive_mode`), and how that goes. */
async function archiving(db: Database): Promise<Archiving> {
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

/**
 * Active staff, how many of them are administrators, and how many have no second factor. `passwords`: whose are taken,
 * where the identity provider's second factor is enough for the others.
 */
async function countStaff(db: Database, passwords: PasswordAccounts | null) {
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
