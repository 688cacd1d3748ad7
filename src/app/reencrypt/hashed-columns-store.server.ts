import { getTableName, type Table } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import {
  applicationDocument,
  applicationEarlierPassport,
} from '~/features/application/tables.server.ts';
import { erasedApplication } from '~/features/desk/privacy-cases/tables.server.ts';
import { deskUpload } from '~/features/desk/records/tables.server.ts';
import { insuranceApplication, insurancePhoto } from '~/features/insurance/store/tables.server.ts';
import { visaApplication } from '~/features/visa/store/tables.server.ts';
import { idempotencyKey } from '~/platform/postgres/tables.server.ts';
import type { HashedColumn, HashBesideValue } from '~/platform/reencrypt/rehash.server.ts';
import { sealedColumns } from '~/features/desk/personal-data/sealed-columns-store.server.ts';

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
