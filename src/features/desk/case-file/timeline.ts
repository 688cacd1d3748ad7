import type { Money } from '~/base/money.ts';

/** One thing that happened. `event` has its words in `case-file:timeline.event`, or in `desk:detail.event`. */
export type Happening = {
  /** Tells entries of one moment apart. */
  key: string;
  event: string;
  at: Date;
  /** Name of whoever did it; null for the traveller and the service. */
  by: string | null;
  /** What the words name: a kind of e-mail, a sum, a state. */
  letter?: string;
  amount?: Money;
  state?: string;
  /** Where on the page it is told in full. */
  place?: string;
};

type Parts = {
  events: readonly { kind: string; at: Date; by: string | null }[];
  attempts: readonly { id: string; state: string; createdAt: Date }[];
  letters: readonly {
    id: string;
    kind: string;
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
    state: string;
    requestedAt: Date;
    requestedBy: string | null;
    releasedAt: Date | null;
    releasedBy: string | null;
    decidedAt: Date | null;
  }[];
  /** Deeds of staff that leave their trace in the audit trail alone. */
  deeds: readonly { id: number; action: string; at: Date; by: string | null }[];
  claim: { at: Date; by: string } | null;
  emailCorrections?: readonly { id: string; at: Date; by: string }[];
};

/** Everything that happened to an application, in one list, oldest first. */
export function timelineOf(parts: Parts): Happening[] {
  const all: Happening[] = [
    ...parts.events.map(({ kind, at, by }, index) => ({
      key: `event-${index}`,
      event: kind,
      at,
      by,
    })),
    ...parts.attempts.map(({ id, state, createdAt: at }) => ({
      key: `attempt-${id}`,
      event: 'attempt',
      at,
      by: null,
      state,
      place: 'attempts',
    })),
    ...parts.letters.map(({ id, kind, state, at, resentBy }) => ({
      key: `letter-${id}`,
      event: resentBy && state === 'sent' ? 'letter_resent' : `letter_${state}`,
      at,
      by: resentBy,
      letter: kind,
      place: `letter-${id}`,
    })),
    ...(parts.emailCorrections ?? []).map(({ id, at, by }) => ({
      key: `email-${id}`,
      event: 'email_corrected',
      at,
      by,
      place: `email-${id}`,
    })),
    ...parts.notes.flatMap(fromNote),
    ...parts.refunds.flatMap(fromRefund),
    ...parts.deeds.map(({ id, action, at, by }) => ({ key: `deed-${id}`, event: action, at, by })),
    ...(parts.claim ? [{ key: 'claim', event: 'claimed', ...parts.claim }] : []),
  ];
  return all.toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

function fromNote({ id, by, writtenAt, editedAt, struck }: Parts['notes'][number]): Happening[] {
  const place = `note-${id}`;
  return [
    { key: `${place}-added`, event: 'note_added', at: writtenAt, by, place },
    ...(editedAt
      ? [{ key: `${place}-edited`, event: 'note_edited', at: editedAt, by, place }]
      : []),
    ...(struck
      ? [{ key: `${place}-struck`, event: 'note_struck', at: struck.at, by: struck.by, place }]
      : []),
  ];
}

const ended: Record<string, string> = {
  completed: 'refund_completed',
  failed: 'refund_failed',
  withdrawn: 'refund_withdrawn',
};

function fromRefund(refund: Parts['refunds'][number]): Happening[] {
  const { id, amount, state, requestedAt, requestedBy, releasedAt, releasedBy, decidedAt } = refund;
  const end = ended[state];
  const entry = (event: string, at: Date, by: string | null): Happening => ({
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
