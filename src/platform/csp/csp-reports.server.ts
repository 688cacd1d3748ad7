import { Hono } from 'hono';
import { limitCalls } from '../http/call-limit.server.ts';
import { readJson } from '../input/read-json.server.ts';
import { unreadableProblem } from '../input/unreadable.server.ts';
import { oncePerPool } from '../postgres/once-per-pool.server.ts';
import type { Platform } from '../platform.server.ts';
import { problem } from '../http/problem.server.ts';
import { CSP_REPORT_PATH } from '../http/report-path.ts';
import { reportReader } from './reports.ts';

/** A page on which everything is blocked sends a few dozen; a sender of more is a browser in a loop, or no browser. */
const REPORTS = { name: 'csp_reports', points: 30, seconds: 60 };

/** Directive → violations since the process began. */
const countsOf = oncePerPool(() => new Map<string, number>());

/** Violations that browsers reported to this process, by directive. */
export const countViolations = (platform: Pick<Platform, 'pool'>): Record<string, number> =>
  Object.fromEntries(countsOf(platform));

/**
 * Takes what browsers report of the content security policy: counted by directive, and logged with the origin of what was
 * blocked. Which page it was, and what stood in addresses, is neither logged nor kept.
 */
export function cspReports(platform: Platform): Hono {
  const app = new Hono();
  const counts = countsOf(platform);
  app.post(CSP_REPORT_PATH, limitCalls(platform, REPORTS), async (c) => {
    const read = reportReader(c.req.header('content-type'));
    if (!read) return problem({ code: 'wrong_type' });
    const body = await readJson(c.req.raw);
    if (!body.ok) return unreadableProblem(body.error);
    const violations = read(body.value);
    if (!violations) return problem({ code: 'invalid' });
    for (const { directive, blocked } of violations) {
      counts.set(directive, (counts.get(directive) ?? 0) + 1);
      platform.log.warn({ directive, blocked }, 'a page’s security policy blocked something');
    }
    return c.body(null, 204);
  });
  return app;
}
