import type { Pool } from 'pg';
import { sealedHead, type DataKey } from '~/platform/crypto/seal.server.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import type { FileStore } from '~/platform/files/file-store.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import {
  countStale,
  countStaleJobs,
  reencryptColumn,
  type UnopenedValue,
  reencryptFiles,
  countServiceConnections,
  rehashAll,
  type HashedColumn,
  type HashBesideValue,
} from '~/platform/backup/reencrypt.server.ts';
import { knownFileIds, filterKnownFiles } from '../known-files-store.server.ts';
import { sealedColumns } from '~/features/desk/privacy/personal-tables.server.ts';
import { ConfigError } from '~/platform/config/config-error.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { getTableName, type Table } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import {
  applicationDocument,
  applicationEarlierPassport,
} from '~/features/application/tables.server.ts';
import { erasedApplication } from '~/features/desk/privacy/tables.server.ts';
import { deskUpload } from '~/features/desk/application/tables.server.ts';
import { caseMessage } from '~/features/application/messages/tables.server.ts';
import { insuranceApplication, insurancePhoto } from '~/features/insurance/store/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { idempotencyKey } from '~/platform/postgres/tables.server.ts';

type ReencryptReport = {
  /** Sealed with the newest key by this run: values and files. */
  done: { values: number; files: number };
  /** Sealed with another key still, by where they are; only those of which there are some. */
  left: Record<string, number>;
  /** What no configured key opens. */
  unopened: UnopenedValue[];
};

/**
 * Seals everything with the newest data key that is sealed with another one, or, with `isCheck`, says how much that is.
 * @throws FilesUnavailable
 */
export async function reencrypt(
  {
    db,
    pool,
    store,
    sealer,
    dataKeys,
  }: { db: Database; pool: Pool; store: FileStore; sealer: Sealer; dataKeys: readonly DataKey[] },
  { isCheck, onProgress }: { isCheck: boolean; onProgress: (line: string) => void },
): Promise<ReencryptReport> {
  const [newest] = dataKeys;
  if (!newest) throw new Error('At least one data key is needed');
  const head = sealedHead(newest.id);
  const report: ReencryptReport = { done: { values: 0, files: 0 }, left: {}, unopened: [] };
  const leave = (where: string, count: number) => {
    if (count > 0) report.left[where] = count;
  };
  for (const column of sealedColumns) {
    const name = `${column.table}.${column.column}`;
    if (!isCheck) {
      const { done, unopened } = await reencryptColumn(pool, sealer, column, {
        head,
        onProgress: (count) => count > 0 && onProgress(`${name}: ${count} done`),
      });
      report.done.values += done;
      report.unopened.push(...unopened);
    }
    leave(name, (await countStale(pool, column, head)).stale);
  }
  const files = await reencryptFiles({
    store,
    sealer,
    ids: knownFileIds(db),
    stillKnown: (ids) => filterKnownFiles(db, ids),
    isCheck,
    onProgress: (count) => count > 0 && onProgress(`files: ${count} done`),
  });
  report.done.files = files.done;
  report.unopened.push(...files.unopened);
  leave('files', files.stale - files.done);
  leave('waiting jobs', await countStaleJobs(pool, head));
  return report;
}

/** For people: what was done, what is left, and what that means. */
export function reencryptLines({ done, left, unopened }: ReencryptReport): string[] {
  const places = Object.entries(left);
  return [
    `${done.values} values and ${done.files} files were sealed with the newest key.`,
    ...unopened.map(({ where, id }) => `no configured key opens ${where} of ${id}`),
    ...places.map(([where, count]) => `left: ${where}, ${count}`),
    places.length === 0
      ? 'Nothing is left that another key seals: the keys after the first may go.'
      : 'Something is left that another key seals: keep all keys, and run this again. Waiting jobs end by themselves.',
  ];
}

/**
 * Every column of keyed hashes that are compared with others. Codes on certificates and seals of the audit trail stay as
 * they are and hold by the keys of their time.
 */
export const hashedColumns: readonly HashedColumn[] = [
  hashed(visaApplication, visaApplication.passportHash, visaApplication.applicationId),
  hashed(
    insuranceApplication,
    insuranceApplication.passportHash,
    insuranceApplication.applicationId,
  ),
  hashed(
    applicationEarlierPassport,
    applicationEarlierPassport.passportHash,
    applicationEarlierPassport.applicationId,
    applicationEarlierPassport.passportHash,
  ),
  hashed(applicationDocument, applicationDocument.contentHash, applicationDocument.id),
  hashed(caseMessage, caseMessage.messageIdHash, caseMessage.id),
  hashed(deskUpload, deskUpload.contentHash, deskUpload.fileId),
  hashed(insurancePhoto, insurancePhoto.contentHash, insurancePhoto.id),
  hashed(erasedApplication, erasedApplication.numberHash, erasedApplication.numberHash),
  hashed(idempotencyKey, idempotencyKey.requestHash, idempotencyKey.id),
];

/** The hash of each passport's number stands beside the number itself. */
export const hashesBesideValues: readonly HashBesideValue[] = sealedColumns
  .filter(({ column }) => column === 'passport_number')
  .map((sealed) => ({
    sealed,
    hash: 'passport_hash',
    purpose: `${sealed.table}.passport_number`,
  }));

function hashed(of: Table, column: AnyPgColumn, ...key: AnyPgColumn[]): HashedColumn {
  return {
    table: getTableName(of),
    column: column.name,
    key: key.map((one) => ({ name: one.name, type: one.getSQLType() })),
  };
}

/**
 * Once a newer key was put in front of LOOKUP_KEY, and while no process of the service runs, puts it on every keyed hash
 * and prints what was done. Returns the exit code: 0: all hashes are by the newest key; 1: they are mixed, and nothing
 * was changed.
 */
export async function rehash({
  config,
  pool,
  sealer,
}: {
  config: Pick<Config, 'lookupKeys'>;
  pool: Pool;
  sealer: Sealer;
}): Promise<number> {
  if (config.lookupKeys.length < 2) {
    throw new ConfigError([
      'LOOKUP_KEY: needs the newer key in front of those there are, with commas between them; npm run lale -- keys --rotate LOOKUP_KEY prints it',
    ]);
  }
  if ((await countServiceConnections(pool)) > 0) {
    throw new ConfigError(['The service runs: stop all of its processes first, workers too']);
  }
  const found = await rehashAll(pool, sealer, {
    telling: hashesBesideValues,
    hashed: hashedColumns,
  });
  const { newest, before, neither, done } = found;
  if (neither > 0 || (newest > 0 && before > 0)) {
    console.log(
      `Nothing was changed: of the hashes of passport numbers ${newest} are by the newest key, ${before} by those before it, ${neither} by neither.`,
    );
    return 1;
  }
  console.log(
    newest > 0
      ? `Nothing to do: all ${newest} hashes of passport numbers are by the newest key.`
      : `${done} hashes are by the newest key now. The service may start with it.`,
  );
  return 0;
}
