import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isLanguage } from '~/base/languages.ts';
import { BODY_LIMIT_MEGABYTES, SMALL_BODY_BYTES } from './body-limit.ts';

/** Who may send files to an address: anybody, or who carries a cookie of staff. */
type FileSender = 'anybody' | 'staff';

/** Every address that takes files, of a form or in JSON. All others take `SMALL_BODY_BYTES` and no file. */
export const fileRoutes: Readonly<Record<string, FileSender>> = {
  '/insurance': 'anybody',
  '/insurance-simple': 'anybody',
  '/insurance/correct/:token': 'anybody',
  '/application/travellers': 'anybody',
  '/api/insurance/applications': 'anybody',
  '/api/orders': 'anybody',
  '/admin/applications/:number': 'staff',
  '/admin/orders/:number': 'staff',
  '/admin/pdfs': 'staff',
  '/api/admin/files': 'staff',
  '/api/admin/applications/:id/approve': 'staff',
  '/api/admin/applications/:id/document': 'staff',
  '/api/admin/applications/:id/status': 'staff',
  '/api/admin/insurance-applications/:id/approve': 'staff',
  '/api/admin/insurance-applications/:id/document': 'staff',
  '/api/admin/insurance-applications/:id/status': 'staff',
};

const patterns = Object.entries(fileRoutes).map(([path, sender]) => ({
  pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`),
  sender,
}));

/** A session of staff has to be looked up; that a cookie of its name is there tells who has none. */
const STAFF_COOKIE = /(^|;\s*)(__Host-)?lale_staff=/;

/** A path as the list has it: without language and without the ending of a page's data. */
function bare(path: string): string {
  const [, first = ''] = path.split('/', 2);
  const own = isLanguage(first) ? path.slice(first.length + 1) : path;
  return own.replace(/\.data$/, '');
}

/** Whether files may come to this path, whoever sends them. */
export const acceptsFiles = (path: string): boolean =>
  patterns.some(({ pattern }) => pattern.test(bare(path)));

/** The largest body that this request may carry, in bytes. `cookie`: its header. */
export function maxBodyBytes(path: string, cookie: string | null | undefined): number {
  const route = patterns.find(({ pattern }) => pattern.test(bare(path)));
  const mayBeLarge =
    route?.sender === 'anybody' || (route !== undefined && STAFF_COOKIE.test(cookie ?? ''));
  return mayBeLarge ? BODY_LIMIT_MEGABYTES * 1024 * 1024 : SMALL_BODY_BYTES;
}

/** The bytes of a body that the listener received before, up to one more than its limit; undefined without one. */
function receivedBytes(incoming: unknown): number | undefined {
  const raw = typeof incoming === 'object' && incoming !== null && Reflect.get(incoming, 'rawBody');
  return raw instanceof Uint8Array ? raw.byteLength : undefined;
}

/**
 * Refuses bodies of more than `maxSize` bytes. Where the listener received the body, or the length is given, that
 * decides, because Node reads no more than that. Otherwise the bytes are counted, by a stream that alone costs more than
 * many requests.
 */
export function limitBody({
  maxSize,
  onError,
}: {
  maxSize: number | ((request: Request) => number);
  onError: (c: Context, limit: number) => Response | Promise<Response>;
}): MiddlewareHandler<{ Bindings: { incoming?: IncomingMessage } }> {
  return async (c, next) => {
    const { method } = c.req;
    if (method === 'GET' || method === 'HEAD') return next();
    const limit = typeof maxSize === 'number' ? maxSize : maxSize(c.req.raw);
    const tooLarge = () => onError(c, limit);
    const length = c.req.header('content-length');
    const isChunked = length === undefined || c.req.header('transfer-encoding') !== undefined;
    const bytes = receivedBytes(c.env?.incoming) ?? (isChunked ? undefined : Number(length));
    if (bytes === undefined) return bodyLimit({ maxSize: limit, onError: tooLarge })(c, next);
    return bytes > limit ? tooLarge() : next();
  };
}
