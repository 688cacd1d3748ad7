import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { z } from 'zod';
import { unsealCheckoutRedirect } from '~/features/payment/settlement/begin.server.ts';
import { resultAddress } from '~/features/payment/settlement/callbacks.server.ts';
import { CheckoutRedirect } from '~/features/payment/checkout-redirect-form.tsx';
import { CheckoutRedirectProblem } from '~/features/payment/checkout-redirect-problem.tsx';
import { isOpen } from '~/features/payment/machine.ts';
import { attemptById, attemptsFor } from '~/features/payment/settlement/store.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { mayCarry } from '../payer/payer.server.ts';
import type { Route } from './+types/gateway-redirect.ts';

export const handle = { postsToGateway: true };

const checkoutRedirectData = z.object({ attemptId: z.uuid() });
const headersOf = { 'Cache-Control': 'no-store' };

/**
 * `data` is a signed attempt id; the data for the provider stays on the server until now. A payer's attempt contains
 * the payer's name, so only a payer's browser gets it, whoever knows the address.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const token = new URL(request.url).searchParams.get('data') ?? '';
  const verified = platform.signer.verify(token, 'checkoutRedirect', platform.now());
  const parsed = checkoutRedirectData.safeParse(verified.ok ? verified.payload : null);
  const named = parsed.success ? await attemptById(platform.db, parsed.data.attemptId) : null;
  const attempt = named && (await mayCarry(platform, request, named)) ? named : null;
  const together = attempt ? await attemptsFor(platform.db, attempt.reference) : [];
  // Paid in another window: this attempt is over.
  const paid = together.some(({ completedAt }) => completedAt !== null);
  if (attempt && (paid || !isOpen(attempt.state))) {
    return redirect(resultAddress(attempt), { headers: headersOf });
  }
  if (!attempt?.checkoutRedirect)
    return data({ checkoutRedirect: null }, { status: 400, headers: headersOf });
  const checkoutRedirect = unsealCheckoutRedirect(platform, attempt.id, attempt.checkoutRedirect);
  return data({ checkoutRedirect }, { headers: headersOf });
}

function GatewayRedirect({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('payment');
  const { checkoutRedirect } = loaderData;
  return (
    <>
      <title>{`${checkoutRedirect ? t('checkoutRedirect.pageTitle') : t('checkoutRedirect.error.title')} · Lale`}</title>
      {checkoutRedirect ? (
        <CheckoutRedirect checkoutRedirect={checkoutRedirect} />
      ) : (
        <CheckoutRedirectProblem />
      )}
    </>
  );
}

export { GatewayRedirect as default };
