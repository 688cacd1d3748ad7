import { retentionStart } from '~/base/retention-periods.ts';
import { removeFilesLater } from '~/platform/files/files.server.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Sealer } from '~/platform/crypto/crypto.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { type PdfError, MAX_FILE_NAME_LENGTH, MAX_PDF_BYTES } from './pdf-rules.ts';
import { readPdf } from './read-pdf.server.ts';
import { insertUpload, deleteUnusedUploadRows, deleteUsedTexts } from './store.server.ts';

export type UploadedFile = { id: string; size: number };

/** `draftFor`: id of the only application that it is for. `name`: of a file that waits for its application. */
type Meant = { draftFor?: string; name?: string };

/**
 * Checks and stores a PDF. It is not delivered until an approval or attachment names its id; with `draftFor`, only one
 * of that application, by the same person.
 */
export async function upload(
  platform: Platform,
  staff: Pick<Staff, 'id'>,
  bytes: Uint8Array,
  { draftFor, name }: Meant = {},
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
      draftFor: draftFor ?? null,
      contentHash: hashUpload(sealer, bytes),
      text: text === null ? null : sealer.seal(text, `desk_upload.text:${id}`),
      name:
        name === undefined
          ? null
          : sealer.seal(name.slice(0, MAX_FILE_NAME_LENGTH), `desk_upload.name:${id}`),
    });
    await audit(tx, {
      at: now,
      staffId: staff.id,
      action: 'document_uploaded',
      subject: { kind: 'file', id },
      detail: { size },
    });
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

/** The PDF of a form, for one application. Browsers send an empty file where none was chosen: undefined. */
export async function uploadedFile(
  platform: Platform,
  staff: Staff,
  { form, applicationId }: { form: FormData; applicationId: string },
): Promise<Outcome<string | undefined, PdfError>> {
  const file = form.get('document');
  if (!(file instanceof File) || file.size === 0) return ok(undefined);
  if (file.size > MAX_PDF_BYTES) return refused('too_large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const uploaded = await upload(platform, staff, bytes, { draftFor: applicationId });
  return uploaded.ok ? ok(uploaded.value.id) : uploaded;
}
