import type { MiddlewareHandler } from 'hono';
import type { Platform } from '~/platform/platform.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { auditAccount, type AuditAction } from './audit.server.ts';
import { requestStaff } from './session.server.ts';

const DESK = /^(?:\/[a-z]{2})?((?:\/api)?\/admin(?:\/.*)?)$/;
const WORD = /^[a-z-]{1,30}$/;

/** A desk address without language, ids and the suffix of data requests; null for other addresses. */
export function deskPlaceByPath(pathname: string): string | null {
  const [, path] = DESK.exec(pathname.replace(/\.data$/, '')) ?? [];
  if (path === undefined) return null;
  const segments = path.split('/').slice(0, 8);
  return segments.map((one) => (one === '' || WORD.test(one) ? one : ':id')).join('/');
}

/** Audit entries of one kind about one account, real or unknown, in an hour. */
export const REFUSALS_AUDITED = 5;

const limitsOf = oncePerPool((pool) => ({
  alike: makeLimiter(pool, { name: 'refused_alike', points: 1, seconds: 60 }),
  all: makeLimiter(pool, { name: 'refused_all', points: 20, seconds: 60 }),
  signIn: makeLimiter(pool, { name: 'refused_sign_in', points: REFUSALS_AUDITED, seconds: 3600 }),
}));

/**
 * Adds an audit entry when somebody who is not signed in was refused: five of one kind an hour for an account, and as
 * many for all unknown ones together. A stranger neither fills the trail, which is kept for a year, nor keeps what
 * happens at another account out of it.
 */
export async function auditRefusedSignIn(
  platform: Pick<Platform, 'db' | 'pool' | 'now'>,
  action: AuditAction,
  accountId: string | null,
  detail?: Record<string, string>,
): Promise<void> {
  const id = accountId ?? 'unknown';
  if (!(await limitsOf(platform).signIn.consume(`${action} ${id}`)).allowed) return;
  await auditAccount(platform.db, id, { at: platform.now(), by: null, action, detail });
}

/**
 * Adds an audit entry when somebody signed in was refused with a 403, by a page, a form or a call (ASVS 16.3.2): one a
 * minute for a person, method and address, twenty a minute for a person.
 */
export function auditRefusals(platform: Platform): MiddlewareHandler {
  const { db, now } = platform;
  const { alike, all } = limitsOf(platform);
  return async (c, next) => {
    await next();
    const place = c.res.status === 403 ? deskPlaceByPath(new URL(c.req.url).pathname) : null;
    if (place === null) return;
    const staff = await requestStaff(platform, c.req.raw);
    if (!staff) return;
    const { method } = c.req;
    if (!(await alike.consume(`${staff.id} ${method} ${place}`)).allowed) return;
    if (!(await all.consume(staff.id)).allowed) return;
    await auditAccount(db, staff.id, {
      at: now(),
      action: 'access_refused',
      detail: { method, place },
    });
  };
}
