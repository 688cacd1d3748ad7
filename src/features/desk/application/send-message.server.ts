import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { applicationEmails } from '~/features/application/change-email.server.ts';
import {
  applicationById,
  lockApplication,
  type Application,
} from '~/features/application/store.server.ts';
import { readRecipient } from '~/features/email/kinds/kind.server.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { previewDecision } from '~/features/email/preview.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import {
  insertMessage,
  markMessagesRead,
  newestOfOthers,
} from '~/features/application/messages/messages.server.ts';
import { templateTexts } from '../settings/offered-templates.server.ts';
import { caseActions } from './case-actions.ts';
import { MAX_MESSAGE_LENGTH, type MessageError } from './decision-types.ts';
import { beginUndoable, insertUndoable } from './undo-record.server.ts';

/**
 * The text of a message as typed; where nothing was, that of a template of `messageTemplates` in the language of the
 * email, as without scripts nobody puts it into the field.
 */
export async function readMessage(
  platform: Platform,
  application: Application,
  { typed, template: name }: { typed: string; template: string },
): Promise<string> {
  const text = typed.replaceAll('\r\n', '\n').trim();
  if (text !== '' || name === '') return text;
  const { language: emailLanguage } = await readRecipient(platform, application);
  const about = { about: application, emailLanguage, at: platform.now() };
  return templateTexts(await currentSettings(platform.db), [{ kind: 'message', name }], about);
}

/**
 * Why a message must not go to the traveller; null where it may. `seenUntil`: when its author last saw what was written.
 */
export async function messageRefusal(
  db: Queryable,
  platform: Pick<Platform, 'sealer'>,
  staff: Staff,
  found: Application,
  { text, seenUntil }: { text: string; seenUntil: Date },
): Promise<MessageError | null> {
  if (text === '') return { code: 'message_required' };
  if (text.length > MAX_MESSAGE_LENGTH) return { code: 'message_too_long' };
  const newest = await newestOfOthers(db, { applicationId: found.id, staffId: staff.id });
  if (newest && newest.at > seenUntil) {
    const names = await staffNames(db, newest.staffId === null ? [] : [newest.staffId]);
    return {
      code: 'answered',
      name: newest.staffId && (names.get(newest.staffId) ?? '?'),
      at: newest.at,
    };
  }
  const { to } = await readRecipient({ db }, found);
  const emails = await applicationEmails(db, platform.sealer, found.id);
  const last = emails.findLast(({ content }) => content?.to === to);
  return last?.failure === 'address' ? { code: 'address_refused' } : null;
}

/**
 * Sends a message to the traveller of an application, or whoever gets the emails about it, once its author's
 * `undoSeconds` are over; until then `undoDecision` takes it back. What travellers wrote before counts as read. `id`: of
 * the draft, and of the message from then on, so that sending it twice sends it once.
 */
export async function sendMessage(
  platform: Platform,
  staff: Staff,
  message: { id: string; applicationId: string; text: string; seenUntil: Date },
): Promise<Outcome<Application, MessageError>> {
  const { db, sealer, now } = platform;
  const { id, applicationId, text } = message;
  const application = await applicationById(db, applicationId);
  if (!application) return refused({ code: 'not_found' });
  const planned = { kind: 'message', fileId: null, rejectionCode: null, words: text } as const;
  const { subject } = await previewDecision(platform, application, planned);
  return db.transaction(async (tx) => {
    const found = await lockApplication(tx, applicationId);
    if (!found) return refused({ code: 'not_found' });
    const refusal = await messageRefusal(tx, platform, staff, found, message);
    if (refusal) return refused(refusal);
    const at = now();
    const undo = { ...beginUndoable(at, staff), id };
    const written = { id, applicationId, staffId: staff.id, subject, text, at };
    if (!(await insertMessage(tx, sealer, written))) return ok(found);
    await markMessagesRead(tx, { applicationId, at });
    const email = { kind: 'message', about: id, createdAt: at, dueAt: undo.until } as const;
    undo.emails.push(await queueEmail(tx, email));
    await audit(tx, {
      at,
      staffId: staff.id,
      action: caseActions.message.audit,
      subject: { kind: 'application', id: applicationId },
      detail: { messageId: id },
    });
    const changeable = { applications: [], documentId: null, order: null };
    await insertUndoable(tx, undo, { found, staff, kind: 'message', at, changeable });
    return ok(found);
  });
}
