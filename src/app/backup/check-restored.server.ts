import type { Pool } from 'pg';
import { reportLines } from '~/features/staff/audit/audit-report.ts';
import { verifyTrail } from '~/features/staff/audit/audit-seal.server.ts';
import { firstDayOfAuditTrail } from '~/features/staff/jobs/jobs.server.ts';
import type { LedgerLine, Manifest } from '~/platform/backup/manifest.server.ts';
import { UnsealError, type Sealer } from '~/platform/crypto/crypto.server.ts';
import type { FileStore } from '~/platform/files/file-store.server.ts';
import { sealedFiles } from '~/platform/files/files.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { someValues } from '~/platform/reencrypt/column-store.server.ts';
import { contextOf } from '~/platform/reencrypt/sealed-column.ts';
import { knownFiles, type KnownFile } from '../known-files-store.server.ts';
import { sealedColumns } from '~/features/desk/personal-data/sealed-columns-store.server.ts';
import { ledgerTotals } from './ledger-store.server.ts';

const AT_ONCE = 8;
/** Values of each sealed column that are opened, at most. */
const SAMPLE = 500;
/** Files that are named; of more only how many. */
const MOST_NAMED = 20;

export type RestoreReport = {
  /** What was checked and holds. */
  held: string[];
  /** What differs, in a sentence each. */
  differing: string[];
};

/**
 * Compares what was restored with what the manifest says of the service at the moment of the backup: the books, the
 * audit trail as it was due then, some values of each sealed column, and every document, which has to open and be the one of its row. Rows were compared
 * before they were stored (`fillTables`).
 */
export async function checkRestored(
  manifest: Manifest,
  { db, pool, store, sealer }: { db: Database; pool: Pool; store: FileStore; sealer: Sealer },
): Promise<RestoreReport> {
  const report: RestoreReport = { held: [], differing: [] };
  compareLedgers(manifest.ledger, await ledgerTotals(db), report);
  const at = new Date(manifest.begunAt);
  const trail = await verifyTrail({ db, sealer, now: () => at }, firstDayOfAuditTrail(at));
  (trail.findings.length === 0 ? report.held : report.differing).push(...reportLines(trail));
  await checkSealed({ pool, sealer }, report);
  await checkDocuments(manifest.files, { db, store, sealer }, report);
  return report;
}

function compareLedgers(
  before: readonly LedgerLine[],
  after: readonly LedgerLine[],
  { held, differing }: RestoreReport,
): void {
  const found = new Map(after.map((line) => [line.name, line]));
  const names = new Set([...before, ...after].map(({ name }) => name));
  const expected = new Map(before.map((line) => [line.name, line]));
  const totalOf = (line: LedgerLine | undefined) => `${line?.count ?? 0} of ${line?.minor ?? 0}`;
  const wrong = [...names].filter(
    (name) => totalOf(found.get(name)) !== totalOf(expected.get(name)),
  );
  for (const name of wrong) {
    differing.push(
      `The books differ: ${name} are ${totalOf(found.get(name))} in minor units instead of ${totalOf(expected.get(name))}.`,
    );
  }
  if (wrong.length === 0) held.push(`The books are equal in all ${names.size} totals.`);
}

/** Opens some values of each sealed column with the configured keys. */
async function checkSealed(
  { pool, sealer }: { pool: Pool; sealer: Sealer },
  { held, differing }: RestoreReport,
): Promise<void> {
  let opened = 0;
  for (const column of sealedColumns) {
    let failed = 0;
    for (const { key, sealed } of await someValues(pool, column, SAMPLE)) {
      try {
        sealer.unseal(sealed, contextOf(column, key));
        opened += 1;
      } catch (error) {
        if (!(error instanceof UnsealError)) throw error;
        failed += 1;
      }
    }
    if (failed > 0) {
      differing.push(`${failed} values of ${column.table}.${column.column} do not open.`);
    }
  }
  held.push(`${opened} values of ${sealedColumns.length} sealed columns open.`);
}

async function checkDocuments(
  { deletedMeanwhile }: Manifest['files'],
  { db, store, sealer }: { db: Database; store: FileStore; sealer: Sealer },
  { held, differing }: RestoreReport,
): Promise<void> {
  const files = sealedFiles(store, sealer);
  const deleted = new Set(deletedMeanwhile);
  const wrong: string[] = [];
  let checked = 0;
  const checkOne = async ({ id, size, holds }: KnownFile) => {
    if (deleted.has(id)) return;
    checked += 1;
    const bytes = await files
      .read(id)
      .then((found) => found?.bytes ?? null)
      .catch((error: unknown) => {
        if (error instanceof UnsealError) return 'damaged' as const;
        throw error;
      });
    if (bytes === null) wrong.push(`missing: ${id}`);
    else if (bytes === 'damaged') wrong.push(`does not open: ${id}`);
    else if (bytes.length !== size || !(holds?.(bytes) ?? true)) wrong.push(`differs: ${id}`);
  };
  let running: Promise<void>[] = [];
  for await (const file of knownFiles(db, sealer)) {
    running.push(checkOne(file));
    if (running.length < AT_ONCE) continue;
    await Promise.all(running);
    running = [];
  }
  await Promise.all(running);
  if (wrong.length > 0) {
    differing.push(
      `${wrong.length} of ${checked} documents are not as their rows say.`,
      ...wrong.slice(0, MOST_NAMED),
    );
  } else held.push(`All documents open and are those of their ${checked} rows.`);
  if (deleted.size > 0) {
    held.push(
      `${deleted.size} documents had been deleted while the backup was made; their rows are in it.`,
    );
  }
}
