import { sql } from 'drizzle-orm';
import { check, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { application } from '~/features/application/tables.server.ts';
import { staffAccount } from '~/features/staff/tables.server.ts';
import { bytes, enumChecks, moment } from '~/platform/postgres/columns.server.ts';
import {
  internal,
  personal,
  personalTable,
  sealed,
  storedFile,
} from '~/platform/postgres/personal-table.server.ts';
import { deskUpload } from '../application/tables.server.ts';
import { batchFaults } from './batch.ts';

/** PDFs that somebody added together, to approve their applications with them. Kept one day, for that person alone. */
export const deskPdfBatch = personalTable(
  'desk_pdf_batch',
  {
    about: 'staff',
    purpose: 'to approve several applications with the PDFs of the authorities',
    kept: ['deskUpload'],
    erasure: 'none',
  },
  {
    id: uuid().primaryKey(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staffAccount.id),
    createdAt: personal(moment('created_at').notNull()),
    /** Files beyond `MOST_FILES`, which are not kept. */
    leftOut: personal(integer('left_out').notNull()),
  },
  (t) => [
    index('desk_pdf_batch_of').on(t.staffId, t.createdAt),
    index('desk_pdf_batch_age').on(t.createdAt),
  ],
);

/** A file of a batch: an upload, or why it is none. Which application got it stands at the upload. */
export const deskPdfBatchFile = personalTable(
  'desk_pdf_batch_file',
  {
    about: 'traveller',
    purpose: 'to approve several applications with the PDFs of the authorities',
    kept: ['deskUpload'],
    rows: [['applicationId', 'applicationIds']],
  },
  {
    id: uuid().primaryKey(),
    batchId: uuid('batch_id')
      .notNull()
      .references(() => deskPdfBatch.id, { onDelete: 'cascade' }),
    position: internal(integer().notNull()),
    /** The file's name, which often is a person's. Sealed. */
    name: sealed(bytes().notNull()),
    fileId: storedFile(
      text('file_id').references(() => deskUpload.fileId, { onDelete: 'cascade' }),
    ),
    fault: personal(text({ enum: batchFaults })),
    /** The application whose number was typed for it; before, nobody knows whose file it is. */
    applicationId: uuid('application_id').references(() => application.id, {
      onDelete: 'cascade',
    }),
  },
  (t) => [
    ...enumChecks(t),
    uniqueIndex('desk_pdf_batch_file_place').on(t.batchId, t.position),
    uniqueIndex('desk_pdf_batch_file_upload').on(t.fileId),
    index('desk_pdf_batch_file_application')
      .on(t.applicationId)
      .where(sql`${t.applicationId} is not null`),
    check('desk_pdf_batch_file_either', sql`num_nonnulls(${t.fileId}, ${t.fault}) = 1`),
  ],
);
