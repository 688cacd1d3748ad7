import type { Money } from '~/base/money.ts';
import type { RefundCause } from '~/features/order/refund-cause.ts';
import type { ChosenLine } from '~/features/order/refunds/refund-choice.ts';

/** Why a step was not taken; words: `refund:error.<code>`. `lineId`: the line whose amount it is about. */
export type RefundProblem = {
  step: 'choice' | 'amounts';
  code: RefundErrorCode;
  lineId: string | null;
};

export type RefundErrorCode =
  | 'unpaid'
  | 'not_failed'
  | 'asked_at'
  | 'asked_unreadable'
  | 'choice'
  | 'no_application'
  | 'nothing'
  | 'note_required'
  | 'note_too_long'
  | 'exceeds'
  | 'amount'
  | 'not_refundable'
  | 'other_order'
  | 'not_held'
  | 'own'
  | 'forbidden';

/** How far a refund has been filled in, for its form. */
export type RefundFormState = {
  choice: {
    cause: RefundCause | undefined;
    /** A minute in UTC as it was typed. */
    asked: string;
    applications: string[];
  };
  /** What the policy proposes, once a cause was chosen; `amount` is what is proposed or was chosen. */
  lines: ChosenLine[] | null;
  /** What was typed and is no valid choice, by order line. */
  typed: Record<string, string>;
  note: string;
  problem: RefundProblem | null;
  confirm: {
    /** The id that the refund will have: the same press twice opens one. */
    id: string;
    lines: ChosenLine[];
    total: Money;
    waits: boolean;
    /** An insurance ends with it. */
    endsCover: boolean;
  } | null;
};
