import { z } from 'zod';
import { dateFromParts } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { MAIL_LINK_DAYS, receiptPath } from '~/features/order/receipt/receipt-link.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { limitsOf } from './limits.server.ts';
import { copyPath } from '../self-service/copy-path.server.ts';
import type { Found } from './lookup.server.ts';
import { COPY, EMAILS } from './status-view.ts';
import { emailUpdatesPath } from '../self-service/email-updates.server.ts';
import {
  applicationById,
  currentDocument,
  documentOfLink,
  insertDownloadLink,
  type Application,
  type ApplicationDocument,
} from '../store.server.ts';

/** Long enough for a slow connection, too short to be passed on. */
const LINK_MS = 10 * 60_000;
const LINK_BITS = 128;
/** The link in an e-mail is signed, not stored. */
const MAIL_LINK_MS = MAIL_LINK_DAYS * 24 * 3600_000;
const PURPOSE = 'download';

const mailLink = z.object({ applicationId: z.uuid(), emailVersion: z.number() });

/** The address for an e-mail that opens the download for seven days, in the applicant's language. */
export function downloadAddress(
  platform: Pick<Platform, 'config' | 'now' | 'signer'>,
  application: Pick<Application, 'id' | 'language' | 'emailVersion'>,
): string {
  const expires = new Date(platform.now().getTime() + MAIL_LINK_MS);
  const { id: applicationId, emailVersion } = application;
  const token = platform.signer.sign({ applicationId, emailVersion }, PURPOSE, expires);
  return `${platform.config.publicUrl}/${application.language}/download?token=${token}`;
}

export type MailLinkError = 'malformed' | 'expired' | 'no_document';

/** Checks the link of an email; returns the token of a short-lived link. */
export async function openByMail(
  platform: Platform,
  token: string,
): Promise<Outcome<string, MailLinkError>> {
  const verified = platform.signer.verify(token, PURPOSE, platform.now());
  if (!verified.ok) return refused(verified.reason);
  const { success, data } = mailLink.safeParse(verified.payload);
  if (!success) return refused('malformed');
  const application = await applicationById(platform.db, data.applicationId);
  if (application && application.emailVersion !== data.emailVersion) return refused('expired');
  const document = application ? await currentDocument(platform.db, application.id) : null;
  if (application?.status !== 'approved' || !document) return refused('no_document');
  return ok(await open(platform, document));
}

/** A date of birth as typed, and what it opens: the id of a receipt, `COPY` or `EMAILS`; null for the document. */
export type Download = { day: string; month: string; year: string; receiptId: string | null };

/**
 * Checks the applicant's date of birth; returns the path of a short-lived link, or null. After five wrong dates within
 * an hour a right one is refused in the same words.
 */
export async function openByBirthDate(
  platform: Platform,
  { view, application, document }: Found,
  { receiptId, ...typed }: Download,
): Promise<string | null> {
  const { birthDate } = limitsOf(platform);
  const { allowed } = await birthDate.consume(application.id);
  const matches = dateFromParts(typed) === application.dateOfBirth;
  if (!allowed || !matches) return null;
  if (receiptId === COPY || receiptId === EMAILS) {
    await birthDate.reset(application.id);
    return receiptId === COPY
      ? copyPath(platform, application.id)
      : emailUpdatesPath(platform, application);
  }
  const receipt = view.receipts.find(({ id }) => id === receiptId);
  if (receiptId === null ? !view.document || !document : !receipt) return null;
  await birthDate.reset(application.id);
  if (receipt) return receiptPath(platform, receipt.id);
  return document ? `/documents/${await open(platform, document)}` : null;
}

async function open(platform: Platform, document: ApplicationDocument): Promise<string> {
  const token = randomToken(LINK_BITS);
  const expiresAt = new Date(platform.now().getTime() + LINK_MS);
  await insertDownloadLink(platform.db, {
    tokenHash: hashToken(token),
    documentId: document.id,
    expiresAt,
  });
  return token;
}

/** The file behind a short-lived link, as an attachment; null for an expired or unknown link. */
export async function readLink(platform: Platform, token: string): Promise<Response | null> {
  const found = await documentOfLink(platform.db, hashToken(token));
  if (!found || found.link.expiresAt <= platform.now()) return null;
  const [application, file] = await Promise.all([
    applicationById(platform.db, found.document.applicationId),
    platform.files.read(found.document.fileId),
  ]);
  if (application?.status !== 'approved' || !file) return null;
  const name = `${application.kind === 'visa' ? 'evisa' : 'insurance'}-${application.number}.pdf`;
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      'Content-Type': file.mediaType,
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Length': String(file.bytes.length),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
  });
}
