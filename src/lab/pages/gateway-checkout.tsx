import { data, redirect } from 'react-router';
import { z } from 'zod';
import { readForm } from '~/platform/input/read-form.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Gateway } from '../gateway/gateway-base.server.ts';
import { checkCard, showable, readCard } from '../card-page/card-form.ts';
import { GatewayPage, type Step } from '../card-page/gateway-page.tsx';
import {
  type GatewayTransaction,
  transactionByOrder,
} from '../gateway/simulated-gateway.server.ts';
import { cancelPayment, payByCard, returnAddress } from '../gateway/gateway.server.ts';
import { simulatedGateway } from '../gateway/simulator.server.ts';
import type { Route } from './+types/gateway-checkout.ts';

/** The page must not look like Lale's, so it has its own style. */
import '~/ui/css/staff.css';
import './gateway.css';

export const handle = { ownLook: true };

const headersOf = { 'Cache-Control': 'no-store' };
const isOrder = z.uuid();

type OpenContext = Route.LoaderArgs['context'];

/**
 * The simulated gateway.
 * @throws a 404 in live mode, where there is none
 */
function gatewayOf(context: OpenContext): Gateway {
  const gateway = simulatedGateway(context.get(platformContext));
  if (!gateway) throw data(null, { status: 404 });
  return gateway;
}

async function transactionOf(gateway: Gateway, order: unknown): Promise<GatewayTransaction | null> {
  const parsed = isOrder.safeParse(order);
  return parsed.success ? transactionByOrder(gateway.db, parsed.data) : null;
}

/** Only `order` of the query counts: amount and addresses are those that the merchant signed. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const gateway = gatewayOf(context);
  const query = new URL(request.url).searchParams;
  const transaction = await transactionOf(gateway, query.get('order'));
  if (!transaction) {
    return data({ transaction: null, processingMs: null }, { status: 404, headers: headersOf });
  }
  const { gatewayProcessingMs } = context.get(platformContext).config.timings;
  const isDecided = transaction.status !== 'created';
  const isProcessing = isDecided && query.has('processing') && gatewayProcessingMs > 0;
  if (isDecided && !isProcessing) {
    return redirect(returnAddress(gateway, transaction), { headers: headersOf });
  }
  const { orderRef, amount, currency } = transaction;
  return data(
    {
      transaction: { orderRef, amount, currency, merchant: gateway.merchantId },
      processingMs: isProcessing ? gatewayProcessingMs : null,
    },
    { headers: headersOf },
  );
}

export async function action({ request, context }: Route.ActionArgs) {
  const gateway = gatewayOf(context);
  const form = await readForm({ request, context });
  const transaction = await transactionOf(gateway, form.get('order'));
  if (!transaction) return data({ step: null }, { status: 404, headers: headersOf });
  const { orderRef } = transaction;
  const intent = form.get('intent');
  if (intent === 'cancel') return leave(gateway, await cancelPayment(gateway, orderRef), false);

  const card = readCard(form);
  const errors = checkCard(card);
  if (Object.keys(errors).length > 0) {
    const step: Step = { name: 'card', card: showable(card), errors };
    return data({ step }, { status: 422, headers: headersOf });
  }
  const answer = await payByCard(gateway, orderRef, card, {
    challengePassed: intent === 'confirm',
  });
  if (answer.kind === 'challenge') {
    const step: Step = { name: 'challenge', card };
    return data({ step }, { headers: headersOf });
  }
  return leave(gateway, answer, true);
}

/** Back to the merchant: after Pay through the "Processing" page, after Cancel at once. */
function leave(gateway: Gateway, answer: Awaited<ReturnType<typeof payByCard>>, isPaying: boolean) {
  if (answer.kind !== 'decided') return data({ step: null }, { status: 404, headers: headersOf });
  const { transaction } = answer;
  const query = new URLSearchParams({ order: transaction.orderRef, processing: 'yes' });
  const address = isPaying ? `/mock-gpay-payment?${query}` : returnAddress(gateway, transaction);
  return redirect(address, { headers: headersOf });
}

function GatewayCheckout({ loaderData, actionData }: Route.ComponentProps) {
  const step = actionData?.step ?? null;
  return <GatewayPage {...loaderData} step={step} />;
}

export { GatewayCheckout as default };
