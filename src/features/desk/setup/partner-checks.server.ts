import { providerNames } from '~/base/payment-providers.ts';
import { lastNotificationMoment } from '~/features/payment/settlement/callbacks.server.ts';
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
  makeFinding,
  guideMend,
  formatUtcMinute,
  missing,
  passCheck,
  unknown,
  variableMend,
  type CheckFinding,
  type CheckReport,
} from './setup-check.ts';

type Providers = Config['providers'];

const FIRST_PAYMENT = guideMend('docs/going-live.md, “The first dollar”');
const PAYPAL_WEBHOOK = guideMend('docs/operations.md, “PayPal”');
const STRIPE_WEBHOOK = guideMend('docs/operations.md, “Stripe”');

/** Whether the card partner answers and accepts what we sign. It is told where to notify us with every payment. */
export async function cardCheck(gateway: NonNullable<Providers['card']>): Promise<CheckReport> {
  const { host } = new URL(gateway.endpoint);
  const answer = await askCardGateway(gateway);
  if (answer === 'accepted') return passCheck(makeFinding('cardGood', { host }));
  if (answer === 'same') return unknown(makeFinding('cardSame', { host }), FIRST_PAYMENT);
  return answer === 'refused'
    ? missing(
        makeFinding('partnerRefuses', { host }),
        variableMend('CARD_GATEWAY_MERCHANT_ID'),
        variableMend('CARD_GATEWAY_PRIVATE_KEY'),
      )
    : missing(partnerAway(host, answer), variableMend('CARD_GATEWAY_ENDPOINT'));
}

/** Whether PayPal answers, accepts our app, and has its webhook lead here with every event that we need. */
export async function paypalCheck(
  account: NonNullable<Providers['paypal']>,
  publicUrl: string,
): Promise<CheckReport> {
  const { host } = new URL(account.endpoint);
  const url = `${publicUrl}/api/payment/notification/paypal`;
  const answer = await askPaypalWebhook(account);
  if (answer === 'refused') {
    const account = [variableMend('PAYPAL_CLIENT_ID'), variableMend('PAYPAL_CLIENT_SECRET')];
    return missing(makeFinding('partnerRefuses', { host }), ...account);
  }
  if (answer === 'unknown_webhook') {
    return missing(makeFinding('webhookUnknown', { host }), variableMend('PAYPAL_WEBHOOK_ID'));
  }
  if ('noAnswer' in answer)
    return missing(partnerAway(host, answer), variableMend('PAYPAL_ENDPOINT'));
  if (answer.url !== url) {
    const elsewhere = makeFinding('webhookElsewhere', { url: answer.url, expected: url });
    return missing(elsewhere, PAYPAL_WEBHOOK);
  }
  const events = missingEvents(answer).join(', ');
  return events === ''
    ? passCheck(makeFinding('webhookGood', { host, url }))
    : missing(makeFinding('webhookEvents', { events }), PAYPAL_WEBHOOK);
}

/** Whether Stripe answers, accepts our key with every right to read, and has a webhook that leads here with every event that we need. */
export async function stripeCheck(
  account: NonNullable<Providers['stripe']>,
  publicUrl: string,
): Promise<CheckReport> {
  const { host } = new URL(account.endpoint);
  const url = `${publicUrl}/api/payment/notification/stripe`;
  const answer = await askStripeWebhook(account, url);
  if (answer === 'refused') {
    return missing(makeFinding('partnerRefuses', { host }), variableMend('STRIPE_SECRET_KEY'));
  }
  if (answer === 'no_webhook')
    return missing(makeFinding('webhookNone', { host, url }), STRIPE_WEBHOOK);
  if ('noAnswer' in answer)
    return missing(partnerAway(host, answer), variableMend('STRIPE_ENDPOINT'));
  if ('lacking' in answer) {
    const rights = answer.lacking.join(', ');
    return missing(makeFinding('keyRights', { host, rights }), STRIPE_WEBHOOK);
  }
  const events = missingStripeEvents(answer.events).join(', ');
  return events === ''
    ? passCheck(makeFinding('webhookGood', { host, url }))
    : missing(makeFinding('webhookEvents', { events }), STRIPE_WEBHOOK);
}

/** Whether each partner has told us of anything yet: only that proves that its notifications arrive and are accepted. */
export async function notificationsCheck(
  { providers }: Pick<Config, 'providers'>,
  db: Database,
): Promise<CheckReport> {
  const findings: CheckFinding[] = [];
  let isSilent = false;
  for (const provider of providerNames) {
    const endpoint = providers[provider]?.endpoint;
    if (endpoint === undefined) continue;
    const at = await lastNotificationMoment(db, provider, endpoint);
    const name = new URL(endpoint).host;
    isSilent ||= at === null;
    findings.push(
      at
        ? makeFinding('heardGood', { name, moment: formatUtcMinute(at) })
        : makeFinding('heardNever', { name }),
    );
  }
  return isSilent ? unknown(findings, FIRST_PAYMENT) : passCheck(findings);
}

const partnerAway = (host: string, { noAnswer: reason }: NoAnswer): CheckFinding =>
  makeFinding('partnerAway', { host, reason });
