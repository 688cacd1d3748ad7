import { z } from 'zod';
import { DAY_MS, dateFromParts } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { MAIL_LINK_DAYS, receiptPath } from '~/features/order/receipt/issue-receipt.server.ts';
import { hashToken, randomToken } from '~/platform/crypto/crypto.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { lookupLimits, type FoundStatus } from './lookup.server.ts';
import type { AskedEmail } from './status-view.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { isPayer } from '~/features/order/payer/payer.server.ts';
import { orderByApplication } from '~/features/order/store.server.ts';
import {
  applicationById,
  currentDocument,
  documentByLink,
  insertDownloadLink,
  type Application,
  type ApplicationDocument,
} from '~/features/application/store.server.ts';

/** Long enough for a slow connection, too short to be passed on. */
const LINK_MS = 10 * 60_000;
const LINK_BITS = 128;
/** The link in an e-mail is signed, not stored. */
const MAIL_LINK_MS = MAIL_LINK_DAYS * DAY_MS;
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

type MailLinkError = 'malformed' | 'expired' | 'no_document';

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

/** A date of birth as typed, and what it opens: the id of a receipt; null for the document. */
export type Download = { day: string; month: string; year: string; receiptId: string | null };

/** `locked`: too many wrong dates; a right one opens nothing either for so many seconds. */
type DateRefusal = { code: 'wrong' } | { code: 'locked'; retryAfterSeconds: number };

/**
 * Checks the applicant's date of birth; returns the path of a short-lived link. Five wrong dates within an hour lock an
 * application, and twenty within a month, of which the applicant is told by email. The payer's own browsers
 * (`sessionHash`) are neither counted nor locked, and neither are the links in our emails.
 */
export async function openByBirthDate(
  platform: Platform,
  { view, application, document }: FoundStatus,
  { receiptId, ...typed }: Download,
  sessionHash: Buffer | null,
): Promise<Outcome<string, DateRefusal>> {
  const { birthDate, birthDateMonth } = lookupLimits(platform);
  const order = await orderByApplication(platform.db, application.number);
  const isCounted = !order || !(await isPayer(platform.db, sessionHash, order));
  const matches = dateFromParts(typed) === application.dateOfBirth;
  if (isCounted) {
    const hour = await birthDate.consume(application.id);
    // What the hour refuses does not use up the month.
    const month = hour.allowed ? await birthDateMonth.consume(application.id) : hour;
    if (!month.allowed) {
      return refused({ code: 'locked', retryAfterSeconds: month.retryAfterSeconds });
    }
    if (matches) {
      await birthDateMonth.giveBack(application.id);
      await birthDate.reset(application.id);
    } else if (month.remaining === 0) {
      const createdAt = platform.now();
      await platform.db.transaction((tx) =>
        queueEmail(tx, { kind: 'date_locked', about: application.id, createdAt, isRepeat: true }),
      );
    }
  }
  if (!matches) return refused({ code: 'wrong' });
  if (receiptId !== null) {
    const receipt = view.receipts.find(({ id }) => id === receiptId);
    return receipt ? ok(receiptPath(platform, receipt.id)) : refused({ code: 'wrong' });
  }
  if (!view.document || !document) return refused({ code: 'wrong' });
  return ok(`/documents/${await open(platform, document)}`);
}

/**
 * Has a link to the document, or to a copy of all answers, sent to the application's own address, whoever asks: three
 * an hour for one application. The caller says the same in every case.
 */
export async function sendAskedEmail(
  platform: Platform,
  { application, document }: FoundStatus,
  asked: AskedEmail,
): Promise<void> {
  const about = asked === 'copy' ? application.id : document?.id;
  if (about === undefined) return;
  if (!(await lookupLimits(platform).asked.consume(application.id)).allowed) return;
  const createdAt = platform.now();
  await platform.db.transaction((tx) =>
    queueEmail(tx, { kind: asked, about, createdAt, isRepeat: true }),
  );
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
  const found = await documentByLink(platform.db, hashToken(token));
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
