import { randomUUID } from 'node:crypto';
import { and, eq, gt, inArray } from 'drizzle-orm';
import { fileTypeFromBuffer } from 'file-type';
import { readReplyAddress } from '~/features/application/reply-address.server.ts';
import { applicationById } from '~/features/application/store.server.ts';
import { deskClaim } from '~/features/application/tables.server.ts';
import { removeFiles } from '~/platform/files/files.server.ts';
import { readInbox } from '~/platform/mail/mailbox.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { MAX_MESSAGE_FILES, MAX_PDF_BYTES } from '../application/pdf-rules.ts';
import { insertForYou } from '../queue/for-you.server.ts';
import {
  fileNameContext,
  messageContext,
} from '~/features/application/messages/messages.server.ts';
import { MAX_EMAIL_BYTES, readEmail, type IncomingEmail } from './read-email.server.ts';
import { caseMessage, caseMessageFile } from '~/features/application/messages/tables.server.ts';

/** Messages of one application; who sends more fills the mailbox, not the case. */
const MAX_MESSAGES = 200;
/** Characters of a file's name. */
const MAX_NAME_LENGTH = 120;
/** What staff can be handed without anything in it running: documents and pictures, by their content. */
const TYPES = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp', 'image/heic'];

export const READ_MAILBOX_JOB = 'desk.read_mailbox';

/** Any number that no other advisory lock uses. */
const LOCK = 7_246_530_118;

/**
 * Reads the unseen emails of the operator's mailbox into the applications that they are about, one process at a time.
 * Nothing is ever sent because of one.
 * @throws The first error of an email that could not be stored, once all others were read: it comes again.
 */
export async function readMailbox(platform: Platform): Promise<void> {
  const { config, pool, log } = platform;
  const { mailbox } = config;
  if (!mailbox) return;
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ isOurs: boolean }>(
      'select pg_try_advisory_lock($1) as "isOurs"',
      [LOCK],
    );
    if (!rows[0]?.isOurs) return;
    try {
      const { taken, left, failed } = await readInbox(mailbox, {
        mode: config.mode,
        maxBytes: MAX_EMAIL_BYTES,
        now: platform.now(),
        take: (source) => receiveEmail(platform, mailbox.address, source),
      });
      if (taken > 0 || left > 0) log.info({ taken, left }, 'mailbox read');
      if (failed.length > 0) throw failed[0];
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK]);
    }
  } finally {
    client.release();
  }
}

/**
 * Stores an email with the application whose reply address it went to, once. `left`: it belongs to none, it cannot be
 * read, or its application has too many.
 * @throws FilesUnavailable
 */
export async function receiveEmail(
  platform: Pick<Platform, 'db' | 'files' | 'sealer' | 'now'>,
  mailboxAddress: string,
  source: Uint8Array,
): Promise<'taken' | 'left'> {
  const { db, sealer } = platform;
  const incoming = await readEmail(source);
  const applicationId = incoming && readReplyAddress(sealer, mailboxAddress, incoming.recipients);
  if (!incoming || !applicationId || !(await applicationById(db, applicationId))) return 'left';
  // With its text, so that who knows the Message-ID of an email cannot have it dropped.
  const named = JSON.stringify([
    applicationId,
    incoming.messageId,
    incoming.subject,
    incoming.text,
  ]);
  const [hash, ...earlier] = sealer.keyedHashes(named, 'case_message.message_id');
  const known = inArray(caseMessage.messageIdHash, [hash, ...earlier]);
  if ((await db.$count(caseMessage, known)) > 0) return 'taken';
  const mine = eq(caseMessage.applicationId, applicationId);
  if ((await db.$count(caseMessage, mine)) >= MAX_MESSAGES) return 'left';
  const files: KeptFile[] = [];
  let isStored = false;
  try {
    await putFiles(platform, incoming, files);
    isStored = await storeMessage(platform, incoming, { applicationId, hash, files });
  } finally {
    const ids = files.map(({ fileId }) => fileId);
    if (!isStored) await removeFiles(platform, ids);
  }
  return 'taken';
}

type KeptFile = { fileId: string; name: string; size: number };

/** Seals and stores the attachments that may be handed to staff, and notes each in `kept`; none of them is opened. */
async function putFiles(
  { files }: Pick<Platform, 'files'>,
  { attachments }: IncomingEmail,
  kept: KeptFile[],
): Promise<void> {
  for (const { name, bytes } of attachments) {
    if (kept.length === MAX_MESSAGE_FILES) break;
    if (bytes.byteLength === 0 || bytes.byteLength > MAX_PDF_BYTES) continue;
    const type = await fileTypeFromBuffer(bytes);
    if (!type || !TYPES.includes(type.mime)) continue;
    const { id, size } = await files.put(bytes, { mediaType: type.mime });
    kept.push({
      fileId: id,
      size,
      name: (name || type.ext).slice(-MAX_NAME_LENGTH).toWellFormed(),
    });
  }
}

/** Returns false where it was stored meanwhile. */
async function storeMessage(
  { db, sealer, now }: Pick<Platform, 'db' | 'sealer' | 'now'>,
  incoming: IncomingEmail,
  { applicationId, hash, files }: { applicationId: string; hash: Buffer; files: KeptFile[] },
): Promise<boolean> {
  const id = randomUUID();
  const at = now();
  const sealed = (column: 'subject' | 'text' | 'sender', text: string) =>
    sealer.seal(text, messageContext(column, id));
  return db.transaction(async (tx) => {
    const { rowCount } = await tx
      .insert(caseMessage)
      .values({
        id,
        applicationId,
        direction: 'in',
        subject: sealed('subject', incoming.subject),
        text: sealed('text', incoming.text),
        sender: sealed('sender', incoming.from),
        at,
        messageIdHash: hash,
        isAutomatic: incoming.isAutomatic,
        leftOut: incoming.attachments.length - files.length,
        readAt: incoming.isAutomatic ? at : null,
      })
      .onConflictDoNothing();
    if (rowCount === 0) return false;
    for (const { name, ...file } of files) {
      const fileRow = randomUUID();
      const nameSealed = sealer.seal(name, fileNameContext(fileRow));
      await tx
        .insert(caseMessageFile)
        .values({ ...file, id: fileRow, messageId: id, applicationId, name: nameSealed });
    }
    if (incoming.isAutomatic) return true;
    const holders = await tx
      .select({ staffId: deskClaim.staffId })
      .from(deskClaim)
      .where(and(eq(deskClaim.applicationId, applicationId), gt(deskClaim.expiresAt, at)));
    await insertForYou(
      tx,
      holders.map(({ staffId }) => ({
        kind: 'message' as const,
        staffId,
        applicationId,
        noteId: null,
        byStaffId: null,
        at,
      })),
    );
    return true;
  });
}
