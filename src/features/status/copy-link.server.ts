import { DAY_MS } from '~/base/dates/dates.ts';
import { z } from 'zod';
import { MAIL_LINK_DAYS } from '~/features/order/receipt/issue-receipt.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { applicationById, type Application } from '~/features/application/store.server.ts';
import { isLanguage } from '~/base/languages.ts';
import { currentOperator } from '~/features/settings/operator.server.ts';
import { makeLimiter } from '~/platform/http/rate-limit.server.ts';
import { oncePerPool } from '~/platform/postgres/prepare-once.server.ts';
import { copyGroups } from './copy-groups.server.ts';

const LINK_MS = MAIL_LINK_DAYS * DAY_MS;
const PURPOSE = 'application-copy';
const named = z.object({ applicationId: z.uuid(), emailVersion: z.number() });

/** The address of an application's copy, for an email to it alone; it works for seven days. */
export function copyAddress(
  { config, signer, now }: Pick<Platform, 'config' | 'signer' | 'now'>,
  {
    id: applicationId,
    emailVersion,
    language,
  }: Pick<Application, 'id' | 'emailVersion' | 'language'>,
): string {
  const expires = new Date(now().getTime() + LINK_MS);
  const token = signer.sign({ applicationId, emailVersion }, PURPOSE, expires);
  return `${config.publicUrl}/${language}/copies/${token}`;
}

/** The application whose copy an address opens; null for an expired or forged one, or one sent to an earlier address. */
async function applicationOfCopyToken(
  { db, signer, now }: Pick<Platform, 'db' | 'signer' | 'now'>,
  token: string,
): Promise<Application | null> {
  const verified = signer.verify(token, PURPOSE, now());
  const parsed = named.safeParse(verified.ok ? verified.payload : null);
  if (!parsed.success) return null;
  const application = await applicationById(db, parsed.data.applicationId);
  return application?.emailVersion === parsed.data.emailVersion ? application : null;
}

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
  const { legalName } = await currentOperator(platform);
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
