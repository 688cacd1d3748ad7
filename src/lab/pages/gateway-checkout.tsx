import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { data, redirect } from 'react-router';
import { z } from 'zod';
import { platformContext } from '~/platform/http/request.server.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { classNames } from '~/ui/class-names.ts';
import { Form } from '~/ui/page/form.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import {
  type Card,
  type CardErrors,
  type CardField,
  cardFields,
  checkCard,
  formatCvv,
  formatExpiry,
  groupCardNumber,
  readCard,
  showable,
  type TestCard,
  testCards,
} from '../gateway/test-cards.ts';
import {
  type Gateway,
  type GatewayTransaction,
  simulatedGateway,
  transactionByOrder,
} from '../gateway/simulated-gateway.server.ts';
import { cancelPayment, payByCard, returnAddress } from '../gateway/gateway.server.ts';
import { SimulatedPage } from '../simulated-page.tsx';
import type { Route } from './+types/gateway-checkout.ts';

/** The page must not look like Lale's, so it has its own style. */
import '~/ui/css/staff.css';
import './gateway.css';

export const handle = { ownLook: true };

const noStore = { 'Cache-Control': 'no-store' };
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
    return data({ transaction: null, processingMs: null }, { status: 404, headers: noStore });
  }
  const { gatewayProcessingMs } = context.get(platformContext).config.timings;
  const isDecided = transaction.status !== 'created';
  const isProcessing = isDecided && query.has('processing') && gatewayProcessingMs > 0;
  if (isDecided && !isProcessing) {
    return redirect(returnAddress(gateway, transaction), { headers: noStore });
  }
  const { orderRef, amount, currency } = transaction;
  return data(
    {
      transaction: { orderRef, amount, currency, merchant: gateway.merchantId },
      processingMs: isProcessing ? gatewayProcessingMs : null,
    },
    { headers: noStore },
  );
}

export async function action({ request, context }: Route.ActionArgs) {
  const gateway = gatewayOf(context);
  const form = await readForm({ request, context });
  const transaction = await transactionOf(gateway, form.get('order'));
  if (!transaction) return data({ step: null }, { status: 404, headers: noStore });
  const { orderRef } = transaction;
  const intent = form.get('intent');
  if (intent === 'cancel') return leave(gateway, await cancelPayment(gateway, orderRef), false);

  const card = readCard(form);
  const errors = checkCard(card);
  if (Object.keys(errors).length > 0) {
    const step: Step = { name: 'card', card: showable(card), errors };
    return data({ step }, { status: 422, headers: noStore });
  }
  const answer = await payByCard(gateway, orderRef, card, {
    challengePassed: intent === 'confirm',
  });
  if (answer.kind === 'challenge') {
    const step: Step = { name: 'challenge', card };
    return data({ step }, { headers: noStore });
  }
  return leave(gateway, answer, true);
}

/** Back to the merchant: after Pay through the "Processing" page, after Cancel at once. */
function leave(gateway: Gateway, answer: Awaited<ReturnType<typeof payByCard>>, isPaying: boolean) {
  if (answer.kind !== 'decided') return data({ step: null }, { status: 404, headers: noStore });
  const { transaction } = answer;
  const query = new URLSearchParams({ order: transaction.orderRef, processing: 'yes' });
  const address = isPaying ? `/mock-gpay-payment?${query}` : returnAddress(gateway, transaction);
  return redirect(address, { headers: noStore });
}

function GatewayCheckout({ loaderData, actionData }: Route.ComponentProps) {
  const step = actionData?.step ?? null;
  return <GatewayPage {...loaderData} step={step} />;
}

type Step = { name: 'card'; card: Card; errors: CardErrors } | { name: 'challenge'; card: Card };

type ShownTransaction = {
  orderRef: string;
  amount: string;
  currency: string;
  merchant: string;
};

/** The simulated gateway's checkout, visibly not a page of Lale's. */
function GatewayPage({
  transaction,
  processingMs,
  step,
}: {
  transaction: ShownTransaction | null;
  /** Milliseconds that "Processing" is shown; null where nothing is being processed. */
  processingMs: number | null;
  step: Step | null;
}) {
  const { t } = useTranslation('gateway');
  if (!transaction) {
    return (
      <Shell title={t('unknown.title')}>
        <p>{t('unknown.text')}</p>
      </Shell>
    );
  }
  if (processingMs !== null) {
    return (
      <Shell title={t('processing.title')} transaction={transaction}>
        <Processing milliseconds={processingMs} orderRef={transaction.orderRef} />
      </Shell>
    );
  }
  if (step?.name === 'challenge') {
    return (
      <Shell title={t('challenge.title')} transaction={transaction}>
        <ChallengeForm card={step.card} orderRef={transaction.orderRef} />
      </Shell>
    );
  }
  return (
    <Shell title={t('title')} transaction={transaction}>
      <CardEntry
        errors={step?.errors ?? {}}
        orderRef={transaction.orderRef}
        payLabel={t('pay', transaction)}
        typed={step?.card ?? null}
      />
    </Shell>
  );
}

function Shell({
  title,
  transaction,
  children,
}: {
  title: string;
  transaction?: ShownTransaction;
  children: ReactNode;
}) {
  const { t } = useTranslation('gateway');
  return (
    <SimulatedPage namespace="gateway" title={title}>
      {transaction ? (
        <dl className="gateway-facts">
          <dt>{t('merchant')}</dt>
          <dd>
            <bdi>{transaction.merchant}</bdi>
          </dd>
          <dt>{t('order')}</dt>
          <dd>
            <bdi>{transaction.orderRef}</bdi>
          </dd>
          <dt>{t('amount')}</dt>
          <dd data-testid="total">
            <bdi>{`${transaction.amount} ${transaction.currency}`}</bdi>
          </dd>
        </dl>
      ) : null}
      {children}
    </SimulatedPage>
  );
}

/** Waits, then loads this page without the flag, which leads back to the merchant. */
function Processing({ orderRef, milliseconds }: { orderRef: string; milliseconds: number }) {
  const { t } = useTranslation('gateway');
  const next = `/mock-gpay-payment?order=${orderRef}`;
  useEffect(() => {
    const timer = setTimeout(() => window.location.replace(next), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds, next]);
  return (
    <div role="status">
      <p className="mb-3 font-semibold">{t('processing.text')}</p>
      <p>
        <a href={next}>{t('processing.link')}</a>
      </p>
      <noscript>
        <meta content={`${Math.ceil(milliseconds / 1000)};url=${next}`} httpEquiv="refresh" />
      </noscript>
    </div>
  );
}

const formats: Record<CardField, (typed: string) => string> = {
  cardHolder: (typed) => typed,
  cardNumber: groupCardNumber,
  expiryDate: formatExpiry,
  cvv: formatCvv,
};

const controls: Record<CardField, { maxLength: number; numeric: boolean }> = {
  cardHolder: { maxLength: 100, numeric: false },
  cardNumber: { maxLength: 19, numeric: true },
  expiryDate: { maxLength: 5, numeric: true },
  cvv: { maxLength: 3, numeric: true },
};

const nothing: Card = { cardHolder: '', cardNumber: '', expiryDate: '', cvv: '' };

/** The four fields, Pay and Cancel. Scripts format and check; the server checks again. */
function CardEntry({
  orderRef,
  payLabel,
  typed,
  errors: answered,
}: {
  orderRef: string;
  payLabel: string;
  typed: Card | null;
  errors: CardErrors;
}) {
  const { t } = useTranslation('gateway');
  const [errors, setErrors] = useState(answered);
  const [firstError] = cardFields.flatMap((field) => errors[field] ?? []);
  const card = typed ?? nothing;

  function check(event: FormEvent<HTMLFormElement>) {
    // Read from the form, so that what was typed before scripts ran counts.
    const found = checkCard(readCard(new FormData(event.currentTarget)));
    setErrors(found);
    const wrong = cardFields.find((field) => found[field]);
    if (!wrong) return;
    event.preventDefault();
    document.getElementById(wrong)?.focus();
  }

  return (
    <>
      {firstError ? (
        <p className="gateway-alert" role="alert">
          {t(`error.${firstError === 'required' ? 'fillIn' : firstError}`)}
        </p>
      ) : null}
      <Form className="gateway-form" method="post" noValidate onSubmit={check} reloadDocument>
        <input name="order" type="hidden" value={orderRef} />
        {cardFields.map((field) => (
          <CardControl error={errors[field]} field={field} key={field} value={card[field]} />
        ))}
        <button className="gateway-pay" name="intent" type="submit" value="pay">
          {payLabel}
        </button>
      </Form>
      <CancelForm orderRef={orderRef} />
      <TestCardList />
    </>
  );
}

function CardControl({
  field,
  value,
  error,
}: {
  field: CardField;
  value: string;
  error: CardErrors[CardField];
}) {
  const { t } = useTranslation('gateway');
  const { maxLength, numeric } = controls[field];

  function formatTyped(event: FormEvent<HTMLInputElement>) {
    const input = event.currentTarget;
    const formatted = formats[field](input.value);
    if (formatted !== input.value) input.value = formatted;
  }

  return (
    <div
      className={classNames(
        'gateway-field',
        (field === 'cardHolder' || field === 'cardNumber') && 'gateway-whole',
      )}
    >
      <label htmlFor={field}>{t(`field.${field}`)}</label>
      <input
        aria-describedby={error ? `${field}-error` : undefined}
        aria-invalid={error ? true : undefined}
        // Browsers must not offer a real card here.
        autoComplete="off"
        defaultValue={value}
        dir={numeric ? 'ltr' : undefined}
        id={field}
        inputMode={numeric ? 'numeric' : 'text'}
        maxLength={maxLength}
        name={field}
        onInput={formatTyped}
        placeholder={field === 'expiryDate' ? 'MM/YY' : undefined}
        type="text"
      />
      {error ? (
        <p className="gateway-error" id={`${field}-error`}>
          {t(`error.${error}`)}
        </p>
      ) : null}
    </div>
  );
}

function CancelForm({ orderRef }: { orderRef: string }) {
  const { t } = useTranslation('gateway');
  return (
    <Form className="gateway-form" method="post" reloadDocument>
      <input name="order" type="hidden" value={orderRef} />
      <button className="gateway-cancel" name="intent" type="submit" value="cancel">
        {t('cancel')}
      </button>
    </Form>
  );
}

const effectOf = (behaviour: TestCard) =>
  behaviour.kind === 'declined' ? behaviour.reason : behaviour.kind;

/** The test numbers and what each does. */
function TestCardList() {
  const { t } = useTranslation('gateway');
  return (
    <section className="mt-8">
      <h2>{t('cards.title')}</h2>
      <p>{t('cards.text')}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('cards.number')}</th>
            <th scope="col">{t('cards.effect')}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(testCards).map(([number, behaviour]) => (
            <tr key={number}>
              <td>
                <bdi className="gateway-number" dir="ltr">
                  {groupCardNumber(number)}
                </bdi>
              </td>
              <td>{t(`cards.${effectOf(behaviour)}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The simulated bank's confirmation (3-D Secure). The published test number is sent again in the form. */
function ChallengeForm({ orderRef, card }: { orderRef: string; card: Card }) {
  const { t } = useTranslation('gateway');
  return (
    <>
      <p className="mb-4">{t('challenge.text', { last4: card.cardNumber.slice(-4) })}</p>
      <Form className="gateway-form" method="post" reloadDocument>
        <input name="order" type="hidden" value={orderRef} />
        {cardFields.map((field) => (
          <input key={field} name={field} type="hidden" value={card[field]} />
        ))}
        <button className="gateway-pay" name="intent" type="submit" value="confirm">
          {t('challenge.confirm')}
        </button>
      </Form>
      <CancelForm orderRef={orderRef} />
    </>
  );
}

export { GatewayCheckout as default };
