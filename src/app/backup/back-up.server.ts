import { mkdir, stat } from 'node:fs/promises';
import type { Pool } from 'pg';
import { makeEncrypter } from '~/platform/backup/backup-keys.server.ts';
import { recordBackup } from '~/platform/backup/backup-store.server.ts';
import { writeBackup, type WrittenBackup } from '~/platform/backup/write-backup.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import type { FileStore } from '~/platform/files/file-store.server.ts';
import { openFileStore } from '~/platform/files/open-store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import { knownFileIds, filterKnownFiles } from '../known-files-store.server.ts';
import { asc, count, sql, type SQL } from 'drizzle-orm';
import { order } from '~/features/order/tables.server.ts';
import { paymentAttempt, paymentRefund } from '~/features/payment/tables.server.ts';
import type { LedgerLine } from '~/platform/backup/manifest.server.ts';

/**
 * What the books come to, in minor units: payment attempts and what went back of them, and refunds, by currency and
 * state; orders by currency, paid or not.
 */
export async function ledgerTotals(db: Database): Promise<LedgerLine[]> {
  const name = (what: string, { currency, state }: { currency: string; state: string }) =>
    `${what} ${currency} ${state}`;
  const attempts = await db
    .select({
      currency: paymentAttempt.currency,
      state: paymentAttempt.state,
      count: count(),
      minor: sumOf(sql`${paymentAttempt.amountMinor}`),
      refunded: sumOf(sql`${paymentAttempt.refundedMinor}`),
    })
    .from(paymentAttempt)
    .groupBy(paymentAttempt.currency, paymentAttempt.state)
    .orderBy(asc(paymentAttempt.currency), asc(paymentAttempt.state));
  const refunds = await db
    .select({
      currency: paymentRefund.currency,
      state: paymentRefund.state,
      count: count(),
      minor: sumOf(sql`${paymentRefund.amountMinor}`),
    })
    .from(paymentRefund)
    .groupBy(paymentRefund.currency, paymentRefund.state)
    .orderBy(asc(paymentRefund.currency), asc(paymentRefund.state));
  const isPaid = sql<string>`case when ${order.paidAt} is null then 'unpaid' else 'paid' end`;
  const orders = await db
    .select({
      currency: order.currency,
      state: isPaid,
      count: count(),
      minor: sumOf(sql`${order.amountMinor}`),
    })
    .from(order)
    .groupBy(order.currency, isPaid)
    .orderBy(asc(order.currency), isPaid);
  return [
    ...attempts.flatMap(({ refunded, ...row }) => [
      { name: name('payments', row), count: row.count, minor: row.minor },
      { name: name('of these given back', row), count: row.count, minor: refunded },
    ]),
    ...refunds.map((row) => ({ name: name('refunds', row), count: row.count, minor: row.minor })),
    ...orders.map((row) => ({ name: name('orders', row), count: row.count, minor: row.minor })),
  ];
}

const sumOf = (column: SQL) => sql<string>`sum(${column})::text`;

type BackedUp = {
  config: Pick<Config, 'encryptionKeys'>;
  db: Database;
  pool: Pool;
  store: Pick<FileStore, 'read'>;
  sealer: Sealer;
  now: () => Date;
};

/**
 * Writes one backup of the service as a new folder below `parent`, and notes in the database that it was written.
 * @throws FilesUnavailable
 */
export async function backUp(
  { config, db, pool, store, sealer, now }: BackedUp,
  { parent, recipient }: { parent: string; recipient: string },
  onProgress?: (line: string) => void,
): Promise<WrittenBackup> {
  const written = await writeBackup(parent, {
    pool,
    store,
    sealer,
    recipient,
    dataKeys: config.encryptionKeys.map(({ id }) => id),
    now,
    ledger: ledgerTotals,
    fileIds: knownFileIds,
    stillKnown: (ids) => filterKnownFiles(db, ids),
    onProgress,
  });
  const { begunAt, tables, files } = written.manifest;
  await recordBackup(db, {
    begunAt: new Date(begunAt),
    endedAt: now(),
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    files: files.count,
    bytes: written.bytes,
    missingFiles: files.missing.length,
  });
  return written;
}

/**
 * The same for the command line, encrypted for BACKUP_RECIPIENT; makes the folder and prints what was written. Returns
 * the exit code: 1 where the file store did not have files that rows name.
 */
export async function backUpToFolder(
  service: Pick<Platform, 'config' | 'db' | 'pool' | 'sealer' | 'now'>,
  parent: string,
): Promise<number> {
  const { backupRecipient: recipient } = service.config;
  if (!recipient) {
    throw new ConfigError([
      'BACKUP_RECIPIENT: the public key that backups are encrypted for is needed; npm run lale -- backup-keys makes a pair',
    ]);
  }
  makeEncrypter(recipient);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  if (!(await stat(parent)).isDirectory()) throw new ConfigError([`${parent} is no folder`]);
  const store = openFileStore(service.config);
  const { folder, manifest, bytes } = await backUp(
    { ...service, store },
    { parent, recipient },
    (line) => console.log(line),
  ).finally(() => store.close());
  const { deletedMeanwhile, missing } = manifest.files;
  console.log(`${folder}: ${bytes} bytes, encrypted for BACKUP_RECIPIENT.`);
  if (deletedMeanwhile.length > 0) {
    console.log(`${deletedMeanwhile.length} files were deleted with their rows meanwhile.`);
  }
  for (const id of missing) console.log(`missing: ${id}`);
  if (missing.length > 0) {
    console.log(`${missing.length} files that rows name are not in ${store.name}.`);
  }
  return missing.length === 0 ? 0 : 1;
}
