import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /^(text\/|application\/(json|problem\+json|javascript|manifest\+json)|image\/svg)/;
/** Below this a packet is a packet. */
const WORTH_BYTES = 860;

/** Compresses answers made for one visitor. Brotli 4 costs about 0.2 ms a page; built files are compressed once, elsewhere. */
export function compress(): MiddlewareHandler {
  return async (c, next) => {
    await next();
    const answer = c.res;
    const accepted = c.req.header('accept-encoding') ?? '';
    const encoding = accepted.includes('br') ? 'br' : accepted.includes('gzip') ? 'gzip' : null;
    if (answer.headers.get('cache-control')?.includes('no-transform')) return;
    if (!encoding || !answer.body || answer.headers.has('content-encoding')) return;
    if (!TEXT.test(answer.headers.get('content-type') ?? '')) return;
    const bytes = Buffer.from(await answer.arrayBuffer());
    const headers = new Headers(answer.headers);
    headers.append('Vary', 'Accept-Encoding');
    if (bytes.length < WORTH_BYTES) {
      c.res = new Response(bytes, { status: answer.status, headers });
      return;
    }
    const packed =
      encoding === 'br'
        ? await brotli(bytes, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: 4,
              [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
            },
          })
        : await zip(bytes, { level: 5 });
    headers.set('Content-Encoding', encoding);
    headers.delete('Content-Length');
    c.res = new Response(new Uint8Array(packed), { status: answer.status, headers });
  };
}
