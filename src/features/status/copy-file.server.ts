import { isLanguage } from '~/base/languages.ts';
import { applicationOfCopyToken } from './copy-path.server.ts';
import { operatorNow } from '~/features/settings/operator.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { oncePerPool } from '~/platform/postgres/once-per-pool.server.ts';
import { copyGroups } from './copy-groups.server.ts';

/** Copies drawn of one application: each takes a tenth of a second, and a link can be opened repeatedly. */
const drawLimit = oncePerPool((pool) =>
  makeLimiter(pool, { name: 'copy_drawing', points: 20, seconds: 60 }),
);

/** The PDF behind a short-lived link, drawn each time; null for an expired or unknown link, and without answers. */
export async function readCopyLink(platform: Platform, token: string): Promise<Response | null> {
  const application = await applicationOfCopyToken(platform, token);
  if (!application) return null;
  const { allowed, retryAfterSeconds } = await drawLimit(platform).consume(application.id);
  if (!allowed) {
    const headers = { 'Retry-After': String(retryAfterSeconds), 'Cache-Control': 'no-store' };
    return new Response(null, { status: 429, headers });
  }
  const language = isLanguage(application.language) ? application.language : 'en';
  const groups = await copyGroups(platform, application, language);
  if (!groups) return null;
  const { legalName } = await operatorNow(platform);
  // The drawing library is large: a process loads it with the first document.
  const { drawCopy } = await import('./copy-document.server.tsx');
  const { kind, number, firstName, lastName, createdAt } = application;
  const bytes = await drawCopy({
    language,
    kind,
    number,
    firstName,
    lastName,
    appliedAt: createdAt,
    copiedAt: platform.now(),
    operatorName: legalName,
    groups,
  });
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': 'application/pdf',
      'Content-Disposition': `attachment; filename="application-${number}.pdf"`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
  });
}
