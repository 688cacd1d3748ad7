import { retentionStart } from '~/base/retention-periods.ts';
import { removeFilesLater } from '~/platform/files/files.server.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { type PdfError, MAX_PDF_BYTES, pdfErrors } from './pdf-rules.ts';
import { readPdf } from './read-pdf.server.ts';
import { insertUpload, deleteUnusedUploadRows, deleteUsedTexts } from './store.server.ts';
import { formText } from '~/platform/input/form-text.ts';

export type UploadedFile = { id: string; size: number };

/** What is stored in the transaction of an upload. */
type InSameTransaction = (tx: Transaction, uploaded: UploadedFile) => Promise<void>;

/**
 * Checks and stores a PDF. It is not delivered until an approval or attachment names its id; with `draftFor`, only one
 * of that application, by the same person.
 */
export async function upload(
  platform: Platform,
  staff: Pick<Staff, 'id'>,
  bytes: Uint8Array,
  draftFor: string | null = null,
  alongside: InSameTransaction | null = null,
): Promise<Outcome<UploadedFile, PdfError>> {
  const read = await readPdf(bytes);
  if (!read.ok) return read;
  const { id, size } = await platform.files.put(bytes, { mediaType: 'application/pdf' });
  const now = platform.now();
  const { sealer } = platform;
  const { text } = read.value;
  await platform.db.transaction(async (tx) => {
    await insertUpload(tx, {
      fileId: id,
      staffId: staff.id,
      size,
      createdAt: now,
      draftFor,
      contentHash: hashUpload(sealer, bytes),
      text: text === null ? null : sealer.seal(text, `desk_upload.text:${id}`),
    });
    await audit(tx, {
      at: now,
      staffId: staff.id,
      action: 'document_uploaded',
      subject: { kind: 'file', id },
      detail: { size },
    });
    await alongside?.(tx, { id, size });
  });
  return ok({ id, size });
}

/** By which the same file is found again, whoever uploaded it. */
export const hashUpload = (sealer: Sealer, bytes: Uint8Array): Buffer =>
  sealer.keyedHash(bytes, 'application_document.content');

const DATA_URL = /^data:application\/pdf;base64,([A-Za-z0-9+/]+={0,2})$/;

/** A document in a call: a PDF data URL is uploaded, anything else is the id of an upload. */
export async function documentNamed(
  platform: Platform,
  staff: Pick<Staff, 'id'>,
  named: string,
): Promise<Outcome<string, PdfError>> {
  if (!named.startsWith('data:')) return ok(named);
  const encoded = DATA_URL.exec(named)?.[1];
  if (encoded === undefined) return refused('wrong_type');
  const uploaded = await upload(platform, staff, Buffer.from(encoded, 'base64'));
  return uploaded.ok ? ok(uploaded.value.id) : uploaded;
}

/** Deletes uploads that were never used, and what was read in the used ones. */
export async function deleteUnusedUploads({
  db,
  now,
}: {
  db: Queryable;
  now: () => Date;
}): Promise<void> {
  const at = now();
  const before = retentionStart('deskUpload', at);
  await deleteUsedTexts(db, at);
  await db.transaction(async (tx) =>
    removeFilesLater(tx, await deleteUnusedUploadRows(tx, before)),
  );
}

type ReadFile = { ok: true; fileId: string | undefined } | { ok: false; error: PdfError };

/**
 * The file of a form, or the id of one that scripts uploaded before. Browsers send an empty file where none was chosen.
 * `of`: suffix of the fields' names, where a form has several.
 */
export async function uploadedFile(
  platform: Platform,
  staff: Staff,
  { form, applicationId, of = '' }: { form: FormData; applicationId: string; of?: string },
): Promise<ReadFile> {
  const file = form.get(`document${of}`);
  if (!(file instanceof File) || file.size === 0) {
    // Scripts uploaded a file and it was refused: nobody may decide without the file they chose.
    const fileRefused = pdfErrors.find((code) => code === form.get(`fileRefused${of}`));
    if (fileRefused) return { ok: false, error: fileRefused };
    return { ok: true, fileId: formText(form, `fileId${of}`) || undefined };
  }
  if (file.size > MAX_PDF_BYTES) return { ok: false, error: 'too_large' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const uploaded = await upload(platform, staff, bytes, applicationId);
  return uploaded.ok ? { ok: true, fileId: uploaded.value.id } : uploaded;
}
