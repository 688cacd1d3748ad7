import { z } from 'zod';
import { blockedOrigin, directiveOf } from './blocked.ts';

/** What was blocked on a page, without anything of its visitor. */
export type Violation = { directive: string; blocked: string };

/** Reports in one body, at most: browsers send a few at a time. */
const MOST_REPORTS = 20;

/** The older form, one violation: https://www.w3.org/TR/CSP3/#deprecated-serialize-violation */
const single = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().optional(),
  }),
});

/** The newer one, reports of any kind: https://www.w3.org/TR/reporting-1/#serialize-reports */
const several = z.array(z.looseObject({ type: z.string(), body: z.unknown() })).max(MOST_REPORTS);

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
  directive: directiveOf(directive),
  blocked: blockedOrigin(blocked ?? ''),
});

/** Reads bodies of a content type; null where no browser sends reports as such. */
export function reportReader(
  contentType: string | undefined,
): ((body: unknown) => Violation[] | null) | null {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(readers, type) ? (readers[type] ?? null) : null;
}
