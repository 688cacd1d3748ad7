import type { SessionEnd } from '~/features/staff/session.server.ts';
import type { Appearance, Staff } from '~/features/staff/staff.ts';

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
  'requests',
  'proposals',
] as const;
export type SignalName = (typeof signalNames)[number];

/** Who has opened a page, as its frame shows them. `seesOutbox`: whether there is an outbox that they may read. */
export type FramePerson = Pick<Staff, 'name' | 'isNamed' | 'role'> & { seesOutbox: boolean };

/**
 * The data of every page's frame; null signals without a session. `now`: in milliseconds since 1970. `appearance`: as the
 * device for visitors. `start`: the query of the list that one's queue begins with, '' for the whole list.
 */
export type FrameData = {
  /** Null without a session. */
  person: FramePerson | null;
  signals: DeskSignals | null;
  now: number;
  appearance: Appearance;
  /** When the session ends if nothing more is opened. */
  sessionEnd: SessionEnd | null;
  start: string;
};
