import type { MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

type Options = Parameters<typeof bodyLimit>[0];

/**
 * Refuses bodies of more than `maxSize` bytes. Where the length is given it decides, because Node reads no more than
 * that. Otherwise the bytes are counted, by a stream that alone costs more than many requests.
 */
export function limitBody(options: Required<Options>): MiddlewareHandler {
  const countBytes = bodyLimit(options);
  return async (c, next) => {
    const { method } = c.req;
    if (method === 'GET' || method === 'HEAD') return next();
    const length = c.req.header('content-length');
    if (length === undefined || c.req.header('transfer-encoding') !== undefined)
      return countBytes(c, next);
    return Number(length) > options.maxSize ? options.onError(c) : next();
  };
}
