import { getTableName, type Table } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { legalHold } from '~/features/application/retention/tables.server.ts';
import { applicationCorrection } from '~/features/application/tables.server.ts';
import {
  deskDismissal,
  deskEmailCorrection,
  deskNote,
  deskUpload,
} from '../application/tables.server.ts';
import { deskPdfBatchFile } from '../several/tables.server.ts';
import { privacyCase } from './tables.server.ts';
import { email } from '~/features/email/ledger/tables.server.ts';
import {
  insuranceApplication,
  insuranceDraft,
  insurancePhoto,
} from '~/features/insurance/store/tables.server.ts';
import { paymentAttempt } from '~/features/payment/settlement/tables.server.ts';
import { staffAccount, staffAccountChange } from '~/features/staff/tables.server.ts';
import { visaApplication, visaDraft } from '~/features/visa/store/tables.server.ts';
import { idempotencyKey } from '~/platform/postgres/tables.server.ts';
import type { SealedColumn } from '~/platform/reencrypt/sealed-column.ts';

/**
 * Every column that is sealed. A new column of bytes stands here, or among those that are not sealed in
 * `reencrypt.test.ts`; what is personal in it, in the map of personal data beside.
 */
export const sealedColumns: readonly SealedColumn[] = [
  sealed(visaApplication, visaApplication.passportNumber, visaApplication.applicationId),
  sealed(visaApplication, visaApplication.supportingDocumentNumber, visaApplication.applicationId),
  sealed(visaApplication, visaApplication.machineReadableZone, visaApplication.applicationId),
  sealed(
    insuranceApplication,
    insuranceApplication.passportNumber,
    insuranceApplication.applicationId,
  ),
  sealed(insurancePhoto, insurancePhoto.name, insurancePhoto.id),
  sealed(visaDraft, visaDraft.answers, visaDraft.id),
  sealed(insuranceDraft, insuranceDraft.answers, insuranceDraft.id),
  sealed(applicationCorrection, applicationCorrection.changes, applicationCorrection.id),
  sealed(deskUpload, deskUpload.text, deskUpload.fileId),
  sealed(deskPdfBatchFile, deskPdfBatchFile.name, deskPdfBatchFile.id),
  sealed(deskNote, deskNote.text, deskNote.id),
  sealed(deskNote, deskNote.struckWhy, deskNote.id),
  sealed(deskEmailCorrection, deskEmailCorrection.content, deskEmailCorrection.id),
  sealed(deskDismissal, deskDismissal.why, [
    deskDismissal.oneId,
    deskDismissal.otherId,
    deskDismissal.facts,
  ]),
  sealed(legalHold, legalHold.why, legalHold.id),
  sealed(privacyCase, privacyCase.given, privacyCase.id),
  sealed(privacyCase, privacyCase.chosen, privacyCase.id),
  sealed(privacyCase, privacyCase.extensionWhy, privacyCase.id),
  sealed(privacyCase, privacyCase.answer, privacyCase.id),
  sealed(email, email.content, email.id),
  sealed(paymentAttempt, paymentAttempt.checkoutRedirect, paymentAttempt.id, 'checkoutRedirect'),
  sealed(staffAccount, staffAccount.totpSecret, staffAccount.id),
  sealed(staffAccountChange, staffAccountChange.content, staffAccountChange.id),
  sealed(idempotencyKey, idempotencyKey.answer, idempotencyKey.id),
];

/** Sealed as `table.column:key`, with colons between the parts of the key. */
function sealed(
  of: Table,
  column: AnyPgColumn,
  key: AnyPgColumn | readonly AnyPgColumn[],
  as?: string,
): SealedColumn {
  const table = getTableName(of);
  const what = as ?? `${table}.${column.name}`;
  return {
    table,
    column: column.name,
    key: (Array.isArray(key) ? key : [key]).map((one: AnyPgColumn) => ({
      name: one.name,
      type: one.getSQLType(),
    })),
    context: (values) => `${what}:${values.join(':')}`,
  };
}
