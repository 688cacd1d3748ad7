import type { MiddlewareHandler } from 'hono';
import type { Platform } from '../platform.server.ts';
import { problem } from './problem.server.ts';

/**
 * Headers for every answer. Pages bring a policy of their own (`content-policy.ts`); an answer that brings none
 * gets the strictest.
 */
export function securityHeaders(platform: Platform): MiddlewareHandler {
  const secure = platform.config.publicUrl.startsWith('https:');
  return async (c, next) => {
    await next();
    setSecurityHeaders(c.res.headers, secure);
  };
}

/** The same for an answer that is made once and kept. */
export function withSecurityHeaders(platform: Platform): (own: Headers) => Headers {
  const secure = platform.config.publicUrl.startsWith('https:');
  return (own) => {
    setSecurityHeaders(own, secure);
    return own;
  };
}

/** `secure`: the service is reached by https. */
export function setSecurityHeaders(headers: Headers, secure: boolean): void {
  headers.set('X-Content-Type-Options', 'nosniff');
  // React Router names no charset for a page's data, which is UTF-8 as every text of ours.
  if (headers.get('Content-Type') === 'text/x-script') {
    headers.set('Content-Type', 'text/x-script; charset=utf-8');
  }
  if (!isFont(headers)) setDocumentHeaders(headers);
  // Pictures that e-mails show in web mail, and files of the build, set another value; every other answer is for our
  // own pages.
  if (!headers.has('Cross-Origin-Resource-Policy')) {
    headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  }
  if (secure) headers.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains');
  // An answer that may be cached says so itself; any other may hold personal data.
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  if (!headers.has('Content-Security-Policy')) {
    headers.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  }
}

/** A font with its headers comes in the first packets of a connection: see `scripts/subset-fonts.ts`. */
const isFont = (headers: Headers) => headers.get('Content-Type')?.startsWith('font/') ?? false;

/** What browsers obey in documents, and in sheets and scripts that ask for more. */
function setDocumentHeaders(headers: Headers): void {
  // `no-referrer` would make script-free forms send `Origin: null`.
  headers.set('Referrer-Policy', 'same-origin');
  if (!headers.has('Cross-Origin-Opener-Policy')) {
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  }
  // Pages that show the camera set another one.
  if (!headers.has('Permissions-Policy')) headers.set('Permissions-Policy', permissionsPolicy(''));
}

/** `camera`: who may use it, nobody or the page itself. */
export const permissionsPolicy = (camera: '' | 'self'): string =>
  `camera=(${camera}), geolocation=(), microphone=(), payment=()`;

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Addresses to which another site's page or server legitimately posts; they verify a signature instead. */
const SIGNED_POSTS = /^\/(api\/payment\/(return|notification)\/|lab\/gateway\/)/;

/** A change that a browser sends from another site is refused before anything reads it. */
export function requireSameOrigin(platform: Platform): MiddlewareHandler {
  const { publicUrl, mode } = platform.config;
  const ours = new URL(publicUrl).origin;
  return async (c, next) => {
    const { pathname, origin: asked } = new URL(c.req.url);
    if (CHANGES.has(c.req.method) && !SIGNED_POSTS.test(pathname)) {
      const origin = c.req.header('origin');
      const site = c.req.header('sec-fetch-site');
      // A test installation is reached by other names of this machine as well.
      const known =
        origin === undefined || origin === ours || (mode === 'test' && origin === asked);
      const foreign = !known || site === 'cross-site';
      if (foreign) return problem({ code: 'foreign_origin' });
    }
    await next();
  };
}
