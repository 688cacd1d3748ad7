/** What goes to the thread that reads PDFs, and what comes back: first the check, then, of a harmless file, the text. */
export type ToWorker = { id: number; bytes: Uint8Array<ArrayBuffer> };
export type FromWorker =
  | { id: number; kind: 'checked'; fault: 'broken' | 'unsafe' | null }
  | { id: number; kind: 'text'; text: string | null };
