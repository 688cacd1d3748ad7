import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney, type Money } from '~/base/money.ts';
import { ButtonLink, Button } from '~/ui/button.tsx';
import { Card, Facts } from '~/ui/card.tsx';
import { NarrowPage, PageHead } from '~/ui/layout.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';
import { changePath } from '../payer/payer-links.ts';
import { reasonKey, type StoppedKind, type RetryOption } from './stopped.ts';
import { useInBrowser } from '~/ui/scripts-input.tsx';
import { OtherWay, PayForm } from '../pay-form.tsx';
import { MAX_RETRIES, RETRY_DELAY_MS } from '../payment-start.ts';
import { useRef, useState, type FormEvent } from 'react';
import type { ProviderName } from '~/base/payment-providers.ts';
import { listFormat } from '~/base/intl.ts';

export type SystemFacts = {
  /** The providers in the order in which they are offered. */
  gateways: { name: ProviderName; isSimulated: boolean }[];
  /** Null with the simulated gateway. */
  merchantId: string | null;
  environment: 'production' | 'development';
  supportEmail: string;
};

const wordsOf = {
  card: { real: 'system.card', simulated: 'system.test' },
  paypal: { real: 'system.paypal', simulated: 'system.paypalTest' },
  stripe: { real: 'system.stripe', simulated: 'system.stripeTest' },
} as const satisfies Record<ProviderName, unknown>;

/** What support asks about first when a payment cannot be started. */
function SystemStatus({ facts, orderNumber }: { facts: SystemFacts; orderNumber: string | null }) {
  const { t, language } = useTranslation('payment');
  const names = facts.gateways.map(({ name, isSimulated }) =>
    t(wordsOf[name][isSimulated ? 'simulated' : 'real']),
  );
  const list = listFormat(language, { type: 'unit' });
  return (
    <section className="mt-12">
      <h2 className="text-h2-form mb-4">{t('system.title')}</h2>
      <Card>
        <Facts
          facts={[
            { term: t('system.gateway'), value: names.length > 0 ? list.format(names) : '–' },
            {
              term: t('system.merchant'),
              value: facts.merchantId ?? t('system.testMerchant'),
              mono: facts.merchantId !== null,
            },
            { term: t('system.environment'), value: t(`system.${facts.environment}`) },
          ]}
          layout="rows"
        />
      </Card>
      <p className="mt-4">
        {orderNumber
          ? t('system.support', { email: facts.supportEmail, order: orderNumber })
          : t('system.supportAny', { email: facts.supportEmail })}
      </p>
    </section>
  );
}

export type StoppedPaymentView = {
  kind: StoppedKind;
  reason: string | null;
  orderNumber: string | null;
  transactionId: string | null;
  total: Money | null;
  /** What this browser's attempt was for. */
  received: Money | null;
  /** A test payment without applications. */
  isLab: boolean;
  /** Null where the order is unknown. */
  on: RetryOption | null;
};

/** What happened, that nothing was charged, and how to pay the same application. */
export function StoppedPayment({
  stopped,
  system,
}: {
  stopped: StoppedPaymentView;
  system: SystemFacts;
}) {
  const { t, language } = useTranslation('payment');
  const { kind, on, orderNumber } = stopped;
  const change = orderNumber && on ? changePath(orderNumber, orderNumber) : null;
  const amount = stopped.received ? formatMoney(stopped.received, language) : '';
  const isProblem = kind === 'error' || kind === 'issue';
  return (
    <NarrowPage>
      <PageHead
        lead={t(`stopped.${leadKey(stopped)}`, { amount })}
        title={t(`stopped.${kind}.title`)}
      >
        <StatusTag tone={toneOf(kind)}>{t(`stopped.${kind}.tag`)}</StatusTag>
      </PageHead>
      {kind === 'error' || kind === 'nothing' ? null : <References stopped={stopped} />}
      <div className="form-actions">
        {kind === 'nothing' ? null : on === null ? (
          <GoBack orderNumber={orderNumber} />
        ) : kind === 'issue' ? (
          <OpenAgain on={on} />
        ) : (
          <PayAgain on={on} />
        )}
        <ButtonLink
          look={kind === 'nothing' ? 'primary' : on ? 'plain' : 'secondary'}
          to={orderNumber && on ? `/status?ref=${orderNumber}` : '/status'}
        >
          {t('stopped.status')}
        </ButtonLink>
      </div>
      {kind === 'issue' && on ? <Attempts on={on} /> : null}
      <div className="form-actions">
        <ButtonLink look="plain" to={change ?? formPath(orderNumber)}>
          {t(change ? 'stopped.change' : 'stopped.application')}
        </ButtonLink>
        <ButtonLink look="plain" to="/">
          {t('stopped.home')}
        </ButtonLink>
      </div>
      {isProblem ? <SystemStatus facts={system} orderNumber={orderNumber} /> : null}
    </NarrowPage>
  );
}

const toneOf = (kind: StoppedKind): 'neutral' | 'amber' | 'red' => {
  if (kind === 'cancelled' || kind === 'nothing') return 'neutral';
  return kind === 'unfinished' || isOfOldAmount(kind) ? 'amber' : 'red';
};

const isOfOldAmount = (kind: StoppedKind): boolean =>
  kind === 'changed' || kind === 'refunding' || kind === 'refunded';

type LeadKey = 'lab' | 'declined.textPaypal' | `${StoppedKind}.text`;

/** Another card is suggested where a card was declined, not for PayPal. */
const leadKey = ({ kind, on, isLab }: StoppedPaymentView): LeadKey =>
  isLab
    ? 'lab'
    : kind === 'declined' && on?.tried === 'paypal'
      ? 'declined.textPaypal'
      : `${kind}.text`;

function References({ stopped }: { stopped: StoppedPaymentView }) {
  const { t, language } = useTranslation('payment');
  const { kind, orderNumber, transactionId, total, reason, on } = stopped;
  const hasReason =
    kind !== 'issue' && kind !== 'unfinished' && !isOfOldAmount(kind) && reason !== null;
  const words = t(`reason.${reasonKey(reason)}`);
  // An unknown reason, as only a test page sends it, is shown as its code.
  const isUnknown = on === null && reasonKey(reason) === 'other';
  return (
    <Card>
      <Facts
        facts={[
          ...(hasReason
            ? [
                {
                  term: t('fact.reason'),
                  value: isUnknown ? <Code code={reason} words={words} /> : words,
                },
              ]
            : []),
          ...(orderNumber
            ? [
                {
                  term: t('fact.order'),
                  value: on ? <NumberCode value={orderNumber} /> : orderNumber,
                  mono: !on,
                  testId: 'application-number',
                },
              ]
            : []),
          ...(transactionId
            ? [{ term: t('fact.transaction'), value: transactionId, mono: true }]
            : []),
          ...(total
            ? [{ term: t('fact.amount'), value: <bdi>{formatMoney(total, language)}</bdi> }]
            : []),
        ]}
        layout="rows"
      />
      {on ? null : <p className="text-small mt-4 text-ink-2">{t('stopped.reported')}</p>}
    </Card>
  );
}

function Code({ code, words }: { code: string; words: string }) {
  return (
    <>
      {words}{' '}
      <bdi className="mono wrap-anywhere" dir="ltr">
        {code}
      </bdi>
    </>
  );
}

/** The page with the form of an order's applications; an order of several began with the visa. */
const formPath = (orderNumber: string | null): '/insurance' | '/application' =>
  orderNumber?.startsWith('TRI') ? '/insurance' : '/application';

/** Try Again for an unknown order: one page back with scripts, otherwise to the form. */
function GoBack({ orderNumber }: { orderNumber: string | null }) {
  const { t } = useTranslation('payment');
  const hasPast = useInBrowser(() => history.length > 1, false);
  return hasPast ? (
    <Button onClick={() => history.back()} type="button">
      {t('stopped.again')}
    </Button>
  ) : (
    <ButtonLink to={formPath(orderNumber)}>{t('stopped.again')}</ButtonLink>
  );
}

/** Pays again at the same provider, or at the other one. */
function PayAgain({ on }: { on: RetryOption }) {
  const { t } = useTranslation('payment');
  return (
    <>
      <PayForm orderNumber={on.orderNumber} provider={on.tried}>
        {t('stopped.again')}
      </PayForm>
      {on.other ? <OtherWay orderNumber={on.orderNumber} provider={on.other} /> : null}
    </>
  );
}

/** After a failed start: the counted retries of the first provider, and the other provider. */
function OpenAgain({ on }: { on: RetryOption }) {
  const { orderNumber, retries, other, isDown } = on;
  if (!on.isCounted) return <PayAgain on={on} />;
  const isOver = retries >= MAX_RETRIES;
  const retry = <RetryStart orderNumber={orderNumber} provider={on.tried} retries={retries} />;
  if (!other) return retry;
  const look = isOver || isDown ? 'primary' : 'secondary';
  const fallbackProvider = <OtherWay look={look} orderNumber={orderNumber} provider={other} />;
  return isDown ? (
    <>
      {fallbackProvider}
      {retry}
    </>
  ) : (
    <>
      {retry}
      {fallbackProvider}
    </>
  );
}

/** Says how many retries are used, and that there is another provider. */
function Attempts({ on }: { on: RetryOption }) {
  const { t } = useTranslation('payment');
  return (
    <div className="text-small mt-4 grid gap-1 text-ink-2">
      {on.isCounted ? <p>{t('issue.attempts', { used: on.retries, total: MAX_RETRIES })}</p> : null}
      {on.isCounted && on.other === 'paypal' ? <p>{t('other.note')}</p> : null}
    </div>
  );
}

/** Retries to start a payment, three times at most; with scripts after a pause that gives the provider time. */
function RetryStart({
  orderNumber,
  provider,
  retries,
}: {
  orderNumber: string;
  provider: ProviderName;
  retries: number;
}) {
  const { t } = useTranslation('payment');
  const [isWaiting, setWaiting] = useState(false);
  const hasWaited = useRef(false);
  const isOver = retries >= MAX_RETRIES;

  function waitFirst(event: FormEvent<HTMLFormElement>) {
    if (hasWaited.current) return;
    event.preventDefault();
    if (isWaiting) return;
    const form = event.currentTarget;
    setWaiting(true);
    setTimeout(() => {
      hasWaited.current = true;
      form.requestSubmit();
    }, RETRY_DELAY_MS);
  }

  return (
    <>
      <PayForm
        busy={isWaiting}
        disabled={isOver}
        onSubmit={waitFirst}
        orderNumber={orderNumber}
        provider={provider}
      >
        {isWaiting ? t('issue.waiting') : t('issue.retry')}
      </PayForm>
      <PayForm
        disabled={isOver}
        look="secondary"
        newTab
        orderNumber={orderNumber}
        provider={provider}
      >
        {t('issue.newTab')}
      </PayForm>
    </>
  );
}
