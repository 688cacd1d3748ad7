import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { MAX_PDF_BYTES, pdfErrors, type PdfError } from './pdf-rules.ts';
import { upload } from './uploads.server.ts';

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
