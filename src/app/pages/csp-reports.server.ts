import { Hono } from 'hono';
import { limitCalls } from '~/platform/http/rate-limit.server.ts';
import { readJson, unreadableProblem } from '~/platform/input/read-body.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { CSP_REPORT_PATH } from '~/platform/http/report-path.ts';
import { z } from 'zod';

/** In place of any other directive that a report names. */
const OTHER = 'other';

/** https://www.w3.org/TR/CSP3/#csp-directives, and those of Trusted Types. */
const DIRECTIVES = new Set([
  'base-uri',
  'child-src',
  'connect-src',
  'default-src',
  'font-src',
  'form-action',
  'frame-ancestors',
  'frame-src',
  'img-src',
  'manifest-src',
  'media-src',
  'object-src',
  'require-trusted-types-for',
  'sandbox',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'trusted-types',
  'worker-src',
]);

/** The directive that was violated; an older browser names its sources as well. */
export function reportedDirective(named: string): string {
  const [name = ''] = named.trim().split(/\s/);
  return DIRECTIVES.has(name) ? name : OTHER;
}

/** What browsers say instead of an address: https://www.w3.org/TR/CSP3/#violation-resource */
const WORDS = new Set([
  'inline',
  'eval',
  'wasm-eval',
  'self',
  'trusted-types-policy',
  'trusted-types-sink',
]);

/** In characters; a longer origin is reported as `OTHER`. */
const MAX_ORIGIN_LENGTH = 100;

/**
 * The origin of what was blocked, the keyword that browsers say instead, or the scheme of what has no origin. Never a
 * path or a query, which may hold numbers and tokens of travellers.
 */
export function blockedOrigin(named: string): string {
  if (WORDS.has(named)) return named;
  // Browsers shorten a resource without an origin to its scheme.
  const url = URL.parse(/^[a-z][a-z0-9+.-]*$/.test(named) ? `${named}:` : named);
  if (!url) return OTHER;
  const origin = url.origin === 'null' ? url.protocol : url.origin;
  return origin.length > MAX_ORIGIN_LENGTH ? OTHER : origin;
}

/** What was blocked on a page, without anything of its visitor. */
type Violation = { directive: string; blocked: string };

/** Reports in one body, at most: browsers send a few at a time. */
const MAX_REPORTS = 20;

/** The older form, one violation: https://www.w3.org/TR/CSP3/#deprecated-serialize-violation */
const single = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().optional(),
  }),
});

/** The newer one, reports of any kind: https://www.w3.org/TR/reporting-1/#serialize-reports */
const several = z.array(z.looseObject({ type: z.string(), body: z.unknown() })).max(MAX_REPORTS);

const violation = z.object({
  effectiveDirective: z.string(),
  blockedURL: z.string().nullish(),
});

/** By the type of the body. */
const readers: Readonly<Record<string, (body: unknown) => Violation[] | null>> = {
  'application/csp-report': (body) => {
    const read = single.safeParse(body);
    if (!read.success) return null;
    const report = read.data['csp-report'];
    const directive = report['effective-directive'] ?? report['violated-directive'] ?? '';
    return [violationOf(directive, report['blocked-uri'])];
  },
  'application/reports+json': (body) => {
    const read = several.safeParse(body);
    if (!read.success) return null;
    return read.data
      .filter(({ type }) => type === 'csp-violation')
      .flatMap((report) => {
        const { success, data } = violation.safeParse(report.body);
        return success ? [violationOf(data.effectiveDirective, data.blockedURL)] : [];
      });
  },
};

const violationOf = (directive: string, blocked: string | null | undefined): Violation => ({
  directive: reportedDirective(directive),
  blocked: blockedOrigin(blocked ?? ''),
});

/** Reads bodies of a content type; null where no browser sends reports as such. */
function reportReader(
  contentType: string | undefined,
): ((body: unknown) => Violation[] | null) | null {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(readers, type) ? (readers[type] ?? null) : null;
}

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
