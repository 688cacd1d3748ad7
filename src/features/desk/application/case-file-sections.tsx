import type { Staff } from '~/features/staff/staff.ts';
import type { Detail } from './detail.server.ts';
import { useNow } from '~/ui/use-now.tsx';
import type { Person } from '../queue/mentions.ts';
import type { CaseFile, NoteView } from './case-file.server.ts';
import type { CaseFileDone, CaseFileProblem } from './case-file-answer.ts';
import { EmailAddressSection } from './email-address-section.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { Link } from '~/ui/page/link.tsx';
import { formatMoney, type Money } from '~/base/money.ts';
import { AttemptItem } from '../money/attempt-item.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { saysWhy } from '~/features/application/rejection.ts';
import { RejectionText } from '~/features/status/rejection-text.tsx';
import { DoneNotice, useProblemText } from './case-file-words.tsx';
import { may, type Role } from '~/features/staff/roles.ts';
import { CaseFileForm } from './case-file-form.tsx';
import { LONGEST_STAFF_NOTE, LONGEST_WHY, mayCorrect } from './note.ts';
import { useNextId } from './form-state.tsx';
import type { CodeIn } from '~/base/text-keys.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import type { RefundProgress } from '~/features/payment/refund-machine.ts';
import { Form } from 'react-router';
import { Notice } from '~/ui/notice.tsx';
import type { EmailView } from './email-view.ts';

type Event = CodeIn<'case-file', 'timeline.event'> | CodeIn<'desk', 'detail.event'>;

/** One entry. `event` has its text in `case-file:timeline.event` or `desk:detail.event`. */
type Happening = {
  /** Unique among entries of one moment. */
  key: string;
  event: Event;
  at: Date;
  /** Name of the staff member; null for the traveller and the service. */
  by: string | null;
  /** Parameters of the text: the name of a kind of email, a sum, a state. */
  email?: string;
  amount?: Money;
  state?: PaymentState;
  /** The section of the page with details. */
  place?: string;
};

type Parts = {
  events: readonly { kind: CodeIn<'desk', 'detail.event'>; at: Date; by: string | null }[];
  attempts: readonly { id: string; state: PaymentState; createdAt: Date }[];
  emails: readonly {
    id: string;
    kindName: string;
    state: 'sent' | 'failed' | 'queued';
    at: Date;
    createdAt: Date;
    resentBy: string | null;
  }[];
  notes: readonly {
    id: string;
    by: string;
    writtenAt: Date;
    editedAt: Date | null;
    struck: { at: Date; by: string } | null;
  }[];
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
  emailCorrections?: readonly { id: string; at: Date; by: string }[];
};

/** The whole history of an application in one list, oldest first. */
export function timelineOf(parts: Parts): Happening[] {
  const all: Happening[] = [
    ...parts.events.map(({ kind, at, by }, index) => ({
      key: `event-${index}`,
      event: kind,
      at,
      by,
    })),
    ...parts.attempts.map(({ id, state, createdAt: at }): Happening => ({
      key: `attempt-${id}`,
      event: 'attempt',
      at,
      by: null,
      state,
      place: 'attempts',
    })),
    ...parts.emails.map(({ id, kindName, state, at, resentBy }): Happening => ({
      key: `email-${id}`,
      event: resentBy && state === 'sent' ? 'email_resent' : `email_${state}`,
      at,
      by: resentBy,
      email: kindName,
      place: `email-${id}`,
    })),
    ...(parts.emailCorrections ?? []).map(({ id, at, by }): Happening => ({
      key: `email-correction-${id}`,
      event: 'email_corrected',
      at,
      by,
      place: `email-correction-${id}`,
    })),
    ...parts.notes.flatMap(fromNote),
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

function fromNote({ id, by, writtenAt, editedAt, struck }: Parts['notes'][number]): Happening[] {
  const place = `note-${id}`;
  const entry = (
    what: 'added' | 'edited' | 'struck',
    { at, by: who }: { at: Date; by: string },
  ): Happening => ({ key: `${place}-${what}`, event: `note_${what}`, at, by: who, place });
  return [
    entry('added', { at: writtenAt, by }),
    ...(editedAt ? [entry('edited', { at: editedAt, by })] : []),
    ...(struck ? [entry('struck', struck)] : []),
  ];
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

/** Notes, emails, attempts, timeline and duplicates of an application. */
export function CaseFileSections({
  application,
  caseFile,
  colleagues,
  viewer,
  done,
  problem,
  now: madeAt,
}: {
  application: Detail;
  caseFile: CaseFile;
  /** Who can be mentioned in a note. */
  colleagues: readonly Person[];
  viewer: Pick<Staff, 'id' | 'role'>;
  /** The result of the form just sent. */
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
  now: number;
}) {
  const now = useNow(madeAt);
  return (
    <>
      <NoteSection
        caseFile={caseFile}
        colleagues={colleagues}
        done={done}
        now={now}
        problem={problem}
        viewer={viewer}
      />
      <EmailAddressSection done={done} caseFile={caseFile} problem={problem} role={viewer.role} />
      <EmailsSection done={done} emails={caseFile.emails} problem={problem} role={viewer.role} />
      <AttemptSection application={application} caseFile={caseFile} />
      <TimelineSection application={application} caseFile={caseFile} />
    </>
  );
}

/** Every payment attempt of the order with the provider's answer; details are on the order's page. */
function AttemptSection({ application, caseFile }: { application: Detail; caseFile: CaseFile }) {
  const { t } = useTranslation(['case-file', 'desk']);
  const language = useLanguage();
  const { attempts, order } = application;
  return (
    <section className="desk-facts" id="attempts">
      <h3>{t('desk:detail.attempts')}</h3>
      {attempts.length === 0 ? <p className="text-ink-2">{t('desk:detail.noAttempts')}</p> : null}
      <ol className="desk-history">
        {attempts.map((attempt) => (
          <AttemptItem
            attempt={attempt}
            key={attempt.id}
            messages={caseFile.attemptEvents[attempt.id] ?? []}
          >
            {attempt.refunded.minor > 0 ? (
              <p>
                {t('desk:detail.refunded', { amount: formatMoney(attempt.refunded, language) })}
              </p>
            ) : null}
          </AttemptItem>
        ))}
      </ol>
      {order ? (
        <p>
          <Link className="desk-link" to={`/admin/orders/${order.number}`}>
            {t('attempts.order')}
          </Link>
        </p>
      ) : null}
    </section>
  );
}

/** The history of an application, oldest first. */
function TimelineSection({ application, caseFile }: { application: Detail; caseFile: CaseFile }) {
  const { t } = useTranslation('case-file');
  const { events, attempts } = application;
  const entries = timelineOf({ ...caseFile, events, attempts });
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

function Entry({ entry, application }: { entry: Happening; application: Detail }) {
  const { t } = useTranslation(['case-file', 'desk']);
  const language = useLanguage();
  const { rejection } = application;
  const { event, at, by, place, email, amount, state } = entry;
  const words = t([`timeline.event.${event}`, `desk:detail.event.${event}`], {
    kind: email ?? '',
    amount: amount ? formatMoney(amount, language) : '',
    state: state ? t(`desk:detail.attemptState.${state}`) : '',
    defaultValue: event,
  });
  const moment = formatMoment(at, language, UTC, 'dated');
  return (
    <li>
      <p className="font-semibold text-ink">{place ? <a href={`#${place}`}>{words}</a> : words}</p>
      <p>{by ? t('timeline.who', { moment, name: by }) : moment}</p>
      {event === 'rejected' && rejection ? (
        <div className="whitespace-pre-line text-ink">
          {saysWhy(rejection) ? (
            <RejectionText rejection={rejection} writtenIn={application.emailLanguage} />
          ) : (
            t('timeline.noReason')
          )}
        </div>
      ) : null}
    </li>
  );
}

type Viewer = Pick<Staff, 'id' | 'role'>;

/** The notes of staff on an application, oldest first, and the form for the next. */
function NoteSection({
  caseFile,
  colleagues,
  viewer,
  done,
  problem,
  now,
}: {
  caseFile: CaseFile;
  /** Who can be mentioned. */
  colleagues: readonly Person[];
  viewer: Viewer;
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
  now: number;
}) {
  const { t } = useTranslation('case-file');
  const { notes } = caseFile;
  const nextNote = useNextId(caseFile.nextNote, notes);
  return (
    <section className="desk-facts" id="notes">
      <h3>{t('notes.title')}</h3>
      <DoneNotice done={done} of={['note_added', 'note_edited', 'note_struck']} />
      {notes.length === 0 ? <p className="text-ink-2">{t('notes.none')}</p> : null}
      <ol className="desk-history">
        {notes.map((note) => (
          <Note key={note.id} note={note} now={now} problem={problem} viewer={viewer} />
        ))}
      </ol>
      <CaseFileForm
        about={nextNote}
        intent="note"
        label={t('notes.write')}
        longest={LONGEST_STAFF_NOTE}
        mentions={colleagues.filter(({ id }) => id !== viewer.id)}
        problem={problem}
        send={t('notes.add')}
      />
    </section>
  );
}

function Note({
  note,
  viewer,
  problem,
  now,
}: {
  note: NoteView;
  viewer: Viewer;
  problem: CaseFileProblem | null;
  now: number;
}) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
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
              longest={LONGEST_STAFF_NOTE}
              problem={problem}
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
              longest={LONGEST_WHY}
              problem={problem}
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
function EmailsSection({
  emails,
  role,
  done,
  problem,
}: {
  emails: readonly EmailView[];
  role: Role;
  done: CaseFileDone | null;
  problem: CaseFileProblem | null;
}) {
  const { t } = useTranslation('case-file');
  const error = useProblemText(problem?.intent === 'resend_email' ? problem : null);
  return (
    <section className="desk-facts" id="emails">
      <h3>{t('emails.title')}</h3>
      <DoneNotice done={done} of={['email_resent']} />
      {error ? (
        <Notice role="alert" tone="red">
          {error}
        </Notice>
      ) : null}
      {emails.length === 0 ? <p className="text-ink-2">{t('emails.none')}</p> : null}
      <ol className="desk-history">
        {emails.map((email) => (
          <EmailItem key={email.id} email={email} mayResend={may(role, 'resend_email')} />
        ))}
      </ol>
    </section>
  );
}

function EmailItem({ email, mayResend }: { email: EmailView; mayResend: boolean }) {
  const { t } = useTranslation('case-file');
  const language = useLanguage();
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
