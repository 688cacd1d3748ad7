import type { Money } from '~/base/money.ts';
import type { CodeIn } from '~/base/text-keys.ts';
import type { PaymentState } from '~/features/payment/machine.ts';
import type { RefundProgress } from '~/features/payment/refund-machine.ts';

type Event = CodeIn<'case-file', 'timeline.event'> | CodeIn<'desk', 'detail.event'>;

/** One entry. `event` has its text in `case-file:timeline.event` or `desk:detail.event`. */
export type Happening = {
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
