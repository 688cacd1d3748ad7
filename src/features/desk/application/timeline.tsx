import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { formatMoney, type Money } from '~/base/money.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import { saysWhy } from '~/features/application/rejection.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import type { RefundProgress } from '~/features/payment/refund-machine.ts';
import { RejectionText } from '~/features/status/rejection-text.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { AttemptItem } from '../money/attempt-item.tsx';
import { useCase } from './case.tsx';
import type { Detail } from './detail.server.ts';

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

/** Every payment attempt of the order with the provider's answer; details are on the order's page. */
export function AttemptSection() {
  const { application, caseFile } = useCase();
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
export function TimelineSection() {
  const { application, caseFile } = useCase();
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
  const words = t(
    [`timeline.event.${event}`, `desk:detail.event.${event}`, `desk:audit.${event}`],
    {
      kind: email ?? '',
      amount: amount ? formatMoney(amount, language) : '',
      state: state ? t(`desk:detail.attemptState.${state}`) : '',
      defaultValue: event,
    },
  );
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
