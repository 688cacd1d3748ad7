import type { Money } from '~/base/money.ts';
import type { RefundCause } from '~/features/order/refund-cause.ts';
import type { ChosenLine } from '~/features/order/refunds/refund-proposal.ts';

/** Why a step was refused; texts: `refund:error.<code>`. `lineId`: the line whose amount is wrong. */
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

/** The state of the refund form. */
export type RefundFormState = {
  choice: {
    cause: RefundCause | undefined;
    /** A UTC minute, as typed. */
    asked: string;
    applications: string[];
  };
  /** The proposal for the chosen cause; `amount`: proposed, or chosen by staff. */
  lines: ChosenLine[] | null;
  /** Typed amounts that are not valid, by order line. */
  typed: Record<string, string>;
  note: string;
  problem: RefundProblem | null;
  confirm: {
    /** The refund's id, so that pressing twice opens one. */
    id: string;
    lines: ChosenLine[];
    total: Money;
    waits: boolean;
    /** The refund ends an insurance. */
    endsCover: boolean;
  } | null;
};
