import { MAX_PDF_BYTES, pdfErrors, type PdfError } from '../visa-document/pdf-rules.ts';

/** `unsent`: the line broke, or the session is over. The form can still send the file itself. */
export type SendError = PdfError | 'unsent';
export type Sent = { ok: true; fileId: string } | { ok: false; error: SendError };

/**
 * Sends a PDF ahead of the form that will name it, telling how much is through (0 to 1). What the server would refuse
 * at first sight is refused before anything is sent. Browser only: `fetch` cannot tell how far a sending is.
 */
export async function sendFile(
  file: File,
  applicationNumber: string,
  onProgress: (share: number) => void,
): Promise<Sent> {
  if (file.size > MAX_PDF_BYTES) return { ok: false, error: 'too_large' };
  if (!(await file.slice(0, 5).text()).startsWith('%PDF-'))
    return { ok: false, error: 'wrong_type' };
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/api/admin/files?application=${encodeURIComponent(applicationNumber)}`);
    request.setRequestHeader('Content-Type', 'application/pdf');
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener('loadend', () => resolve(answerOf(request)));
    request.send(file);
  });
}

function answerOf({ status, responseText }: XMLHttpRequest): Sent {
  const answer = readJson(responseText);
  if (status === 201 && typeof answer.id === 'string') return { ok: true, fileId: answer.id };
  const { errors } = answer;
  const code = typeof errors === 'object' && errors !== null ? Reflect.get(errors, 'file') : null;
  return { ok: false, error: pdfErrors.find((one) => one === code) ?? 'unsent' };
}

function readJson(text: string): { id?: unknown; errors?: unknown } {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
