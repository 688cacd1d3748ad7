import { Hono } from 'hono';
import {
  allowedCallsOnly,
  openedByStaffOnly,
  type StaffEnv,
} from '~/features/staff/require.server.ts';
import { mailAnswer } from '~/platform/http/mail-answer.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { hasOutbox, readOutbox } from '../outbox/outbox.server.ts';

/** An email of the outbox as HTML. */
export function outboxApi(platform: Platform) {
  const app = new Hono<StaffEnv>();
  app.get(
    '/admin/outbox/:name',
    openedByStaffOnly(platform, '/admin/outbox'),
    allowedCallsOnly('view_outbox'),
    async (c) => {
      const message = hasOutbox(platform) ? await readOutbox(platform, c.req.param('name')) : null;
      return message ? mailAnswer(message.html) : c.notFound();
    },
  );
  return app;
}
