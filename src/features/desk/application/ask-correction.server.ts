import { markAnswersChecked } from '~/features/application/corrected-mark.server.ts';
import { randomUUID } from 'node:crypto';
import type { Outcome } from '~/base/outcome.ts';
import {
  pauseClock,
  resumeClock,
  closeCorrection,
  insertCorrection,
} from '~/features/application/correction/correction-store.server.ts';
import {
  lockApplication,
  addEvent,
  type Application,
} from '~/features/application/store.server.ts';
import { audit } from '~/features/staff/audit.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import {
  correctionDeadline,
  MAX_CORRECTION_NOTE_LENGTH,
} from '~/features/application/correction/correction.ts';
import { readOffice } from '~/features/settings/office.server.ts';
import { correctableByKind } from './case-actions.ts';
import { queueEmail } from '~/features/email/ledger/store.server.ts';
import { emailRecipient } from '~/features/application/recipient.ts';
import { orderByNumber } from '~/features/order/store.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { DecisionRefused, refusable, refuseByTable, refuseClaimed } from './decide.server.ts';
import type { DecisionError } from './decision-types.ts';
import { templateTexts } from '../settings/offered-templates.server.ts';
import { visaRows, type VisaRow } from './store.server.ts';

type Asking = Pick<Platform, 'db' | 'now'>;
type Answer = Promise<Outcome<Application, DecisionError>>;

/**
 * Reopens fields of a paid, undecided application to its traveller: its promised moment is paused, and an email says
 * what to do. Without a `note` it says what the templates of the fields say, in its recipient's language.
 */
export async function askCorrection(
  { db, now }: Asking,
  staff: Staff,
  asked: { applicationId: string; fields: readonly string[]; note: string },
): Answer {
  const written = asked.note.trim();
  return refusable(db, async (tx) => {
    const at = now();
    const found = await lockUnclaimed(tx, staff, asked.applicationId, at);
    await refuseByTable(tx, staff, found, 'correction');
    const visa = (await visaRows(tx, [found.id])).get(found.id) ?? null;
    const fields = correctableByKind(found.kind, visa && documentOf(visa)).filter((field) =>
      asked.fields.includes(field),
    );
    if (fields.length === 0) throw new DecisionRefused({ code: 'fields_required' });
    const note = written || (await noteOfTemplates(tx, found, { fields, at }));
    if (note.length > MAX_CORRECTION_NOTE_LENGTH)
      throw new DecisionRefused({ code: 'note_too_long' });
    if (!(await pauseClock(tx, found.id, at)))
      throw new DecisionRefused({ code: 'already_waiting' });
    const id = randomUUID();
    const applicationId = found.id;
    await markAnswersChecked(tx, found.id, at);
    const deadline = correctionDeadline({ ...found, askedAt: at }, await readOffice(tx, at));
    const asking = { id, applicationId, fields, note, staffId: staff.id, askedAt: at };
    await insertCorrection(tx, { ...asking, ...deadline });
    await addEvent(tx, { applicationId, kind: 'correction_asked', at, staffId: staff.id });
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'correction_asked',
      subject: { kind: 'application', id: applicationId },
      detail: { correctionId: id, fields: fields.join(' ') },
    });
    await queueEmail(tx, { kind: 'correction', about: id, createdAt: at });
    return found;
  });
}

async function noteOfTemplates(
  tx: Transaction,
  application: Application,
  { fields, at }: { fields: readonly string[]; at: Date },
): Promise<string> {
  const settings = await readSettings(tx, ['templates']);
  const order = await orderByNumber(tx, application.orderNumber);
  const { language } = order ? emailRecipient(application, order) : application;
  const templates = fields.map((name) => ({ kind: 'correction', name }) as const);
  return templateTexts(settings, templates, { about: application, emailLanguage: language, at });
}

const documentOf = ({ supportingDocumentType, supportingDocumentCountry }: VisaRow) =>
  supportingDocumentType && { issuer: supportingDocumentCountry };

/**
 * Locks an application that nobody else works on.
 * @throws Refusal where it is not there, or somebody else works on it.
 */
async function lockUnclaimed(
  tx: Transaction,
  staff: Staff,
  applicationId: string,
  at: Date,
): Promise<Application> {
  const found = await lockApplication(tx, applicationId);
  if (!found) throw new DecisionRefused({ code: 'not_found' });
  await refuseClaimed(tx, staff, found.id, at);
  return found;
}

/** Withdraws the request: the link stops working, the promised moment counts on, and the traveller is told. */
export async function withdrawCorrection(
  { db, now }: Asking,
  staff: Staff,
  applicationId: string,
): Answer {
  return refusable(db, async (tx) => {
    const at = now();
    const found = await lockUnclaimed(tx, staff, applicationId, at);
    const closed = await closeCorrection(tx, found.id, at);
    if (closed === null) throw new DecisionRefused({ code: 'not_waiting' });
    await resumeClock(tx, found, at);
    await addEvent(tx, { applicationId, kind: 'correction_withdrawn', at, staffId: staff.id });
    await audit(tx, {
      at,
      staffId: staff.id,
      action: 'correction_withdrawn',
      subject: { kind: 'application', id: applicationId },
    });
    await queueEmail(tx, { kind: 'correction_ended', about: closed, createdAt: at });
    return found;
  });
}

/** Says that the traveller's corrected answers were checked: the application is no longer listed as corrected. */
export async function checkAnswers(
  { db, now }: Asking,
  staff: Staff,
  applicationId: string,
): Answer {
  return refusable(db, async (tx) => {
    const at = now();
    const found = await lockUnclaimed(tx, staff, applicationId, at);
    if (await markAnswersChecked(tx, found.id, at)) {
      await audit(tx, {
        at,
        staffId: staff.id,
        action: 'correction_checked',
        subject: { kind: 'application', id: applicationId },
      });
    }
    return found;
  });
}
