import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import type { ChosenLine } from '~/features/order/refunds/refund-proposal.ts';
import { endsCover, staffRefundCauses } from '~/features/order/refund-cause.ts';
import type { Proposal } from '~/features/order/refunds/propose-refund.server.ts';
import type { Order } from '~/features/order/store.server.ts';
import type { Staff } from '~/features/staff/staff.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import type { RefundErrorCode, RefundFormState } from './refund-form-state.ts';
import {
  preview,
  propose,
  refundOrder,
  release,
  retry,
  withdraw,
  type RefundChoice,
} from './refunds.server.ts';
import { parseMoney, type Money } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { readMinute } from '../frame/days.tsx';

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
  const cause = staffRefundCauses.find((code) => code === fields.get('cause'));
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

/** Reads `amount-<line>` fields; lines with an invalid amount are in `wrong`. */
function readAmounts(form: FormData): { amounts: Map<string, Money>; wrong: string[] } {
  const amounts = new Map<string, Money>();
  const wrong: string[] = [];
  for (const name of form.keys()) {
    if (!name.startsWith('amount-')) continue;
    const typed = formText(form, name).trim().replace(/^\$/, '').replace(',', '.');
    const lineId = name.slice('amount-'.length);
    const money = typed === '' ? parseMoney(0) : parseMoney(typed);
    if (money) amounts.set(lineId, money);
    else wrong.push(lineId);
  }
  return { amounts, wrong };
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
  const proposal = await propose(platform, order, choice.value);
  if (!proposal.ok) return withProblem(state, 'choice', proposal.error);
  return { ...state, lines: asChosen(proposal.value) };
}

const asChosen = ({ lines }: Proposal): ChosenLine[] =>
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

type RefundProblem = { code: RefundErrorCode; lineId?: string | null };

const withProblem = (
  state: RefundFormState,
  step: 'choice' | 'amounts',
  { code, lineId = null }: RefundProblem,
): RefundFormState => ({ ...state, problem: { step, code, lineId } });

export type RefundAnswer =
  | {
      kind: 'done';
      word: 'opened' | 'held' | 'released' | 'withdrawn' | 'retried';
      refundId: string;
    }
  | { kind: 'form'; state: RefundFormState; status: number }
  /** About a held refund. */
  | { kind: 'refused'; code: RefundErrorCode; status: number };

/** Handles the forms of the order page by `intent`. */
export async function actOnOrder(
  platform: Platform,
  staff: Staff,
  order: Order,
  form: FormData,
): Promise<RefundAnswer> {
  const intent = form.get('intent');
  const refund = z.uuid().safeParse(form.get('refund'));
  const id = refund.success ? refund.data : undefined;
  if (intent === 'release' || intent === 'withdraw') {
    if (id === undefined) return { kind: 'refused', code: 'not_held', status: 409 };
    const outcome = await (intent === 'release' ? release : withdraw)(platform, staff, id);
    if (outcome.ok) {
      return { kind: 'done', word: intent === 'release' ? 'released' : 'withdrawn', refundId: id };
    }
    const { code } = outcome.error;
    return { kind: 'refused', code, status: code === 'forbidden' ? 403 : 409 };
  }

  if (intent === 'retry') {
    const outcome = id === undefined ? null : await retry(platform, staff, id);
    if (outcome?.ok) return { kind: 'done', word: 'retried', refundId: outcome.value.id };
    const code = outcome?.error.code ?? 'not_failed';
    return { kind: 'refused', code, status: code === 'forbidden' ? 403 : 409 };
  }

  const bought = await applicationsOfOrder(platform.db, order.number);
  const start = blank(platform, form, bought);
  const read = readChoice(form, order, bought, platform.now());
  if (!read.ok) return answer(withProblem(start, 'choice', read.error));
  const choice = read.value;
  const proposal = await propose(platform, order, choice);
  if (!proposal.ok) return answer(withProblem(start, 'choice', proposal.error));
  const note = formText(form, 'note');
  const { amounts, wrong } = readAmounts(form);
  const lines = asChosen(proposal.value).map((line) => ({
    ...line,
    amount: amounts.get(line.line.id) ?? line.amount,
  }));
  const state = { ...start, lines, note, typed: typedAmounts(form) };
  if (intent === 'edit') return { kind: 'form', state, status: 200 };
  const [bad] = wrong;
  if (bad !== undefined) {
    return answer(withProblem(state, 'amounts', { code: 'amount', lineId: bad }));
  }
  if (intent !== 'open') {
    const seen = await preview(platform, staff, order, { choice, amounts, note });
    if (!seen.ok) return answer(withProblem(state, 'amounts', seen.error));
    const confirm = {
      ...seen.value,
      id: randomUUID(),
      lines: seen.value.lines.filter(({ amount }) => amount.minor > 0),
      endsCover: endsCover(choice.cause) && hasPremium(seen.value.lines),
    };
    return { kind: 'form', state: { ...state, confirm }, status: 200 };
  }
  const opened = await refundOrder(platform, staff, order, { choice, amounts, note, id });
  if (!opened.ok) return answer(withProblem(state, 'amounts', opened.error));
  const word = opened.value.payment.state === 'held' ? 'held' : 'opened';
  return { kind: 'done', word, refundId: opened.value.refund.id };
}

const hasPremium = (lines: readonly ChosenLine[]) =>
  lines.some(({ line, amount }) => line.code === 'insurance_plan' && amount.minor > 0);

const typedAmounts = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form.keys()]
      .filter((name) => name.startsWith('amount-'))
      .map((name) => [name.slice('amount-'.length), formText(form, name)]),
  );

const answer = (state: RefundFormState): RefundAnswer => ({
  kind: 'form',
  state,
  status: state.problem?.code === 'forbidden' ? 403 : 422,
});
