import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { parseMoney, toDecimal, usd, type Money } from '~/base/money.ts';
import { readNumber } from '~/features/application/number.ts';
import { staffRefundCauses } from '~/features/order/refund-policy.ts';
import type { ChosenLine } from '~/features/order/refunds/refund-proposal.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import type { RefundFound } from '~/features/order/refunds/order-refund-store.server.ts';
import { orderByNumber, type Order } from '~/features/order/store.server.ts';
import { requireAllowedCall, type StaffEnv } from '~/features/staff/require.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import type { refundAnswer, refundProposalAnswer, refundStateAnswer } from './answer-shapes.ts';
import { readCallBody } from './call-input.server.ts';
import { notFoundResponse } from './call-refusals.server.ts';
import {
  proposeAmounts,
  refundOrder,
  releaseHeldRefund,
  withdrawHeldRefund,
  type RefundChoice,
} from '../money/refunds.server.ts';

export const choiceRequest = z.object({
  cause: z.enum(staffRefundCauses),
  askedAt: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When the traveller’s request arrived; by default now'),
  applications: z
    .array(z.string().max(40))
    .min(1)
    .max(50)
    .optional()
    .describe('Numbers of the order’s applications; by default all'),
});

const amount = z.union([z.string().max(20), z.number()]).transform((given, context): Money => {
  const money = parseMoney(given);
  if (money) return money;
  context.addIssue({ code: 'custom', message: 'not_an_amount' });
  return z.NEVER;
});

export const refundRequest = choiceRequest.extend({
  id: z
    .uuid()
    .optional()
    .describe('The caller’s own id, so that sending it twice opens one refund'),
  amounts: z
    .record(z.uuid(), amount)
    .optional()
    .describe('Amounts that differ from the proposal, by the id of the line'),
  note: z.string().max(2000).optional().describe('Needed where amounts differ'),
});

/** The refund form as calls, with the same commands and refusals. Must be mounted behind the staff session. */
export function refundApi(platform: Platform) {
  const app = new Hono<StaffEnv>();
  const allowed = requireAllowedCall('refund');

  app.post('/api/admin/orders/:number/refund-proposal', allowed, async (c) => {
    const order = await orderOf(c);
    const body = await readCallBody(c, choiceRequest);
    if (!order) return notFoundResponse();
    if (!body.ok) return body.response;
    const proposal = await proposeAmounts(platform, order, await choiceOf(order, body.data));
    if (!proposal.ok) return problem(proposal.error);
    const { lines, total } = proposal.value;
    return c.json({
      total: toDecimal(total),
      currency: 'USD',
      lines: lines.map((line) => lineAnswer({ ...line, proposed: line.amount })),
    } satisfies z.infer<typeof refundProposalAnswer>);
  });

  app.post('/api/admin/orders/:number/refunds', allowed, async (c) => {
    const order = await orderOf(c);
    const body = await readCallBody(c, refundRequest);
    if (!order) return notFoundResponse();
    if (!body.ok) return body.response;
    const { id, note, amounts } = body.data;
    const choice = await choiceOf(order, body.data);
    const opened = await refundOrder(platform, c.var.staff, order, {
      choice,
      id,
      note,
      amounts: new Map(Object.entries(amounts ?? {})),
    });
    return opened.ok ? c.json(toRefundAnswer(order, opened.value), 201) : problem(opened.error);
  });

  for (const [word, command] of [
    ['release', releaseHeldRefund],
    ['withdraw', withdrawHeldRefund],
  ] as const) {
    app.post(`/api/admin/refunds/:id/${word}`, allowed, async (c) => {
      const id = z.uuid().safeParse(c.req.param('id'));
      const outcome = id.success ? await command(platform, c.var.staff, id.data) : null;
      if (!outcome) return notFoundResponse();
      if (!outcome.ok) return problem(outcome.error);
      const { refund, payment } = outcome.value;
      return c.json({ id: refund.id, state: payment.state } satisfies z.infer<
        typeof refundStateAnswer
      >);
    });
  }

  async function orderOf(c: Context<StaffEnv>): Promise<Order | null> {
    const number = readNumber(c.req.param('number') ?? '');
    return number.ok ? orderByNumber(platform.db, number.number) : null;
  }

  async function choiceOf(
    order: Order,
    { cause, askedAt, applications }: z.infer<typeof choiceRequest>,
  ): Promise<RefundChoice> {
    const all = async () =>
      (await applicationsByOrder(platform.db, order.number)).map(({ number }) => number);
    return {
      cause,
      askedAt: askedAt === undefined ? platform.now() : new Date(askedAt),
      applications: applications ?? (await all()),
    };
  }

  return app;
}

const lineAnswer = ({ line, amount: chosen, reason }: ChosenLine) => ({
  id: line.id,
  applicationNumber: line.applicationNumber,
  code: line.code,
  paid: toDecimal(line.amount),
  alreadyRefunded: toDecimal(line.claimed),
  amount: toDecimal(chosen),
  reason,
});

const toRefundAnswer = (
  order: Order,
  { refund, payment }: RefundFound,
): z.infer<typeof refundAnswer> => ({
  id: refund.id,
  orderNumber: order.number,
  applications: refund.applicationNumbers,
  cause: refund.cause,
  amount: toDecimal(usd(payment.amountMinor)),
  currency: 'USD',
  state: payment.state,
  requestedAt: refund.requestedAt.toISOString(),
});
