import { Form, useLocation } from 'react-router';
import { formatDateShort, formatMoment, parseDate, UTC } from '~/base/dates/dates.ts';
import { may } from '~/features/staff/roles.ts';
import { Button } from '~/ui/button.tsx';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { TextArea, TextField } from '~/ui/fields/text-field.tsx';
import { Notice } from '~/ui/notice.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useClock } from '~/ui/use-now.tsx';
import { MessagesSection } from './messages-section.tsx';
import { listQuery } from '../queue/list-filter.ts';
import { ApplicationStatusTag } from '../frame/queue-row-state.tsx';
import { keyOf, fieldName, RESENT, WHY } from './case-actions.ts';
import type { DuplicateView, NoteView, EmailView } from './open-case.server.ts';
import { CaseFileForm, DoneNotice, useCase, useIsSending, useNextId, useProblem } from './case.tsx';
import { MAX_STAFF_NOTE_LENGTH, MAX_WHY_LENGTH, mayCorrect } from './note.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { hasRejectionReason } from '~/features/application/rejection.ts';
import type { RefundProgress } from '~/features/payment/refund-machine.ts';
import { RejectionText } from '~/features/status/rejection-text.tsx';
import type { ApplicationDetail } from './detail.server.ts';

type Event =
  | CodeIn<'case-file', 'timeline.event'>
  | CodeIn<'desk', 'detail.event'>
  | CodeIn<'desk', 'audit'>;

/** One entry. `event` has its text in `case-file:timeline.event`, `desk:detail.event` or `desk:audit`. */
type Happening = {
  /** Unique among entries of one moment. */
  key: string;
  event: Event;
  at: Date;
  /** Name of the staff member; null for the traveller and the service. */
  by: string | null;
  /** A parameter of the text. */
  amount?: Money;
};

type Parts = {
  events: readonly { kind: CodeIn<'desk', 'detail.event'>; at: Date; by: string | null }[];
  refunds: readonly {
    id: string;
    amount: Money;
    state: RefundProgress;
    requestedAt: Date;
    requestedBy: string | null;
    releasedAt: Date | null;
    releasedBy: string | null;
    decidedAt: Date | null;
  }[];
  /** Staff actions that only the audit trail records. */
  auditEntries: readonly { id: number; action: Event; at: Date; by: string | null }[];
  claim: { at: Date; by: string } | null;
};

/** The history of an application, oldest first; notes, emails and payment attempts have lists of their own. */
export function buildTimeline(parts: Parts): Happening[] {
  const all: Happening[] = [
    ...parts.events.map(({ kind, at, by }, index) => ({
      key: `event-${index}`,
      event: kind,
      at,
      by,
    })),
    ...parts.refunds.flatMap(fromRefund),
    ...parts.auditEntries.map(({ id, action, at, by }) => ({
      key: `audit-${id}`,
      event: action,
      at,
      by,
    })),
    ...(parts.claim ? [{ key: 'claim', event: 'claimed' as const, ...parts.claim }] : []),
  ];
  return [...all].sort((a, b) => a.at.getTime() - b.at.getTime());
}

const ended: Partial<Record<RefundProgress, Event>> = {
  completed: 'refund_completed',
  failed: 'refund_failed',
  withdrawn: 'refund_withdrawn',
};

function fromRefund(refund: Parts['refunds'][number]): Happening[] {
  const { id, amount, state, requestedAt, requestedBy, releasedAt, releasedBy, decidedAt } = refund;
  const end = ended[state];
  const entry = (event: Event, at: Date, by: string | null): Happening => ({
    key: `refund-${id}-${event}`,
    event,
    at,
    by,
    amount,
  });
  return [
    entry('refund_asked', requestedAt, requestedBy),
    ...(releasedAt ? [entry('refund_released', releasedAt, releasedBy)] : []),
    ...(decidedAt && end ? [entry(end, decidedAt, null)] : []),
  ];
}

/** The history of an application, oldest first. */
function TimelineSection() {
  const { application, caseFile } = useCase();
  const { t } = useTranslation('case-file');
  const entries = buildTimeline({ ...caseFile, events: application.events });
  return (
    <section className="desk-facts" id="timeline">
      <h3>{t('timeline.title')}</h3>
      <ol className="desk-history">
        {entries.map((entry) => (
          <Entry application={application} entry={entry} key={entry.key} />
        ))}
      </ol>
    </section>
  );
}

function Entry({ entry, application }: { entry: Happening; application: ApplicationDetail }) {
  const { t, language } = useTranslation(['case-file', 'desk']);
  const { rejection } = application;
  const { event, at, by, amount } = entry;
  const words = t(
    [`timeline.event.${event}`, `desk:detail.event.${event}`, `desk:audit.${event}`],
    { amount: amount ? formatMoney(amount, language) : '', defaultValue: event },
  );
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <li>
      <p className="font-semibold text-ink">{words}</p>
      <p>{by ? t('timeline.who', { moment, name: by }) : moment}</p>
      {event === 'rejected' && rejection ? (
        <div className="whitespace-pre-line text-ink">
          {hasRejectionReason(rejection) ? (
            <RejectionText rejection={rejection} writtenIn={application.emailLanguage} />
          ) : (
            t('timeline.noReason')
          )}
        </div>
      ) : null}
    </li>
  );
}

/** Messages, notes, emails and timeline of an application. */
export function CaseFileSections() {
  return (
    <>
      <MessagesSection />
      <NoteSection />
      <EmailAddressSection />
      <EmailsSection />
      <TimelineSection />
    </>
  );
}

/** The notes of staff on an application, oldest first, and the form for the next. */
function NoteSection() {
  const { t } = useTranslation('case-file');
  const { caseFile, colleagues, viewer } = useCase();
  const { notes } = caseFile;
  const nextNote = useNextId(caseFile.nextNote, notes);
  return (
    <section className="desk-facts" id="notes">
      <h3>{t('notes.title')}</h3>
      <DoneNotice place="notes" />
      {notes.length === 0 ? <p className="text-ink-2">{t('notes.none')}</p> : null}
      <ol className="desk-history">
        {notes.map((note) => (
          <Note key={note.id} note={note} />
        ))}
      </ol>
      <CaseFileForm
        about={nextNote}
        intent="note"
        label={t('notes.write')}
        longest={MAX_STAFF_NOTE_LENGTH}
        mentions={colleagues.filter(({ id }) => id !== viewer.id)}
        send={t('notes.add')}
      />
    </section>
  );
}

function Note({ note }: { note: NoteView }) {
  const { t, language } = useTranslation('case-file');
  const { madeAt, viewer } = useCase();
  const now = useClock(madeAt);
  const moment = (at: Date) => formatMoment(at, language, UTC, 'dated');
  const { struck, editedAt } = note;
  const mine = mayCorrect(note, viewer.id, now);
  return (
    <li id={`note-${note.id}`}>
      <p>
        {t('notes.written', { name: note.by, moment: moment(note.writtenAt) })}
        {editedAt ? <em> {t('notes.edited', { moment: moment(editedAt) })}</em> : null}
      </p>
      <p className="whitespace-pre-line text-ink" dir="auto">
        {struck ? <s className="text-ink-2">{note.text}</s> : note.text}
      </p>
      {struck ? (
        <p dir="auto">
          {t('notes.struck', { name: struck.by, moment: moment(struck.at), why: struck.why })}
        </p>
      ) : (
        <div className="flex flex-wrap gap-x-5 [&>details[open]]:basis-full">
          {mine ? (
            <CaseFileForm
              about={note.id}
              intent="edit_note"
              label={t('notes.editLabel')}
              longest={MAX_STAFF_NOTE_LENGTH}
              send={t('notes.save')}
              text={note.text}
              title={t('notes.edit')}
            />
          ) : null}
          {may(viewer.role, 'strike_note') ? (
            <CaseFileForm
              about={note.id}
              intent="strike_note"
              label={t('notes.why')}
              lead={t('notes.strikeLead')}
              longest={MAX_WHY_LENGTH}
              send={t('notes.strikeSend')}
              title={t('notes.strike')}
            />
          ) : null}
        </div>
      )}
    </li>
  );
}

/** Every email about this application: how it looked, and a button to send it again. */
function EmailsSection() {
  const { t } = useTranslation('case-file');
  const { caseFile, viewer } = useCase();
  const { emails } = caseFile;
  const { text: error } = useProblem('resend_email');
  return (
    <section className="desk-facts" id="emails">
      <h3>{t('emails.title')}</h3>
      <DoneNotice place="emails" />
      {error ? (
        <Notice role="alert" tone="red">
          {error}
        </Notice>
      ) : null}
      {emails.length === 0 ? <p className="text-ink-2">{t('emails.none')}</p> : null}
      <ol className="desk-history">
        {emails.map((email) => (
          <EmailItem key={email.id} email={email} mayResend={may(viewer.role, 'resend_email')} />
        ))}
      </ol>
    </section>
  );
}

function EmailItem({ email, mayResend }: { email: EmailView; mayResend: boolean }) {
  const { t, language } = useTranslation('case-file');
  const { id, state, at, failure, to, subject, resentBy, kindName: kind } = email;
  const writtenIn = email.language ?? undefined;
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <li id={`email-${id}`}>
      <p className="font-semibold text-ink">{kind}</p>
      <p className={state === 'failed' ? 'font-semibold text-error' : undefined}>
        {t('emails.stateAt', { state: t(`emails.state.${state}`), moment })}
      </p>
      {failure ? <p>{t(`emails.failure.${failure}`)}</p> : null}
      {subject ? (
        <p dir="auto" lang={writtenIn}>
          {subject}
        </p>
      ) : null}
      {to ? (
        <p>
          <bdi>{t('emails.to', { address: to })}</bdi>
        </p>
      ) : null}
      {resentBy ? <p>{t('emails.resentBy', { name: resentBy })}</p> : null}
      <div className="flex flex-wrap gap-x-5">
        {subject ? (
          <a
            aria-label={t('emails.viewLabel', { kind })}
            className="desk-link"
            href={`/admin/emails/${id}`}
            rel="noopener"
            target="_blank"
          >
            {t('emails.view')}
          </a>
        ) : null}
        {mayResend && state !== 'queued' ? (
          <Form method="post" preventScrollReset>
            <input name="about" type="hidden" value={id} />
            <button
              {...keyOf('resend_email')}
              aria-label={t('emails.resendLabel', { kind })}
              className="link-button"
              name="intent"
              value="resend_email"
            >
              {t('emails.resend')}
            </button>
          </Form>
        ) : null}
      </div>
    </li>
  );
}

/** Earlier addresses of the traveller, and the form that corrects the address and sends emails again. */
function EmailAddressSection() {
  const { t, language } = useTranslation('case-file');
  const { caseFile, viewer } = useCase();
  const { problem, text: error, field } = useProblem('correct_email');
  const isAboutWhy = field === WHY;
  const nextId = useNextId(caseFile.nextNote, caseFile.emailCorrections);
  const about = problem?.about ?? nextId;
  const isSending = useIsSending('correct_email', about);
  const email = fieldName('correct_email', about);
  const typed = problem?.typed[email] ?? '';
  // The address probably meant, where the typed one looks mistyped.
  const ask = problem?.ask ?? null;
  const sent = caseFile.emails.filter(({ state }) => state === 'sent');
  return (
    <section className="desk-facts" id="email">
      <h3>{t('email.title')}</h3>
      <DoneNotice place="email" />
      {caseFile.emailCorrections.length > 0 ? (
        <ol className="desk-history">
          {caseFile.emailCorrections.map(({ id, from, to, why, by, at }) => (
            <li id={`email-correction-${id}`} key={id}>
              <p className="font-semibold text-ink">
                <bdi dir="ltr">{from}</bdi> → <bdi dir="ltr">{to}</bdi>
              </p>
              <p>{t('email.by', { name: by, moment: formatMoment(at, language, UTC, 'dated') })}</p>
              <p dir="auto">{why}</p>
            </li>
          ))}
        </ol>
      ) : null}
      {may(viewer.role, 'correct_email') ? (
        <details className="desk-more" open={problem !== null || undefined}>
          <summary {...keyOf('correct_email')}>{t('email.correct')}</summary>
          <Form className="grid gap-2.5 pt-1 pb-3" key={about} method="post" preventScrollReset>
            <p>{t('email.lead')}</p>
            <input name="intent" type="hidden" value="correct_email" />
            <input name="about" type="hidden" value={about} />
            <TextField
              after={<EmailChoice ask={ask} typed={typed} />}
              autoComplete="off"
              defaultValue={typed}
              error={isAboutWhy ? null : error}
              label={t('email.new')}
              latin
              name={email}
              readOnly={isSending}
              required
              spellCheck={false}
              type="email"
              width="full"
            />
            <TextArea
              defaultValue={problem?.typed[WHY]}
              dir="auto"
              error={isAboutWhy ? error : null}
              label={t('email.why')}
              maxLength={MAX_WHY_LENGTH}
              name={WHY}
              readOnly={isSending}
              required
              rows={2}
            />
            {sent.length > 0 ? (
              <fieldset>
                <legend>{t('email.again')}</legend>
                {sent.map((email) => (
                  <CheckBox
                    defaultChecked={problem !== null && `${RESENT}${email.id}` in problem.typed}
                    key={email.id}
                    label={`${email.kindName}, ${formatMoment(email.at, language, UTC, 'dated')}`}
                    name={`${RESENT}${email.id}`}
                  />
                ))}
              </fieldset>
            ) : null}
            <Button busy={isSending} look="secondary" small wide>
              {t('email.send')}
            </Button>
          </Form>
        </details>
      ) : null}
    </section>
  );
}

/** Possible duplicates with the reason for each, and those that were dismissed. */
export function DuplicateSection() {
  const { t } = useTranslation('case-file');
  const { duplicates } = useCase().caseFile;
  const open = duplicates.filter(({ dismissal }) => !dismissal);
  const dismissed = duplicates.filter(({ dismissal }) => dismissal);
  return (
    <>
      {open.length > 0 ? (
        <Notice title={t('duplicates.title', { count: open.length })} tone="amber">
          <p>{t('duplicates.lead')}</p>
          <ul className="mt-2 grid gap-2.5 [&>li+li]:border-t [&>li+li]:border-line-2 [&>li+li]:pt-2.5">
            {open.map((duplicate) => (
              <li key={duplicate.id}>
                <DuplicateFacts duplicate={duplicate} />
                <CaseFileForm
                  about={duplicate.id}
                  intent="dismiss_duplicate"
                  label={t('duplicates.why')}
                  lead={t('duplicates.dismissLead')}
                  longest={MAX_WHY_LENGTH}
                  send={t('duplicates.dismissSend')}
                  title={t('duplicates.dismiss')}
                />
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {dismissed.length > 0 ? (
        <details className="desk-more">
          <summary>{t('duplicates.dismissed')}</summary>
          <ul className="desk-history">
            {dismissed.map((duplicate) => (
              <li key={duplicate.id}>
                <DuplicateFacts duplicate={duplicate} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

function DuplicateFacts({ duplicate }: { duplicate: DuplicateView }) {
  const { t, language } = useTranslation('case-file');
  const list = listQuery(useLocation().search);
  const { number, name, status, from, until, reasons, dismissal } = duplicate;
  const day = (text: string) => {
    const date = parseDate(text);
    return date ? formatDateShort(date, language) : text;
  };
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Link className="desk-link" to={`/admin/applications/${number}${list}#application`}>
          <NumberCode value={number} />
        </Link>
        <ApplicationStatusTag status={status} />
      </p>
      <p>
        <bdi>{name}</bdi>, {t('duplicates.dates', { from: day(from), until: day(until) })}
      </p>
      {reasons.map((reason) => (
        <p key={reason}>{t(`duplicates.reason.${reason}`)}</p>
      ))}
      {dismissal ? (
        <p dir="auto">
          {t('duplicates.dismissedBy', {
            name: dismissal.by,
            moment: formatMoment(dismissal.at, language, UTC, 'dated'),
            why: dismissal.why,
          })}
        </p>
      ) : null}
    </>
  );
}
