import { redirect, redirectDocument } from 'react-router';
import { z } from 'zod';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { cookieHeader } from '~/platform/http/cookies.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { checkout, findOrder, paymentLimits, tooManyPayments } from './checkout.server.ts';
import { chosenProvider } from './fallback-provider.ts';
import { isAwaited } from './may-pay.ts';
import { orderInitiator } from './payer/payer.server.ts';
import { ensureSession } from './payer/session.server.ts';
import { TooManyPayments } from './too-many-payments.tsx';
import type { Route } from './+types/pay.ts';

const pressed = z.object({ order: z.string().max(40) });

/** For a reload of the address of a submitted form. */
export function loader() {
  return redirect('/status');
}

/**
 * Starts paying an unpaid order, the first time or again; the amount is the order's. Redirects to our own redirect
 * page, as browsers block forms that are redirected to another site.
 * @throws 429 for too many starts from one address, or of one order
 */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const address = context.get(addressContext);
  const sent = await readForm({ request, context });
  const form = pressed.safeParse(Object.fromEntries(sent));
  const limits = paymentLimits(platform);
  const byPayer = await limits.payer.consume(address);
  if (!byPayer.allowed) throw tooManyPayments(byPayer.retryAfterSeconds);
  const order = form.success ? await findOrder(platform, form.data.order) : null;
  if (!order) return redirect('/payment-cancel?status=error');
  const session = ensureSession(platform, request);
  const by = await orderInitiator(platform.db, session.hash, order);
  const { providers } = context.get(paymentsContext);
  const started = await checkout(platform, providers, order, {
    by,
    address,
    language: context.get(languageContext),
    provider: chosenProvider(sent, providers),
  });
  // Guests, too, continue their attempt by the session.
  const headers = cookieHeader(session.setCookie);
  if (started.ok) return redirectDocument(started.value.redirectPath, { headers });
  if (started.error.code === 'too_many_starts') {
    throw tooManyPayments(started.error.retryAfterSeconds);
  }
  const query = new URLSearchParams({ order: form.data?.order ?? order.number });
  if (started.error.code === 'already_paid' || isAwaited(started.error.code)) {
    return redirect(`/payment-success?${query}`, { headers });
  }
  // The number that was given is used: a traveller's own must not reveal the order's.
  if (started.error.code === 'closed')
    return redirect(`/status?${new URLSearchParams({ ref: form.data?.order ?? order.number })}`);
  return redirect(`/payment-cancel?${query}`, { headers });
}

/** Never rendered: the action redirects or throws. */
function Pay() {
  return null;
}

function PageErrors({ error }: { error: unknown }) {
  return <TooManyPayments error={error} />;
}

export { Pay as default, PageErrors as ErrorBoundary };
