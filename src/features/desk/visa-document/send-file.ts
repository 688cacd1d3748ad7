import type { ComparedFact, ComparisonMarks } from './comparison.ts';
import { MAX_PDF_BYTES, pdfErrors, type PdfError } from './pdf-rules.ts';

/** `unsent`: the connection failed, or the session has ended. The form can still submit the file itself. */
export type SendError = PdfError | 'unsent';
export type Sent =
  | { ok: true; fileId: string; marks: ComparisonMarks | null }
  | { ok: false; error: SendError };

/**
 * Uploads a PDF before the form that will name it, reporting the progress (0 to 1). A file that is obviously wrong is
 * refused without uploading. For browsers only; `XMLHttpRequest`, because `fetch` reports no progress.
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
  if (status === 201 && typeof answer.id === 'string') {
    return { ok: true, fileId: answer.id, marks: readMarks(answer.comparison) };
  }
  const { errors } = answer;
  const code = typeof errors === 'object' && errors !== null ? Reflect.get(errors, 'file') : null;
  return { ok: false, error: pdfErrors.find((one) => one === code) ?? 'unsent' };
}

/** Null where the service did not compare it. */
function readMarks(read: unknown): ComparisonMarks | null {
  if (typeof read !== 'object' || read === null) return null;
  const match: unknown = Reflect.get(read, 'match');
  const isElsewhere = Reflect.get(read, 'isElsewhere') === true;
  if (typeof match !== 'object' || match === null) return { match: null, isElsewhere };
  const has = (fact: ComparedFact) => Reflect.get(match, fact) === true;
  return {
    match: {
      passportNumber: has('passportNumber'),
      lastName: has('lastName'),
      firstName: has('firstName'),
      dateOfBirth: has('dateOfBirth'),
    },
    isElsewhere,
  };
}

function readJson(text: string): { id?: unknown; errors?: unknown; comparison?: unknown } {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : {};
  } catch {
    return {};
  }
}
