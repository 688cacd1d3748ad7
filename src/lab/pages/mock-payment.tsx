import { useEffect } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, redirectDocument } from 'react-router';
import { Form } from '~/ui/page/form.tsx';
import { useHref, usePage } from '~/ui/page/page-context.tsx';
import { isEmailAddress, tidyEmail } from '~/base/email-address.ts';
import { toDecimal } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import {
  addressContext,
  languageContext,
  platformContext,
} from '~/platform/http/request.server.ts';
import { Button, ButtonAnchor } from '~/ui/button.tsx';
import { Notice } from '~/ui/notice.tsx';
import { ScriptsInput } from '~/ui/scripts-input.tsx';
import { labContext, type LabContext } from '../context.server.ts';
import { HomeLink, LabFacts } from '../paypal-page/lab-frame.tsx';
import { type Gateway, simulatedGateway } from '../gateway/simulated-gateway.server.ts';
import { cancelPayment, payByCard, returnAddress } from '../gateway/gateway.server.ts';
import { MOCK_PAYMENT_MS } from '../paypal-page/specification.ts';
import { LAB_AMOUNT } from '../paypal-page/paypal-calls.ts';
import type { Route } from './+types/mock-payment.ts';

/** A valid email address in the query; others are not shown. */
function emailIn(query: URLSearchParams): string | null {
  const email = tidyEmail(query.get('email')?.slice(0, 254) ?? '');
  return isEmailAddress(email) ? email : null;
}

const noStore = { 'Cache-Control': 'no-store' };

/** Of `amount`, `customer`, `email` and `ref` only `ref` counts: the server's order is paid. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const query = new URL(request.url).searchParams;
  const reference = query.get('ref');
  const language = context.get(languageContext);
  const order = reference
    ? await context.get(labContext).order(reference, { request, language })
    : null;
  return data(
    {
      amount: toDecimal(order?.amount ?? LAB_AMOUNT),
      isLab: order?.isLab ?? true,
      customer: query.get('customer')?.slice(0, 100) ?? null,
      email: emailIn(query),
      number: order?.number ?? null,
      refusal: reference && !order ? ('no_order' as const) : null,
    },
    { headers: noStore },
  );
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await readForm({ request, context });
  const isPaying = form.get('intent') === 'success';
  const played = await playPayer(
    context.get(labContext),
    simulatedGateway(context.get(platformContext)),
    isPaying ? 'success' : 'cancel',
    {
      reference: new URL(request.url).searchParams.get('ref'),
      request,
      language: context.get(languageContext),
      address: context.get(addressContext),
    },
  );
  if (!played.ok) return data({ refusal: played.error, next: null }, { status: 422 });
  // The result comes to a call of ours, so the page must send the browser on.
  const waits = isPaying && form.get('scripts') === 'yes';
  return waits ? data({ refusal: null, next: played.value }) : redirectDocument(played.value);
}

/** A published test number, as the page asks for none. */
const testCard = {
  cardHolder: 'LALE LAB',
  cardNumber: '4111111111111111',
  expiryDate: '12/39',
  cvv: '123',
};

type MockRefusal = 'no_simulator' | 'no_order' | 'no_start';

/**
 * Acts as the payer at the simulated gateway; returns where it sends the browser. The signed result, and so the success
 * page, is genuine. Only works with the simulated gateway.
 */
async function playPayer(
  lab: LabContext,
  gateway: Gateway | null,
  outcome: 'success' | 'cancel',
  asked: { reference: string | null; request: Request; language: string; address: string },
): Promise<Outcome<string, MockRefusal>> {
  if (!gateway) return refused('no_simulator');
  const order = await lab.order(asked.reference, asked);
  if (!order) return refused('no_order');
  const started = await lab.startCard(order.number, asked);
  if (!started.ok) return refused('no_start');
  const { attemptId, paymentUrl } = started.value;
  const decided =
    outcome === 'success'
      ? await payByCard(gateway, attemptId, testCard)
      : await cancelPayment(gateway, attemptId);
  // A gateway that needs a submitted form does not know the payment yet: its own page continues.
  return ok(decided.kind === 'decided' ? returnAddress(gateway, decided.transaction) : paymentUrl);
}

function MockPayment({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('lab');
  const { sending } = usePage();
  const next = actionData?.next ?? null;
  const refusal = actionData?.refusal ?? loaderData.refusal;
  const { amount, isLab, customer, email, number } = loaderData;
  const newPayment = useHref('/payment-mock');
  const pressed = sending?.get('intent');

  useEffect(() => {
    if (!next) return;
    const timer = setTimeout(() => location.assign(next), MOCK_PAYMENT_MS);
    return () => clearTimeout(timer);
  }, [next]);

  return (
    <>
      {loaderData.refusal ? null : (
        <LabFacts
          amount={amount}
          facts={[
            ...(customer ? [{ term: t('mock.customer'), value: customer }] : []),
            ...(email ? [{ term: t('mock.email'), value: <bdi dir="ltr">{email}</bdi> }] : []),
            ...(number ? [{ term: t('mock.reference'), value: number, mono: true }] : []),
          ]}
          isLab={isLab}
        />
      )}
      {refusal ? (
        <Notice className="mt-6" role="alert" tone="red">
          <p>{t(`mock.refusal.${refusal}`)}</p>
        </Notice>
      ) : null}
      {loaderData.refusal ? (
        <div className="form-actions">
          <ButtonAnchor href={newPayment}>{t('mock.new')}</ButtonAnchor>
        </div>
      ) : (
        <Form className="form-actions" method="post">
          <ScriptsInput />
          <Button busy={pressed === 'success' || next !== null} name="intent" value="success">
            {next ? t('mock.processing') : t('mock.success')}
          </Button>
          <Button disabled={next !== null} look="secondary" name="intent" value="cancel">
            {t('mock.cancel')}
          </Button>
        </Form>
      )}
      <HomeLink />
    </>
  );
}

export { MockPayment as default };
