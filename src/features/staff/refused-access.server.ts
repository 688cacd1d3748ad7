import type { MiddlewareHandler } from 'hono';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { audit } from './audit.server.ts';
import { staffOf } from './session.server.ts';

const DESK = /^(?:\/[a-z]{2})?((?:\/api)?\/admin(?:\/.*)?)$/;
const WORD = /^[a-z-]{1,30}$/;

/** A desk address without language, ids and the suffix of data requests; null for other addresses. */
export function placeOf(pathname: string): string | null {
  const [, path] = DESK.exec(pathname.replace(/\.data$/, '')) ?? [];
  if (path === undefined) return null;
  const segments = path.split('/').slice(0, 8);
  return segments.map((one) => (one === '' || WORD.test(one) ? one : ':id')).join('/');
}

/**
 * Adds an audit entry when somebody signed in was refused with a 403, by a page, a form or a call (ASVS 16.3.2): one a
 * minute for a person, method and address, twenty a minute for a person.
 */
export function auditRefusals(platform: Platform): MiddlewareHandler {
  const { db, pool, now } = platform;
  const alike = makeLimiter(pool, { name: 'refused_alike', points: 1, seconds: 60 });
  const all = makeLimiter(pool, { name: 'refused_all', points: 20, seconds: 60 });
  return async (c, next) => {
    await next();
    const place = c.res.status === 403 ? placeOf(new URL(c.req.url).pathname) : null;
    if (place === null) return;
    const staff = await staffOf(platform, c.req.raw);
    if (!staff) return;
    const { method } = c.req;
    if (!(await alike.consume(`${staff.id} ${method} ${place}`)).allowed) return;
    if (!(await all.consume(staff.id)).allowed) return;
    await audit(db, {
      at: now(),
      staffId: staff.id,
      action: 'access_refused',
      subject: { kind: 'account', id: staff.id },
      detail: { method, place },
    });
  };
}
