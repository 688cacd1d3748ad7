import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { ok, refused } from '~/base/outcome.ts';
import { parseMoney, sameMoney, toDecimal } from '~/base/money.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import { lookupRefusal } from './api.server.ts';
import { limitLookUp } from './lookup.server.ts';
import { payerSessionHash } from '~/features/order/payer/session.server.ts';
import { refundReasons } from '~/features/order/refund-policy.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { zodIssues, amount, currency, givenAmount, moment } from '~/platform/input/wire.ts';
import { readJson, unreadableProblem } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import {
  orderToCancel,
  cancellationView,
  cancelApplications,
  type CancellationView,
} from './cancel.server.ts';
import { uncancellables } from './cancellation.ts';

/** Most applications in one call. */
const MAX_CANCELLED_AT_ONCE = 40;
const MAX_NUMBER_LENGTH = 40;

export const cancellationQuery = z.object({
  applications: z
    .string()
    .max(MAX_CANCELLED_AT_ONCE * MAX_NUMBER_LENGTH)
    .optional()
    .describe('Their numbers, with commas between; without it all that can be cancelled'),
});

export const cancellationAnswer = z
  .object({
    applications: z
      .array(
        z.object({
          applicationNumber: z.string(),
          lines: z.array(
            z.object({
              code: z.string(),
              paid: amount,
              refund: amount,
              reason: z.enum(refundReasons),
            }),
          ),
        }),
      )
      .describe('Those that would be cancelled'),
    notCancellable: z
      .array(z.object({ applicationNumber: z.string(), reason: z.enum(uncancellables) }))
      .describe('Where nothing can be cancelled, why'),
    refundAmount: amount.describe('What is refunded if they are cancelled now'),
    currency,
    holdsUntil: moment.nullable().describe('When that amount changes; null where it does not'),
  })
  .meta({ id: 'Cancellation' });

export const cancelRequest = z
  .object({
    id: z.uuid().describe('The caller’s own id: sent twice, it cancels once'),
    applications: z
      .array(z.string().max(MAX_NUMBER_LENGTH))
      .min(1)
      .max(MAX_CANCELLED_AT_ONCE)
      .describe('Their numbers'),
    refundAmount: givenAmount.describe('Must be what GET says for these applications'),
  })
  .meta({ id: 'CancelRequest' });

export const cancelAnswer = z
  .object({ id: z.uuid(), refundAmount: amount, currency })
  .meta({ id: 'CancelAnswer' });

type Quote = Extract<CancellationView, { kind: 'quote' }>;

/** Cancelling by the payer as calls, with the rules of the page. */
export function cancellationApi(platform: Platform) {
  const app = new Hono();
  const path = '/api/orders/:number/cancellation';

  app.get(path, async (c) => {
    const named = c.req.query('applications');
    const view = await viewOf(c, named === undefined ? null : numbersOf(named.split(',')), null);
    if (view instanceof Response) return view;
    c.header('Cache-Control', 'no-store');
    return c.json(toAnswer(view));
  });

  app.post(path, async (c) => {
    const read = await readJson(c.req.raw);
    if (!read.ok) return unreadableProblem(read.error);
    const parsed = cancelRequest.safeParse(read.value);
    if (!parsed.success) return problem({ code: 'invalid', errors: zodIssues(parsed.error) });
    const { id, applications } = parsed.data;
    const agreed = parseMoney(parsed.data.refundAmount);
    if (!agreed) return problem({ code: 'invalid', errors: { refundAmount: 'not_an_amount' } });
    const numbers = numbersOf(applications);
    const view = await viewOf(c, numbers, id);
    if (view instanceof Response) return view;
    c.header('Cache-Control', 'no-store');
    if (view.kind === 'done') {
      return c.json(toCancelAnswer(id, view.refund ? toDecimal(view.refund) : '0.00'));
    }
    if (view.kind === 'nothing') return problem({ code: 'not_cancellable' });
    if (!sameMoney(view.total, agreed)) return refundDiffers(view);
    const cancelled = await cancelApplications(platform, {
      id,
      orderNumber: view.orderNumber,
      numbers: [...numbers],
      shown: view.shown,
      sessionHash: payerSessionHash(platform, c.req.raw),
    });
    if (cancelled.ok) return c.json(toCancelAnswer(id, toDecimal(view.total)));
    const { code } = cancelled.error;
    if (code === 'changed') return problem({ code: 'refund_differs' });
    return problem({ code: code === 'not_open' ? 'not_cancellable' : code });
  });

  /** What the page would show the caller of these applications, or of all that can be cancelled. */
  async function viewOf(c: Context, wanted: ReadonlySet<string> | null, done: string | null) {
    const found = await limitLookUp(platform, clientAddress(c, platform), async () => {
      const order = await orderToCancel(platform.db, c.req.param('number') ?? '');
      return order ? ok(order.order) : refused({ code: 'not_found' as const });
    });
    if (!found.ok) return lookupRefusal(found.error);
    const { number } = found.value;
    const ask = (applications: readonly string[]) =>
      cancellationView(
        platform,
        { ref: number, applications, isChosen: false, done },
        payerSessionHash(platform, c.req.raw),
      );
    const first = await ask([...(wanted ?? [])]);
    const view =
      first?.kind === 'choose' && !wanted
        ? await ask(first.choices.map((choice) => choice.number))
        : first;
    if (!view) return problem({ code: 'unpaid' });
    if (view.kind === 'link') return problem({ code: 'not_payer' });
    // The page quotes the only choice whatever is asked for, and leaves out what cannot be cancelled.
    const isOther =
      view.kind === 'quote' &&
      wanted &&
      (view.applications.length !== wanted.size ||
        !view.applications.every((one) => wanted.has(one.number)));
    if (view.kind === 'choose' || isOther) return problem({ code: 'not_cancellable' });
    return { ...view, orderNumber: number };
  }

  return app;
}

const numbersOf = (typed: readonly string[]): ReadonlySet<string> =>
  new Set(typed.map(normaliseNumber));

const refundDiffers = ({ total }: Quote) =>
  problem({ code: 'refund_differs', extra: { refundAmount: toDecimal(total) } });

const toCancelAnswer = (id: string, refundAmount: string): z.infer<typeof cancelAnswer> => ({
  id,
  refundAmount,
  currency: 'USD',
});

function toAnswer(
  view: Exclude<CancellationView, { kind: 'link' | 'choose' }>,
): z.infer<typeof cancellationAnswer> {
  const isQuote = view.kind === 'quote';
  return {
    applications: isQuote
      ? view.applications.map(({ number, lines }) => ({
          applicationNumber: number,
          lines: lines.map(({ code, paid, refund, reason }) => ({
            code,
            paid: toDecimal(paid),
            refund: toDecimal(refund),
            reason,
          })),
        }))
      : [],
    notCancellable:
      view.kind === 'nothing'
        ? view.why.map(({ number, why }) => ({ applicationNumber: number, reason: why }))
        : [],
    refundAmount: isQuote ? toDecimal(view.total) : '0.00',
    currency: 'USD',
    holdsUntil: isQuote ? (view.holdsUntil?.toISOString() ?? null) : null,
  };
}
