import { Hono } from 'hono';
import { limitCalls } from '~/platform/http/call-limit.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { limitBody } from '~/platform/input/limit-body.server.ts';
import { readFormBody } from '~/platform/input/read-form.server.ts';
import { unreadableProblem } from '~/platform/input/unreadable.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { endByProvider } from './end-by-provider.server.ts';
import { LOGOUT_CALL } from './identity-provider.server.ts';

/** Per address. A provider sends one for each person who signs out there; each may make us read its keys. */
const LOGOUTS = { name: 'staff_logout', points: 300, seconds: 300 };
const LONGEST_BODY = 20_000;

/**
 * The call by which the identity provider says that somebody's session there has ended. It carries no cookie: the signed
 * token in it is all that counts.
 */
export function singleSignOnApi(platform: Platform): Hono {
  const app = new Hono();
  const tooLarge = () => problem({ code: 'too_large' });
  app.post(
    LOGOUT_CALL,
    limitCalls(platform, LOGOUTS),
    limitBody({ maxSize: LONGEST_BODY, onError: tooLarge }),
    async (c) => {
      const settings = platform.config.singleSignOn;
      if (!settings) return problem({ code: 'not_found' });
      const form = await readFormBody(c.req.raw);
      if (!form.ok) return unreadableProblem(form.error);
      const token = form.value.get('logout_token');
      const ended = await endByProvider(platform, settings, typeof token === 'string' ? token : '');
      c.header('Cache-Control', 'no-store');
      if (ended.ok) return c.body(null, 204);
      // The names are those of the standard, section 2.8.
      return ended.error === 'away'
        ? c.json({ error: 'temporarily_unavailable' }, 503)
        : c.json({ error: 'invalid_request', error_description: ended.error }, 400);
    },
  );
  return app;
}
