import { redirect, redirectDocument } from 'react-router';
import { paymentsContext } from '~/features/payment/context.server.ts';
import { addressContext, platformContext } from '~/platform/request.server.ts';
import { checkout, findOrder } from '../checkout.server.ts';
import { ownPath } from '../own-path.ts';
import type { Route } from './+types/pay.ts';

/** Somebody reloaded where a form had posted. */
export function loader() {
  return redirect('/status');
}

/** Starts paying an unpaid order, for a first or a further attempt; the amount is the order's. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const number = (await request.formData()).get('order');
  const order = typeof number === 'string' ? await findOrder(platform, number) : null;
  if (!order) return redirect('/payment-cancel?status=error');
  const started = await checkout(platform, context.get(paymentsContext).providers, order, {
    address: context.get(addressContext),
  });
  if (started.ok)
    return redirectDocument(ownPath(started.value.paymentUrl, platform.config.publicUrl));
  const query = new URLSearchParams({ order: order.number });
  if (started.error.code === 'already_paid') return redirect(`/payment-success?${query}`);
  if (started.error.code === 'closed') return redirect(`/status?ref=${order.number}`);
  return redirect(`/payment-cancel?${query}`);
}
