import type { CodeIn } from '~/base/text-keys.ts';
import { usd, parseMoney, type Money } from '~/base/money.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import {
  claimedByLine,
  linesByRefunds,
  refundsByOrder,
} from '~/features/order/refunds/order-refund-store.server.ts';
import {
  storedReceiptNumber,
  receiptsByOrder,
} from '~/features/order/receipt/issue-receipt.server.ts';
import { linesByOrder, type Order } from '~/features/order/store.server.ts';
import { refundsByAttempts } from '~/features/payment/settlement/refund-store.server.ts';
import { makeRetryId } from '~/features/payment/settlement/begin.server.ts';
import {
  attemptsByReference,
  eventsByAttempts,
} from '~/features/payment/settlement/store.server.ts';
import { may } from '~/features/staff/roles.ts';
import type { Staff } from '~/features/staff/staff.ts';
import { staffNames } from '~/features/staff/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { isMissed } from '~/features/application/promised.ts';
import { listedName } from '~/features/application/full-name.ts';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ChosenLine } from '~/features/order/refunds/refund-proposal.ts';
import { endsCover, staffRefundCauses, type RefundCause } from '~/features/order/refund-policy.ts';
import type { RefundProposal } from '~/features/order/refunds/order-refund.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import {
  previewRefund,
  proposeAmounts,
  refundOrder,
  releaseHeldRefund,
  retryRefund,
  withdrawHeldRefund,
  type RefundChoice,
} from './refunds.server.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { readMinute } from '../frame/days.tsx';

export type OrderView = Awaited<ReturnType<typeof describeOrder>>;
export type OrderRefundView = OrderView['refunds'][number];

/** Everything that the desk shows of one order's money. The caller records the view in the audit trail. */
export async function describeOrder(db: Queryable, order: Order, staff: Staff, now: Date) {
  const mayRelease = may(staff.role, 'release_refund');
  const [lines, claimed, applications, attempts, refunds, receipts] = await Promise.all([
    linesByOrder(db, order.id),
    claimedByLine(db, order.id),
    applicationsByOrder(db, order.number),
    attemptsByReference(db, order.number),
    refundsByOrder(db, order.id),
    receiptsByOrder(db, order.id),
  ]);
  const people = refunds.flatMap(({ refund, payment }) => [refund.requestedBy, payment.releasedBy]);
  const [names, refundLines, money, events] = await Promise.all([
    staffNames(db, [...new Set(people.filter((id) => id !== null))]),
    linesByRefunds(
      db,
      refunds.map(({ refund }) => refund.id),
    ),
    refundsByAttempts(
      db,
      attempts.map(({ id }) => id),
    ),
    eventsByAttempts(
      db,
      attempts.map(({ id }) => id),
    ),
  ]);
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  const ours = new Set(refunds.map(({ refund }) => refund.id));
  const paying = attempts.find(({ id }) => id === order.paidBy);
  return {
    number: order.number,
    paidAt: order.paidAt,
    closedAt: order.closedAt,
    total: usd(order.amountMinor),
    refunded: usd(paying?.refundedMinor ?? 0),
    /** Refunded or on its way, of all lines. */
    claimed: usd([...claimed.values()].reduce((sum, minor) => sum + minor, 0)),
    left: usd(paying ? paying.amountMinor - paying.claimedMinor : 0),
    applications: applications.map((one) => ({
      number: one.number,
      kind: one.kind,
      status: one.status,
      name: listedName(one),
      travellerPosition: one.travellerPosition,
      /** Applications rejected before the payment are no longer part of the order. */
      hasLeft: !lines.some(({ applicationNumber }) => applicationNumber === one.number),
      missed: isMissed(one, now),
    })),
    lines: lines.map(({ id, applicationNumber, code, amountMinor }) => ({
      id,
      applicationNumber,
      code,
      amount: usd(amountMinor),
      claimed: usd(claimed.get(id) ?? 0),
    })),
    attempts: attempts.map((attempt) => ({
      id: attempt.id,
      state: attempt.state,
      provider: attempt.provider,
      amount: usd(attempt.amountMinor),
      transaction: attempt.providerReference,
      reason: attempt.reason,
      createdAt: attempt.createdAt,
      events: events
        .filter((one) => one.attemptId === attempt.id)
        .map(({ id, event, receivedAt, result }) => ({
          id,
          event,
          at: receivedAt,
          result,
        })),
      // Refunds of a late capture; the order's own refunds are in a list of their own.
      refunds: money
        .filter(({ attemptId, id }) => attemptId === attempt.id && !ours.has(id))
        .map(({ id, amountMinor, state, failure }) => ({
          id,
          amount: usd(amountMinor),
          state,
          failure,
          mayRetry:
            mayRelease && state === 'failed' && !money.some((one) => one.id === makeRetryId(id)),
        })),
    })),
    refunds: refunds.map(({ refund, payment }) => ({
      id: refund.id,
      cause: refund.cause,
      state: payment.state,
      mayRetry: mayRelease && payment.state === 'failed' && !ours.has(makeRetryId(refund.id)),
      // Nobody releases their own; it can be withdrawn by who asked for it and by those who may release.
      mayRelease: mayRelease && refund.requestedBy !== staff.id,
      mayWithdraw: mayRelease || refund.requestedBy === staff.id,
      amount: usd(payment.amountMinor),
      note: refund.note,
      requestedAt: refund.requestedAt,
      requestedBy: refund.requestedBy,
      isByPayer: payment.requestedBy === 'payer',
      requestedByName: nameOf(refund.requestedBy),
      releasedAt: payment.releasedAt,
      releasedByName: nameOf(payment.releasedBy),
      decidedAt: payment.decidedAt,
      transaction: payment.providerRefundId,
      failure: payment.failure,
      lines: refundLines
        .filter(({ refundId }) => refundId === refund.id)
        .map(({ id, applicationNumber, code, amountMinor, proposedMinor, reason }) => ({
          id,
          applicationNumber,
          code,
          amount: usd(amountMinor),
          proposed: usd(proposedMinor),
          reason,
        })),
    })),
    receipts: receipts.map((receipt) => ({
      id: receipt.id,
      kind: receipt.kind,
      number: storedReceiptNumber(receipt),
      issuedAt: receipt.issuedAt,
    })),
  };
}

/** Why a step was refused; texts: `refund:error.<code>`. `lineId`: the line whose amount is wrong. */
export type RefundProblem = {
  step: 'choice' | 'amounts';
  code: RefundErrorCode;
  lineId: string | null;
};

export type RefundErrorCode = Exclude<CodeIn<'refund', 'error'>, 'title'>;

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

const MINUTE = 60_000;

/** An application of an order by number, and whose it is. */
type Bought = { number: string; travellerPosition: number };

/** The named applications: each by its number (`app`), or all of a traveller by position (`traveller`). */
function namedApplications(
  fields: URLSearchParams | FormData,
  bought: readonly Bought[],
): string[] {
  const apps = fields.getAll('app').filter((value) => typeof value === 'string');
  const positions = fields.getAll('traveller').map(Number);
  const ofTravellers = bought
    .filter(({ travellerPosition }) => positions.includes(travellerPosition))
    .map(({ number }) => number);
  return [...new Set([...apps, ...ofTravellers])];
}

/** The choice in a query or form, or what is missing. `asked` is a UTC minute as typed, or empty for now. */
function readChoice(
  fields: URLSearchParams | FormData,
  order: Order,
  bought: readonly Bought[],
  now: Date,
): Outcome<RefundChoice, { code: 'choice' | 'asked_unreadable' }> {
  const cause = readCause(fields);
  if (!cause) return refused({ code: 'choice' });
  const asked = readAsked(fields.get('asked'), order, now);
  if (!asked) return refused({ code: 'asked_unreadable' });
  return ok({ cause, askedAt: asked, applications: namedApplications(fields, bought) });
}

function readAsked(typed: FormDataEntryValue | null, order: Order, now: Date): Date | null {
  if (typed === null || typed === '') return now;
  const at = typeof typed === 'string' ? readMinute(typed) : null;
  if (!at) return null;
  // The field has no seconds, so the minute of the payment counts as not before it.
  const paid = order.paidAt?.getTime() ?? 0;
  return at.getTime() < paid && paid - at.getTime() < MINUTE ? new Date(paid) : at;
}

/** Reads `amount-<line>` fields: as typed, the amounts, and the first line whose amount is invalid. */
function readAmounts(form: FormData) {
  const typed: Record<string, string> = {};
  const amounts = new Map<string, Money>();
  let wrong: string | null = null;
  for (const name of form.keys()) {
    if (!name.startsWith('amount-')) continue;
    const lineId = name.slice('amount-'.length);
    const text = formText(form, name);
    typed[lineId] = text;
    const money = parseMoney(text.trim().replace(/^\$/, '').replace(',', '.') || 0);
    if (money) amounts.set(lineId, money);
    else wrong ??= lineId;
  }
  return { typed, amounts, wrong };
}

/** The form as the address asks for it: empty, or with the policy's proposal for a cause. */
export async function openForm(
  platform: Platform,
  order: Order,
  query: URLSearchParams,
  bought: readonly Bought[],
): Promise<RefundFormState> {
  const state = blank(platform, query, bought);
  // A link may name a cause and an application; the rest has to be entered.
  if (!query.has('asked')) return state;
  const choice = readChoice(query, order, bought, platform.now());
  if (!choice.ok) return withProblem(state, 'choice', choice.error);
  const proposal = await proposeAmounts(platform, order, choice.value);
  if (!proposal.ok) return withProblem(state, 'choice', proposal.error);
  return { ...state, lines: asChosen(proposal.value) };
}

const asChosen = ({ lines }: RefundProposal): ChosenLine[] =>
  lines.map((line) => ({ ...line, proposed: line.amount }));

function blank(
  platform: Platform,
  fields: URLSearchParams | FormData,
  bought: readonly Bought[],
): RefundFormState {
  const named = namedApplications(fields, bought);
  const asked = fields.get('asked');
  const nowTyped = platform.now().toISOString().slice(0, 16);
  const choice = {
    cause: readCause(fields),
    asked: typeof asked === 'string' && asked !== '' ? asked : nowTyped,
    applications:
      fields.has('asked') || named.length > 0 ? named : bought.map(({ number }) => number),
  };
  return { choice, lines: null, typed: {}, note: '', problem: null, confirm: null };
}

const readCause = (fields: URLSearchParams | FormData) =>
  staffRefundCauses.find((code) => code === fields.get('cause'));

const withProblem = (
  state: RefundFormState,
  step: RefundProblem['step'],
  { code, lineId = null }: { code: RefundErrorCode; lineId?: string | null },
): RefundFormState => ({ ...state, problem: { step, code, lineId } });

type RefundAnswer =
  | {
      kind: 'done';
      word: 'opened' | 'held' | 'released' | 'withdrawn' | 'retried';
      refundId: string;
    }
  | { kind: 'form'; state: RefundFormState; status: number }
  /** About a held refund. */
  | { kind: 'refused'; code: RefundErrorCode; status: number };

/** What is done with a refund that there is, with the word for it. */
const actions = {
  release: { run: releaseHeldRefund, word: 'released' },
  withdraw: { run: withdrawHeldRefund, word: 'withdrawn' },
  retry: { run: retryRefund, word: 'retried' },
} as const;

/** Handles the forms of the order page by `intent`. */
export async function actOnOrder(
  platform: Platform,
  staff: Staff,
  order: Order,
  form: FormData,
): Promise<RefundAnswer> {
  const intent = formText(form, 'intent');
  const refund = z.uuid().safeParse(form.get('refund'));
  const id = refund.success ? refund.data : undefined;
  if (intent === 'release' || intent === 'withdraw' || intent === 'retry') {
    const { run, word } = actions[intent];
    const outcome =
      id === undefined
        ? refused({ code: intent === 'retry' ? 'not_failed' : 'not_held' } as const)
        : await run(platform, staff, id);
    if (outcome.ok) return { kind: 'done', word, refundId: outcome.value.refund.id };
    const { code } = outcome.error;
    return { kind: 'refused', code, status: code === 'forbidden' ? 403 : 409 };
  }

  const bought = await applicationsByOrder(platform.db, order.number);
  const start = blank(platform, form, bought);
  const read = readChoice(form, order, bought, platform.now());
  if (!read.ok) return answer(withProblem(start, 'choice', read.error));
  const choice = read.value;
  const proposal = await proposeAmounts(platform, order, choice);
  if (!proposal.ok) return answer(withProblem(start, 'choice', proposal.error));
  const note = formText(form, 'note');
  const { typed, amounts, wrong } = readAmounts(form);
  const lines = asChosen(proposal.value).map((line) => ({
    ...line,
    amount: amounts.get(line.line.id) ?? line.amount,
  }));
  const state = { ...start, lines, note, typed };
  if (intent === 'edit') return answer(state);
  if (wrong !== null) {
    return answer(withProblem(state, 'amounts', { code: 'amount', lineId: wrong }));
  }
  if (intent !== 'open') {
    const seen = await previewRefund(platform, staff, order, { choice, amounts, note });
    if (!seen.ok) return answer(withProblem(state, 'amounts', seen.error));
    const given = seen.value.lines.filter(({ amount }) => amount.minor > 0);
    const confirm = {
      ...seen.value,
      id: randomUUID(),
      lines: given,
      endsCover:
        endsCover(choice.cause) && given.some(({ line }) => line.code === 'insurance_plan'),
    };
    return answer({ ...state, confirm });
  }
  const opened = await refundOrder(platform, staff, order, { choice, amounts, note, id });
  if (!opened.ok) return answer(withProblem(state, 'amounts', opened.error));
  const word = opened.value.payment.state === 'held' ? 'held' : 'opened';
  return { kind: 'done', word, refundId: opened.value.refund.id };
}

const answer = (state: RefundFormState): RefundAnswer => ({
  kind: 'form',
  state,
  status: state.problem === null ? 200 : state.problem.code === 'forbidden' ? 403 : 422,
});
