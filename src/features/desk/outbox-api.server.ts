import { Hono } from 'hono';
import {
  allowedCallsOnly,
  mustSetUpSecondFactor,
  SECOND_FACTOR_PAGE,
  type StaffEnv,
} from '~/features/staff/require.server.ts';
import { staffOf } from '~/features/staff/session.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { hasOutbox, readOutbox } from './outbox.server.ts';

/** Only our own pictures, inline styles as e-mails need them; nothing runs, nothing is sent, no origin of its own. */
const POLICY = [
  'sandbox allow-popups allow-popups-to-escape-sandbox',
  "default-src 'none'",
  "img-src 'self'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** An e-mail of the outbox as it looks. Not a page: those have a policy under which e-mails have no styles. */
export function outboxApi(platform: Platform) {
  const app = new Hono<StaffEnv>();
  app.get(
    '/admin/outbox/:name',
    async (c, next) => {
      const staff = await staffOf(platform, c.req.raw);
      if (!staff) return c.redirect('/admin?next=%2Fadmin%2Foutbox');
      if (mustSetUpSecondFactor(platform, staff)) return c.redirect(SECOND_FACTOR_PAGE);
      c.set('staff', staff);
      await next();
      return undefined;
    },
    allowedCallsOnly('view_outbox'),
    async (c) => {
      const message = hasOutbox(platform) ? await readOutbox(platform, c.req.param('name')) : null;
      if (!message) return c.notFound();
      c.header('Content-Security-Policy', POLICY);
      c.header('Cache-Control', 'no-store');
      c.header('X-Robots-Tag', 'noindex');
      return c.html(message.html);
    },
  );
  return app;
}
