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

parentPort?.on('message', ({ id, bytes }: ToWorker) => void answer(id, bytes));

async function answer(id: number, bytes: Uint8Array): Promise<void> {
  const fault = findFault(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  send({ id, kind: 'checked', fault });
  if (fault === null) send({ id, kind: 'text', text: await textOf(bytes) });
}

const send = (message: FromWorker): void => parentPort?.postMessage(message, []);

/** The text of the pages; null where there is none, as in a scanned paper. */
async function textOf(bytes: Uint8Array): Promise<string | null> {
  try {
    const pdf = await getDocumentProxy(bytes, { stopAtErrors: false });
    if (pdf.numPages > MOST_PAGES) return null;
    const { text } = await extractText(pdf, { mergePages: true });
    await pdf.loadingTask.destroy();
    return text.trim() === '' ? null : text.slice(0, LONGEST_TEXT);
  } catch {
    // It passed the check, so a browser may well show it: staff compare it by eye.
    return null;
  }
}
