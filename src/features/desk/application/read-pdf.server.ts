import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { fileTypeFromBuffer } from 'file-type';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { projectRoot } from '~/platform/config/root.server.ts';
import type { FromWorker, WorkerRequest } from './pdf-worker.server.ts';
import { MAX_PDF_BYTES, type PdfError } from './pdf-rules.ts';

/** `text`: of the first pages; null where there is none, as in a scanned paper. */
type PdfReading = { text: string | null };

/** Times are of the processor, so that a busy machine refuses no honest file. */
type PdfLimits = {
  /** Milliseconds that the check may take; an honest file of 5 MB takes a tenth of a second. */
  checkMs: number;
  /** Milliseconds that reading the text may take; after that the file counts as one without text. */
  textMs: number;
  /** Files that may wait for the thread; more are refused. */
  mostWaiting: number;
};

const LIMITS: PdfLimits = { checkMs: 5_000, textMs: 5_000, mostWaiting: 10 };
/** V8's heap in MiB. The bytes of a file and its unpacked streams come on top, limited by the check. */
const HEAP_MB = 256;
const IDLE_MS = 30_000;
/** Milliseconds after which somebody who waits is told that the machine is busy, whatever the thread has used by then. */
const MAX_WAIT_MS = 60_000;

/**
 * Checks PDFs and reads their text in a worker thread, one file after the other. A file that takes too long or too much
 * memory ends that thread, not the service, and is refused as unsafe; one that a busy machine does not get to, as busy.
 */
export function makePdfReader(limits: PdfLimits = LIMITS) {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let waiting = 0;
  let lastId = 0;
  let previous: Promise<unknown> = Promise.resolve();

  function end(): void {
    void thread?.terminate();
    thread = null;
  }

  function start(): Worker {
    const worker = new Worker(workerFile(), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    // An idle thread must not keep the service from stopping.
    worker.unref();
    const gone = () => {
      if (thread === worker) thread = null;
    };
    worker.on('exit', gone);
    // Running out of memory arrives here; the waiting request is answered as well.
    worker.on('error', gone);
    return (thread = worker);
  }

  /** Sends one file to the free thread. */
  function ask(bytes: Uint8Array): Promise<Outcome<PdfReading, PdfError>> {
    const worker = thread ?? start();
    const id = ++lastId;
    const answer = Promise.withResolvers<Outcome<PdfReading, PdfError>>();
    let isChecked = false;
    const giveUp = (error: PdfError) => {
      end();
      answer.resolve(isChecked ? ok({ text: null }) : refused(error));
    };
    const fail = () => giveUp('unsafe');
    let part = new AbortController();
    /** Gives up once the thread has used so many milliseconds from now on. */
    const limitTo = (limitMs: number) => {
      part.abort();
      part = new AbortController();
      const { signal } = part;
      const usedUp = untilUsed(worker, limitMs, signal);
      usedUp.then(() => signal.aborted || fail()).catch(() => undefined);
    };
    limitTo(limits.checkMs);
    const longest = setTimeout(() => giveUp('busy'), MAX_WAIT_MS);
    const hear = (message: FromWorker) => {
      if (message.id !== id) return;
      if (message.kind === 'text') return answer.resolve(ok({ text: message.text }));
      if (message.fault !== null) return answer.resolve(refused(message.fault));
      isChecked = true;
      limitTo(limits.textMs);
    };
    worker.on('message', hear);
    worker.once('error', fail);
    worker.once('exit', fail);
    // Copied: a Buffer may be part of a larger one, which would be copied as a whole.
    const question: WorkerRequest = { id, bytes: new Uint8Array(bytes) };
    worker.postMessage(question, [question.bytes.buffer]);
    return answer.promise.finally(() => {
      part.abort();
      clearTimeout(longest);
      worker.off('message', hear);
      worker.off('error', fail);
      worker.off('exit', fail);
      clearTimeout(idle);
      idle = setTimeout(end, IDLE_MS).unref();
    });
  }

  /** Whether a file is a PDF that may be sent to a traveller, by its content alone, and its readable text. */
  return async function readPdf(bytes: Uint8Array): Promise<Outcome<PdfReading, PdfError>> {
    if (bytes.byteLength > MAX_PDF_BYTES) return refused('too_large');
    const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 8));
    const type = await fileTypeFromBuffer(bytes);
    if (type?.mime !== 'application/pdf' || !/^%PDF-[12]\.\d/.test(head.toString('latin1'))) {
      return refused('wrong_type');
    }
    if (waiting >= limits.mostWaiting) return refused('busy');
    waiting++;
    const reading = previous.then(() => ask(bytes));
    previous = reading.catch(() => undefined);
    try {
      return await reading;
    } finally {
      waiting--;
    }
  };
}

/** Waits until a thread has used so many milliseconds of the processor. @throws what the signal aborts with. */
async function untilUsed(worker: Worker, limitMs: number, signal: AbortSignal): Promise<void> {
  const before = await processorMs(worker);
  let left = limitMs;
  while (left > 0) {
    await sleep(left, undefined, { signal });
    left = limitMs - ((await processorMs(worker)) - before);
  }
}

/** Milliseconds of the processor that a thread has used; 0 of one that is starting or has ended. */
async function processorMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}

/** The service's own reader: one thread per process. */
export const readPdf = makePdfReader();

/** Beside this file in the sources, beside the server in the build. */
const workerFile = (): string =>
  import.meta.filename.endsWith('.ts')
    ? join(import.meta.dirname, 'pdf-worker.server.ts')
    : join(projectRoot, 'build', 'server', 'pdf-worker.js');
