import { providerNames } from '~/base/payment-providers.ts';
import { lastHeard } from '~/features/payment/settlement/callbacks.server.ts';
import { askCardGateway } from '~/features/payment/providers/card-gateway.server.ts';
import type { NoAnswer } from '~/features/payment/provider.ts';
import {
  askPaypalWebhook,
  missingEvents,
} from '~/features/payment/providers/paypal-client.server.ts';
import {
  askStripeWebhook,
  missingEvents as missingStripeEvents,
} from '~/features/payment/providers/stripe-client.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import {
  found,
  guide,
  minuteOf,
  missing,
  ok,
  unknown,
  variable,
  type Finding,
  type Result,
} from './setup-check.ts';

type Providers = Config['providers'];

const FIRST_PAYMENT = guide('docs/going-live.md, “The first dollar”');
const PAYPAL_WEBHOOK = guide('docs/operations.md, “PayPal”');
const STRIPE_WEBHOOK = guide('docs/operations.md, “Stripe”');

/** Whether the card partner answers and accepts what we sign. It is told where to notify us with every payment. */
export async function cardCheck(gateway: NonNullable<Providers['card']>): Promise<Result> {
  const { host } = new URL(gateway.endpoint);
  const answer = await askCardGateway(gateway);
  if (answer === 'accepted') return ok(found('cardGood', { host }));
  if (answer === 'same') return unknown(found('cardSame', { host }), FIRST_PAYMENT);
  return answer === 'refused'
    ? missing(
        found('partnerRefuses', { host }),
        variable('CARD_GATEWAY_MERCHANT_ID'),
        variable('CARD_GATEWAY_PRIVATE_KEY'),
      )
    : missing(partnerAway(host, answer), variable('CARD_GATEWAY_ENDPOINT'));
}

/** Whether PayPal answers, accepts our app, and has its webhook lead here with every event that we need. */
export async function paypalCheck(
  account: NonNullable<Providers['paypal']>,
  publicUrl: string,
): Promise<Result> {
  const { host } = new URL(account.endpoint);
  const url = `${publicUrl}/api/payment/notification/paypal`;
  const answer = await askPaypalWebhook(account);
  if (answer === 'refused') {
    const account = [variable('PAYPAL_CLIENT_ID'), variable('PAYPAL_CLIENT_SECRET')];
    return missing(found('partnerRefuses', { host }), ...account);
  }
  if (answer === 'unknown_webhook') {
    return missing(found('webhookUnknown', { host }), variable('PAYPAL_WEBHOOK_ID'));
  }
  if ('noAnswer' in answer) return missing(partnerAway(host, answer), variable('PAYPAL_ENDPOINT'));
  if (answer.url !== url) {
    const elsewhere = found('webhookElsewhere', { url: answer.url, expected: url });
    return missing(elsewhere, PAYPAL_WEBHOOK);
  }
  const events = missingEvents(answer).join(', ');
  return events === ''
    ? ok(found('webhookGood', { host, url }))
    : missing(found('webhookEvents', { events }), PAYPAL_WEBHOOK);
}

/** Whether Stripe answers, accepts our key with every right to read, and has a webhook that leads here with every event that we need. */
export async function stripeCheck(
  account: NonNullable<Providers['stripe']>,
  publicUrl: string,
): Promise<Result> {
  const { host } = new URL(account.endpoint);
  const url = `${publicUrl}/api/payment/notification/stripe`;
  const answer = await askStripeWebhook(account, url);
  if (answer === 'refused') {
    return missing(found('partnerRefuses', { host }), variable('STRIPE_SECRET_KEY'));
  }
  if (answer === 'no_webhook') return missing(found('webhookNone', { host, url }), STRIPE_WEBHOOK);
  if ('noAnswer' in answer) return missing(partnerAway(host, answer), variable('STRIPE_ENDPOINT'));
  if ('lacking' in answer) {
    const rights = answer.lacking.join(', ');
    return missing(found('keyRights', { host, rights }), STRIPE_WEBHOOK);
  }
  const events = missingStripeEvents(answer.events).join(', ');
  return events === ''
    ? ok(found('webhookGood', { host, url }))
    : missing(found('webhookEvents', { events }), STRIPE_WEBHOOK);
}

/** Whether each partner has told us of anything yet: only that proves that its notifications arrive and are accepted. */
export async function heardCheck(
  { providers }: Pick<Config, 'providers'>,
  db: Database,
): Promise<Result> {
  const findings: Finding[] = [];
  let isSilent = false;
  for (const provider of providerNames) {
    const endpoint = providers[provider]?.endpoint;
    if (endpoint === undefined) continue;
    const at = await lastHeard(db, provider, endpoint);
    const name = new URL(endpoint).host;
    isSilent ||= at === null;
    findings.push(
      at ? found('heardGood', { name, moment: minuteOf(at) }) : found('heardNever', { name }),
    );
  }
  return isSilent ? unknown(findings, FIRST_PAYMENT) : ok(findings);
}

const partnerAway = (host: string, { noAnswer: reason }: NoAnswer): Finding =>
  found('partnerAway', { host, reason });
