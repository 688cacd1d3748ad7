import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirect } from 'react-router';
import { z } from 'zod';
import { askWithTimeout } from '~/features/payment/settlement/ask-with-timeout.server.ts';
import { unsealCheckoutRedirect } from '~/features/payment/settlement/begin.server.ts';
import { paymentsContext } from '~/features/payment/settlement/context.server.ts';
import { endUnfinished } from '~/features/payment/settlement/supersede.server.ts';
import { CheckoutRedirect } from '~/features/payment/checkout-redirect-form.tsx';
import { CheckoutRedirectProblem } from '~/features/payment/checkout-redirect-problem.tsx';
import {
  attemptById,
  attemptsByReference,
  type Attempt,
} from '~/features/payment/settlement/store.server.ts';
import { hashToken } from '~/platform/crypto/crypto.server.ts';
import { cookieHeader, readSecretCookie, secretCookie } from '~/platform/http/cookies.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { isAwaited, payRefusal } from './may-pay.ts';
import { changePath } from './payer/payer-links.ts';
import { isPayer, mayFollowRedirect } from './payer/payer.server.ts';
import { payerSessionHash } from './payer/session.server.ts';
import { orderByNumber } from './store.server.ts';
import type { Route } from './+types/gateway-redirect.ts';

export const handle = { postsToGateway: true };

const checkoutRedirectData = z.object({ attemptId: z.uuid() });
const noStore = { 'Cache-Control': 'no-store' };

/** Marks the redirect page that this browser was shown last, by its address; the browser forgets it when it is closed. */
const SHOWN = 'lale_sent_on';

/**
 * `data` is a signed attempt id; the data for the provider stays on the server until now. A payer's attempt contains
 * the payer's name, so only a payer's browser gets it, whoever knows the address. Who comes back here is not sent on
 * again, and first the provider is asked what happened there.
 */
export async function loader({ request, context }: Route.LoaderArgs) {
  const platform = context.get(platformContext);
  const token = tokenOf(request);
  const mark = hashToken(token).toString('base64url');
  const wasShown = readSecretCookie(platform, request, SHOWN) === mark;
  const headers = { ...noStore, ...cookieHeader(secretCookie(platform, SHOWN, mark)) };
  const named = await attemptOf(platform, request, token);
  if (!named) return data({ checkoutRedirect: null, wasShown }, { status: 400, headers });
  const { attempt, order, refusal } = wasShown
    ? await ruleFor(
        platform,
        await askWithTimeout(platform, context.get(paymentsContext), named.attempt),
      )
    : named;
  if (refusal !== null) return redirect(placeOf(attempt, refusal), { headers: noStore });
  if (!attempt.checkoutRedirect) {
    return data({ checkoutRedirect: null, wasShown }, { status: 400, headers });
  }
  const checkoutRedirect = unsealCheckoutRedirect(platform, attempt.id, attempt.checkoutRedirect);
  const isOwn = await isPayer(platform.db, payerSessionHash(platform, request), order);
  const change = isOwn && !order.lab ? changePath(order.number, order.number) : null;
  return data({ checkoutRedirect, wasShown, change }, { headers });
}

/** Cancels the payment of a visitor who came back, who may then pay in another way. */
export async function action({ request, context }: Route.ActionArgs) {
  const platform = context.get(platformContext);
  const named = await attemptOf(platform, request, tokenOf(request));
  if (!named) return redirect('/payment-cancel', { status: 303, headers: noStore });
  const { attempt } = named;
  await platform.db.transaction((tx) =>
    endUnfinished(tx, attempt.reference, [attempt.id], platform.now()),
  );
  return redirect(placeOf(attempt, 'ended'), { status: 303, headers: noStore });
}

const tokenOf = (request: Request): string => new URL(request.url).searchParams.get('data') ?? '';

/** The attempt that a signed address names, for a browser that may go on with it. */
async function attemptOf(platform: Platform, request: Request, token: string) {
  const verified = platform.signer.verify(token, 'checkoutRedirect', platform.now());
  const parsed = checkoutRedirectData.safeParse(verified.ok ? verified.payload : null);
  const named = parsed.success ? await attemptById(platform.db, parsed.data.attemptId) : null;
  return named && (await mayFollowRedirect(platform, request, named))
    ? ruleFor(platform, named)
    : null;
}

async function ruleFor(platform: Platform, named: Attempt) {
  const order = await orderByNumber(platform.db, named.reference);
  if (!order) throw new Error('An attempt without an order');
  const attempts = await attemptsByReference(platform.db, named.reference);
  const attempt = attempts.find(({ id }) => id === named.id) ?? named;
  return { attempt, order, refusal: payRefusal(order, attempts, attempt) };
}

/** The page that says why an attempt cannot be gone on with. */
function placeOf(
  { id, reference }: Pick<Attempt, 'id' | 'reference'>,
  refusal: NonNullable<ReturnType<typeof payRefusal>>,
): string {
  const query = new URLSearchParams({ payment: id, order: reference });
  const isDone = refusal === 'paid' || isAwaited(refusal);
  return `${isDone ? '/payment-success' : '/payment-cancel'}?${query}`;
}

function GatewayRedirect({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('payment');
  const { checkoutRedirect, wasShown } = loaderData;
  return (
    <>
      <title>{`${checkoutRedirect ? t('checkoutRedirect.pageTitle') : t('checkoutRedirect.error.title')} · Lale`}</title>
      {checkoutRedirect ? (
        <CheckoutRedirect
          change={loaderData.change}
          checkoutRedirect={checkoutRedirect}
          wasShown={wasShown}
        />
      ) : (
        <CheckoutRedirectProblem wasShown={wasShown} />
      )}
    </>
  );
}

export { GatewayRedirect as default };
