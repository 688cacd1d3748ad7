import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** The encodings in which answers are cached, best first. */
const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/** An answer made ahead of its requests: its body in each encoding that is kept, `identity` always among them. */
export type EncodedAnswer = {
  /** Without those that depend on the encoding: length and encoding. */
  headers: Readonly<Record<string, string>>;
  bodies: Readonly<Partial<Record<Encoding, Uint8Array>>> & { identity: Uint8Array };
  etag?: string;
};

/** The best encoding of an answer that this browser accepts. */
function encodingFor(accepted: string, bodies: Partial<Record<Encoding, unknown>>): Encoding {
  if (bodies.br !== undefined && /\bbr\b/.test(accepted)) return 'br';
  if (bodies.gzip !== undefined && /\bgzip\b/.test(accepted)) return 'gzip';
  return 'identity';
}

/** Compared weakly, as RFC 9110 asks of `If-None-Match`. */
function isKnown(etag: string, header: string | null | undefined): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '');
  return (
    header?.split(',').some((tag) => tag.trim() === '*' || strong(tag) === strong(etag)) ?? false
  );
}

/** Headers by encoding, made once for each answer: they never change. */
const heads = new WeakMap<EncodedAnswer, Map<Encoding, OutgoingHttpHeaders>>();

function headOf(answer: EncodedAnswer, encoding: Encoding): OutgoingHttpHeaders {
  let known = heads.get(answer);
  if (!known) heads.set(answer, (known = new Map()));
  let head = known.get(encoding);
  if (!head) {
    const vary = [answer.headers['vary'], 'Accept-Encoding'].filter(Boolean).join(', ');
    head = {
      ...answer.headers,
      vary,
      ...(answer.etag && { etag: answer.etag }),
      ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      'content-length': answer.bodies[encoding]?.byteLength ?? 0,
    };
    known.set(encoding, head);
  }
  return head;
}

/** Sends a cached answer to a GET or HEAD request without further work; 304 where the browser has it already. */
export function sendEncoded(
  answer: EncodedAnswer,
  { method, headers }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const encoding = encodingFor([headers['accept-encoding'] ?? ''].flat().join(), answer.bodies);
  const head = headOf(answer, encoding);
  if (answer.etag && isKnown(answer.etag, headers['if-none-match'])) {
    const { 'content-type': _, 'content-length': __, ...rest } = head;
    outgoing.writeHead(304, rest).end();
    return;
  }
  outgoing.writeHead(200, head);
  outgoing.end(method === 'HEAD' ? undefined : answer.bodies[encoding]);
}

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** One page in memory, compressed once. */
type CachedPage = EncodedAnswer & {
  etag: string;
  bodies: Record<Encoding, Uint8Array<ArrayBuffer>>;
  /** When it was last made, in milliseconds. */
  madeAt: number;
  edition: string;
};

/** Brotli 11 makes a page 3 % smaller still, and takes ten times as long. */
const BROTLI_QUALITY = 9;

/**
 * Caches whole pages that are the same for everybody. A page is rendered again when it is requested `freshSeconds`
 * after it was last rendered, or in another `edition` of its data; simultaneous requests wait for one rendering. What
 * is not a 200 is passed on and not cached. `headersFor` adds the headers that every answer has. `ready` returns a page
 * that is cached and fresh, null for every other.
 */
export function makePageCache({
  now,
  freshSeconds,
  edition,
  headersFor = (own) => own,
}: {
  now: () => Date;
  freshSeconds: number;
  edition: () => Promise<string>;
  headersFor?: (own: Headers) => Headers;
}) {
  const pages = new Map<string, Promise<CachedPage | null>>();

  const isFresh = (page: CachedPage, current: string | null) =>
    (current ?? page.edition) === page.edition &&
    now().getTime() < page.madeAt + freshSeconds * 1000;

  async function ready(key: string): Promise<EncodedAnswer | null> {
    const known = await pages.get(key)?.catch(() => null);
    return known && isFresh(known, await edition().catch(() => null)) ? known : null;
  }

  async function current(key: string, make: () => Promise<Response>): Promise<CachedPage | null> {
    // While the database is away, the page that is kept is answered.
    const current = await edition().catch(() => null);
    const before = pages.get(key);
    const known = before && (await before.catch(() => null));
    if (known && isFresh(known, current)) return known;
    // Another request has begun to render it meanwhile.
    const meanwhile = pages.get(key);
    if (meanwhile && meanwhile !== before) return meanwhile;
    const making = render(
      make,
      headersFor,
      { madeAt: now().getTime(), edition: current ?? '' },
      known ?? null,
    );
    pages.set(key, making);
    try {
      const made = await making;
      if (!made) pages.delete(key);
      return made;
    } catch (error) {
      pages.delete(key);
      throw error;
    }
  }

  async function cached(
    key: string,
    request: Request,
    make: () => Promise<Response>,
  ): Promise<Response> {
    const page = await current(key, make);
    return page ? answer(page, request) : make();
  }

  return Object.assign(cached, { ready });
}

async function render(
  make: () => Promise<Response>,
  headersFor: (own: Headers) => Headers,
  made: Pick<CachedPage, 'madeAt' | 'edition'>,
  before: CachedPage | null,
): Promise<CachedPage | null> {
  const response = await make();
  if (response.status !== 200) return null;
  const plain = new Uint8Array(await response.arrayBuffer());
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`;
  const headers = Object.fromEntries(headersFor(response.headers));
  if (before?.etag === etag) return { ...before, headers, ...made };
  const [br, gz] = await Promise.all([
    brotli(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      },
    }),
    zip(plain, { level: 9 }),
  ]);
  const bodies = { br: new Uint8Array(br), gzip: new Uint8Array(gz), identity: plain };
  return { etag, headers, bodies, ...made };
}

function answer(page: CachedPage, request: Request): Response {
  const headers = new Headers(page.headers);
  headers.set('ETag', page.etag);
  headers.append('Vary', 'Accept-Encoding');
  if (isKnown(page.etag, request.headers.get('if-none-match'))) {
    headers.delete('Content-Type');
    return new Response(null, { status: 304, headers });
  }
  const encoding = encodingFor(request.headers.get('accept-encoding') ?? '', page.bodies);
  if (encoding !== 'identity') headers.set('Content-Encoding', encoding);
  const body = page.bodies[encoding];
  headers.set('Content-Length', String(body.length));
  return new Response(request.method === 'HEAD' ? null : body, { headers });
}

/** The compressed copies that the build writes beside a file. */
const PACKED = /\.(br|gz)$/;

/**
 * Reads built browser files once, some five megabytes, and caches them with their compressed copies; names under
 * /assets/ contain a hash and never change. `headersFor` adds the headers that every answer has. Returns the answer to
 * a path, undefined where there is no file.
 */
export function makeFileCache(
  folder: string,
  headersFor: (own: Headers) => Headers,
): (pathname: string) => EncodedAnswer | undefined {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(names);
  const files = new Map<string, EncodedAnswer>();
  for (const name of names.filter((one) => !PACKED.test(one))) {
    const read = (ending = '') =>
      present.has(name + ending) ? readFileSync(join(folder, name + ending)) : undefined;
    const isHashed = name.startsWith('assets/');
    const headers = headersFor(
      new Headers({
        'Content-Type': getMimeType(name) ?? 'application/octet-stream',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      }),
    );
    files.set(`/${name}`, {
      headers: Object.fromEntries(headers),
      bodies: { br: read('.br'), gzip: read('.gz'), identity: readFileSync(join(folder, name)) },
    });
  }
  return (pathname) => files.get(pathname);
}
