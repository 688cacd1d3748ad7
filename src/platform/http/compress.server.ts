import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const { constants } = zlib;
const brotli = promisify(zlib.brotliCompress);
const zstd = promisify(zlib.zstdCompress);
const zip = promisify(zlib.gzip);

/** Streams of events are text as well, and never end. */
const TEXT =
  /^(text\/(?!event-stream)|application\/(json|problem\+json|javascript|manifest\+json)|image\/svg)/;
/** In bytes. A smaller answer fits into one packet with its head either way. */
const WORTH_BYTES = 860;
/**
 * Up to this many bytes are compressed at once, which takes 0.1 ms for 100 kB; by another thread it takes twice the
 * processor, and the answer waits for its turn twice.
 */
const SMALL_BYTES = 256 * 1024;
/*
 * What is made for one visitor is compressed lightly: of a page of 30 kB Zstandard 2 leaves 9.6 kB for 0.08 ms of processor,
 * Zstandard 3 9.5 kB for 0.10 ms, Brotli 2 9.4 kB for 0.19 ms, Brotli 4 8.9 kB for 0.4 ms. What is kept is compressed once, and strongly, elsewhere.
 */
const forBrotli = (size: number): zlib.BrotliOptions => ({
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 2,
    [constants.BROTLI_PARAM_SIZE_HINT]: size,
  },
});
const forZstd: zlib.ZstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 2 } };
const forGzip: zlib.ZlibOptions = { level: 5 };

type Packing = {
  now: (bytes: Buffer) => Buffer;
  later: (bytes: Buffer) => Promise<Buffer>;
};

const packings = {
  zstd: {
    now: (bytes) => zlib.zstdCompressSync(bytes, forZstd),
    later: (bytes) => zstd(bytes, forZstd),
  },
  br: {
    now: (bytes) => zlib.brotliCompressSync(bytes, forBrotli(bytes.length)),
    later: (bytes) => brotli(bytes, forBrotli(bytes.length)),
  },
  gzip: {
    now: (bytes) => zlib.gzipSync(bytes, forGzip),
    later: (bytes) => zip(bytes, forGzip),
  },
} as const satisfies Record<string, Packing>;

type Encoding = keyof typeof packings;

const encodingFor = (accepted: string): Encoding | undefined =>
  (['zstd', 'br', 'gzip'] as const).find((one) => accepted.includes(one));

/**
 * An answer with this text in the best encoding that the browser accepts, null where it is to be sent as it is;
 * `headers` become the answer's own.
 */
export async function compressed(
  text: string | Buffer,
  accepted: string | null,
  { status, headers }: { status: number; headers: Headers },
): Promise<Response> {
  if (accepted !== null) headers.append('Vary', 'Accept-Encoding');
  const encoding = encodingFor(accepted ?? '');
  const bytes = typeof text === 'string' ? inScratch(text) : text;
  if (!encoding || bytes.length < WORTH_BYTES) {
    return new Response(new Uint8Array(bytes), { status, headers });
  }
  const { now, later } = packings[encoding];
  const packed = bytes.length <= SMALL_BYTES ? now(bytes) : await later(bytes);
  headers.set('Content-Encoding', encoding);
  headers.delete('Content-Length');
  return new Response(new Uint8Array(packed), { status, headers });
}

const encoder = new TextEncoder();
const scratch = Buffer.allocUnsafeSlow(SMALL_BYTES);

/**
 * A text as UTF-8, where it fits in memory that the next call overwrites: to be compressed or copied at once. For a page
 * of 38 kB that takes 0.03 ms instead of 0.05.
 */
function inScratch(text: string): Buffer {
  const { read, written } = encoder.encodeInto(text, scratch);
  return read === text.length ? scratch.subarray(0, written) : Buffer.from(text);
}

/** Compresses answers in text that are not compressed yet. */
export function compress(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const { headers, status } = c.res;
    // Checked first: to touch a body that stays as it is costs more than all of this.
    if (headers.has('content-encoding') || !TEXT.test(headers.get('content-type') ?? '')) return;
    if (headers.get('cache-control')?.includes('no-transform')) return;
    const length = headers.get('content-length');
    if (length !== null && Number(length) < WORTH_BYTES) return;
    const accepted = c.req.header('accept-encoding') ?? '';
    if (!encodingFor(accepted) || !c.res.body) return;
    const bytes = Buffer.from(await c.res.arrayBuffer());
    // Otherwise Hono merges the headers of the old answer into those of the new one.
    c.res = undefined;
    c.res = await compressed(bytes, accepted, { status, headers: new Headers(headers) });
  };
}
