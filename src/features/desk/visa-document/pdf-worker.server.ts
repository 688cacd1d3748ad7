import { parentPort } from 'node:worker_threads';
import { extractText, getDocumentProxy } from 'unpdf';
import { findFault } from './check-pdf.server.ts';

/** Messages to and from the thread that reads PDFs: first the check, then, for a harmless file, the text. */
export type ToWorker = { id: number; bytes: Uint8Array<ArrayBuffer> };
export type FromWorker =
  | { id: number; kind: 'checked'; fault: 'broken' | 'unsafe' | null }
  | { id: number; kind: 'text'; text: string | null };

// A worker thread (see read-pdf.server.ts), started by Node directly from this file or its build, so `~` imports do not
// work here.

/** An e-visa has one page; longer documents have the compared facts on the first. */
const MOST_PAGES = 10;
const LONGEST_TEXT = 20_000;

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

parentPort?.on('message', ({ id, bytes }: ToWorker) => void answer(id, bytes));

async function answer(id: number, bytes: Uint8Array): Promise<void> {
  const fault = findFault(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const pdf = fault === null ? await openDrawable(bytes) : null;
  send({ id, kind: 'checked', fault: fault ?? (pdf ? null : 'broken') });
  if (pdf) send({ id, kind: 'text', text: await textOf(pdf) });
}

const send = (message: FromWorker): void => parentPort?.postMessage(message, []);

/** The document, after its first pages were drawn but for their pictures; null where that cannot be done. */
async function openDrawable(bytes: Uint8Array): Promise<Pdf | null> {
  try {
    // Pictures are left out by a size that all of them exceed: to unpack them takes long, and shows nothing.
    const pdf = await getDocumentProxy(bytes, {
      stopAtErrors: false,
      maxImageSize: 1,
      verbosity: 0,
    });
    if (pdf.numPages === 0) return null;
    for (let number = 1; number <= Math.min(pdf.numPages, MOST_PAGES); number++) {
      const page = await pdf.getPage(number);
      const [left = 0, bottom = 0, right = 0, top = 0] = page.view;
      if (right <= left || top <= bottom) return null;
      await page.getOperatorList();
    }
    return pdf;
  } catch {
    return null;
  }
}

/** The text of the pages; null where there is none, as in a scanned paper. */
async function textOf(pdf: Pdf): Promise<string | null> {
  try {
    if (pdf.numPages > MOST_PAGES) return null;
    const { text } = await extractText(pdf, { mergePages: true });
    return text.trim() === '' ? null : text.slice(0, LONGEST_TEXT);
  } catch {
    // Its pages can be drawn: staff compare it by eye.
    return null;
  } finally {
    await pdf.loadingTask.destroy();
  }
}
