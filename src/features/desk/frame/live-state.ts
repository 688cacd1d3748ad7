import type { FormBlock } from './announcer.tsx';
import type { SessionEnd } from '~/features/staff/session.server.ts';
import type { OpenQueue } from '../queue/queue.server.ts';
import type { OpenCase } from '../application/open-case.server.ts';
import type { OpenGroup } from '../several/open-group.server.ts';
import type { Staff } from '~/features/staff/staff.ts';

/** Counts beside the names of the pages, and notices for every page. */
export type DeskSignals = {
  /** One's unread entries of the list “For you”. */
  readonly forYou: number;
  /** Waiting applications whose traveller answered a correction and that nobody has taken up since. */
  readonly corrections: number;
  /** Approved applications whose PDF is not attached yet, and those of them past their promised moment. */
  readonly undelivered: number;
  readonly undeliveredLate: number;
  /** Refunds that this person may release. */
  readonly refunds: number;
  /** Open alerts about money; 0 for those who may not see payments. */
  readonly alerts: number;
  /** Decisions of others to look at a second time; 0 for those who may not say whether they were right. */
  readonly looks: number;
  /** Proposals of others about prices that this person may confirm. */
  readonly proposals: number;
  /** Open requests about personal data that are to be answered within days, or late; 0 for those who may not answer. */
  readonly requests: number;
  /** Payment providers that are down, for everybody. */
  readonly partnersDown: readonly { provider: string; since: Date }[];
  /** Whether this person may open the page of payments. */
  readonly maySeePayments: boolean;
  /** A year whose holidays are not all known, for those who may close days; null for none. */
  readonly yearWithoutFeasts: number | null;
};

/** The counts, in the order of the pages that they stand beside. */
export const signalNames = [
  'corrections',
  'undelivered',
  'forYou',
  'refunds',
  'alerts',
  'looks',
  'requests',
  'proposals',
] as const;
export type SignalName = (typeof signalNames)[number];

/** Who has opened a page, as its frame shows them. `seesOutbox`: whether there is an outbox that they may read. */
export type FramePerson = Pick<Staff, 'name' | 'isNamed' | 'role'> & { seesOutbox: boolean };

/**
 * The data of every page's frame; null signals without a session. `now`: in milliseconds since 1970. `start`: the query of
 * the list that one's queue begins with, '' for the whole list.
 */
export type FrameData = {
  /** Null without a session. */
  person: FramePerson | null;
  signals: DeskSignals | null;
  now: number;
  /** When the session ends if nothing more is opened. */
  sessionEnd: SessionEnd | null;
  start: string;
};

/** Where an open page of the desk hears that something changed. */
export const EVENTS_PATH = '/admin/live/events';

/** The answer to an open page of the desk. */
export type LiveAnswer = {
  /** The moment of the data, in milliseconds since 1970. */
  at: number;
  /** When the reader's session ends. */
  sessionEnd: SessionEnd;
  signals: DeskSignals;
  /** Null for a page without the queue. */
  queue: OpenQueue | null;
  /** Null where none is open, and where nothing of it has changed. */
  opened: OpenCase | null;
  /** As `opened`, of the travellers of an open order. */
  group: OpenGroup | null;
};

export type LiveOutcome =
  | { kind: 'answer'; answer: LiveAnswer }
  /** `signed_out`: the session has ended. `failed`: no answer, or an error. */
  | { kind: 'signed_out' }
  | { kind: 'failed' };

/** Why a page is no longer kept up to date. */
type LiveProblem = 'signed_out' | 'failed';

/** An application as it is now, and as its forms still show it while somebody is filling them in. */
type LiveCase = { at: number; latest: OpenCase; forms: OpenCase | null };

export type LiveState = {
  /** The moment of the newest answer; 0 before the first. */
  at: number;
  signals: LiveAnswer['signals'] | null;
  /** Null before the first answer. */
  sessionEnd: LiveAnswer['sessionEnd'] | null;
  queue: { at: number; list: string; value: NonNullable<LiveAnswer['queue']> } | null;
  opened: LiveCase | null;
  /** The travellers of the open order. */
  group: { at: number; value: OpenGroup } | null;
  failures: number;
  problem: LiveProblem | null;
};

export const NOTHING_YET: LiveState = {
  at: 0,
  signals: null,
  sessionEnd: null,
  queue: null,
  opened: null,
  group: null,
  failures: 0,
  problem: null,
};

/** Failures in a row after which a page stops asking. */
const MAX_FAILURES_IN_A_ROW = 3;

/** The state of the page when an answer arrives. */
type Engagement = {
  /** The list's part of the address when it was asked. */
  list: string;
  /** Whether somebody is filling in forms of the open application. */
  inForms: boolean;
  /** The application whose row in the queue has the focus; null for none. */
  focusedRow: string | null;
};

/**
 * Applies an answer. Forms being filled in keep the state they were made from, so that nothing typed is lost; a row
 * that has the focus is not removed.
 */
export function applyOutcome(
  before: LiveState,
  outcome: LiveOutcome,
  { list, inForms, focusedRow }: Engagement,
): LiveState {
  if (outcome.kind === 'signed_out') return { ...before, problem: 'signed_out' };
  if (outcome.kind === 'failed') {
    const failures = before.failures + 1;
    return { ...before, failures, problem: failures >= MAX_FAILURES_IN_A_ROW ? 'failed' : null };
  }
  const { at, signals, sessionEnd, queue, opened, group } = outcome.answer;
  const takesRowAway =
    focusedRow !== null && queue?.queue.rows.every(({ number }) => number !== focusedRow) === true;
  return {
    at,
    signals,
    sessionEnd,
    queue: queue === null || takesRowAway ? before.queue : { at, list, value: queue },
    opened: nextCase(before.opened, opened, { at, inForms }),
    group: group === null ? before.group : { at, value: group },
    failures: 0,
    problem: null,
  };
}

function nextCase(
  before: LiveCase | null,
  opened: OpenCase | null,
  { at, inForms }: { at: number; inForms: boolean },
): LiveCase | null {
  // Nothing new: forms that nobody is filling in any more are updated.
  if (opened === null) return before && !inForms ? { ...before, forms: before.latest } : before;
  const isSame = before?.latest.application.number === opened.application.number;
  return {
    at,
    latest: opened,
    forms: inForms ? (isSame ? before.forms : null) : opened,
  };
}

/** What the page of an application loaded. `now`: when, in milliseconds since 1970. */
export type CasePage = { opened: OpenCase; now: number };

/** What a page shows of an application: the newest state, and the state of its forms. */
type ShownCase = {
  latest: OpenCase;
  forms: OpenCase;
  /** The moment of `latest`, in milliseconds since 1970. */
  at: number;
};

/** What the page itself loaded, unless something newer came since. */
export function shownCase({ opened: page, now }: CasePage, live: LiveCase | null): ShownCase {
  const isNewer =
    live !== null && live.at > now && live.latest.application.number === page.application.number;
  if (!isNewer) return { latest: page, forms: page, at: now };
  // A form being filled in keeps the id of the note that it writes.
  const keep = (one: OpenCase): OpenCase => ({
    ...one,
    caseFile: { ...one.caseFile, nextNote: page.caseFile.nextNote },
  });
  return { latest: keep(live.latest), forms: live.forms ? keep(live.forms) : page, at: live.at };
}

export function findBlock({ latest, forms }: ShownCase): FormBlock | null {
  if (latest === forms) return null;
  if (latest.application.status !== forms.application.status) {
    return { why: 'changed', status: latest.application.status };
  }
  const name = latest.holder?.name ?? null;
  return name !== null && (forms.holder?.name ?? null) === null ? { why: 'taken', name } : null;
}

/** What the page of an order loaded. `now`: when, in milliseconds since 1970. */
export type GroupPage = { group: OpenGroup | null; now: number };

/** The travellers as the page loaded them, unless something newer came since. */
export function shownGroup(
  { group: page, now }: GroupPage,
  live: LiveState['group'],
): { value: OpenGroup; at: number } | null {
  if (!page) return null;
  const isNewer = live !== null && live.at > now && live.value.orderNumber === page.orderNumber;
  return isNewer ? live : { value: page, at: now };
}
