import type { IncomingMessage } from 'node:http';
import { releaseBytes } from '../input/read-bytes.server.ts';
import { SMALL_BODY_BYTES } from '../input/body-limit.ts';
import type { Exchange } from './exchanges.server.ts';
import { declaredLength } from './work.server.ts';

/** How slow a client may be, in milliseconds and bytes. */
export type Patience = {
  /** A small body has arrived by then. */
  bodyMs: number;
  /** A large one may take its time for as long… */
  graceMs: number;
  /** …and then brings so many bytes… */
  bytes: number;
  /** …in each of these stretches. */
  everyMs: number;
  /** An answer of which nothing is taken for so long is over. */
  takeMs: number;
};

/** 8 KB a second is a quarter of what a telephone sends where it has no better network than that of 2003. */
export const patience: Patience = {
  bodyMs: 60_000,
  graceMs: 30_000,
  bytes: 80 * 1024,
  everyMs: 10_000,
  takeMs: 30_000,
};

/** A large body grows by as much; Node reads no more than a sixteenth of it at once. */
const STEP_BYTES = 1024 * 1024;

export type ReceiveOptions = {
  exchange: Exchange;
  /** In bytes. One more than that is received at most. */
  limit: number;
  patience: Patience;
  /**
   * The body is there; of one that is larger than the limit, enough to see that. `release` is to be called when nobody
   * uses it any more.
   */
  received: (bytes: number, release: () => void) => void;
  /** It is a large one, and its address sends enough of them already. */
  refuse: () => void;
  /** It comes too slowly. */
  giveUp: () => void;
};

/**
 * Receives a body before its request counts as work, so that a slow sender takes no place; the adapter takes it from
 * `rawBody`. Calls nothing back where the client disconnects before, nor after the returned function was called, which
 * lets go of what has come.
 */
export function receiveBody(incoming: IncomingMessage, options: ReceiveOptions): () => void {
  const { exchange, limit, patience: slow } = options;
  const length = declaredLength(incoming) ?? 0;
  const isLarge = () => Math.max(length, bytes) > SMALL_BODY_BYTES;
  let chunks: Buffer[] = [];
  /**
   * A large body grows in one piece, which takes half of what its chunks and their sum would. A piece of its whole length
   * from the start would have the collector take as much garbage for normal.
   */
  let large: ArrayBuffer | null = null;
  let whole: Buffer<ArrayBuffer> | null = null;
  let bytes = 0;
  let seen = 0;
  let isUpload = false;
  let isOver = false;
  let timer = setTimeout(late, slow.bodyMs);

  function late() {
    stop();
    options.giveUp();
  }
  function check() {
    if (bytes - seen < slow.bytes) return late();
    seen = bytes;
    timer = setTimeout(check, slow.everyMs);
  }
  function end() {
    isOver = true;
    clearTimeout(timer);
    incoming.off('data', take);
    incoming.off('end', finish);
    chunks = [];
  }
  function stop() {
    end();
    release();
  }
  function release() {
    if (large && !large.detached) large.transfer(0);
    if (whole) releaseBytes(whole);
  }
  function finish() {
    large?.resize(bytes);
    whole = large && Buffer.from(large.transferToFixedLength());
    const rawBody = whole ?? (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
    end();
    Object.assign(incoming, { rawBody });
    options.received(bytes, release);
  }
  function take(chunk: Buffer) {
    if (!large && bytes + chunk.length > SMALL_BODY_BYTES) {
      large = new ArrayBuffer(0, { maxByteLength: length || limit + STEP_BYTES });
      append(large, Buffer.concat(chunks), 0);
      chunks = [];
    }
    if (large) append(large, chunk, bytes);
    else chunks.push(chunk);
    bytes += chunk.length;
    exchange.hold(chunk.length);
    if (isOver) return;
    if (bytes > limit) {
      // The rest is read and thrown away once the request is answered.
      incoming.pause();
      return finish();
    }
    if (!isUpload && isLarge()) beginUpload();
  }
  function beginUpload() {
    isUpload = true;
    if (!exchange.becomeUpload()) {
      stop();
      return options.refuse();
    }
    clearTimeout(timer);
    timer = setTimeout(check, slow.graceMs);
  }

  incoming.on('data', take);
  incoming.once('end', finish);
  incoming.once('error', () => undefined);
  incoming.once('close', () => isOver || stop());
  if (isLarge()) beginUpload();
  return stop;
}

/** Writes a chunk behind the bytes that are there. */
function append(buffer: ArrayBuffer, chunk: Buffer, at: number): void {
  const end = at + chunk.length;
  if (end > buffer.byteLength) buffer.resize(Math.min(buffer.maxByteLength, end + STEP_BYTES));
  new Uint8Array(buffer).set(chunk, at);
}
