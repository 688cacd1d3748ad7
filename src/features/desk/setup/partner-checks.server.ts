import { providerNames } from '~/base/payment-providers.ts';
import { lastHeard } from '~/features/payment/settlement/callbacks.server.ts';
import { askCardGateway } from '~/features/payment/providers/card-gateway.server.ts';
import type { NoAnswer } from '~/features/payment/provider.ts';
import {
  askPaypalWebhook,
  missingEvents,
} from '~/features/payment/providers/paypal-client.server.ts';
import { askStripeWebhook } from '~/features/payment/providers/stripe-client.server.ts';
import { missingEvents as missingStripeEvents } from '~/features/payment/providers/stripe-notification.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Database } from '~/platform/postgres/database.server.ts';
import {
  checked,
  guide,
  minuteOf,
  variable,
  type Check,
  type Finding,
  type Mend,
} from './setup-check.ts';

type Card = NonNullable<Config['providers']['card']>;
type Paypal = NonNullable<Config['providers']['paypal']>;
type Stripe = NonNullable<Config['providers']['stripe']>;

/** Whether the card partner answers and accepts what we sign. It is told where to notify us with every payment. */
export async function cardCheck(gateway: Card): Promise<Check> {
  const values = { host: new URL(gateway.endpoint).host };
  const found = await askCardGateway(gateway);
  switch (found) {
    case 'accepted':
      return checked('card', 'ok', { code: 'cardGood', values });
    case 'same':
      return checked('card', 'unknown', { code: 'cardSame', values }, guide(FIRST_PAYMENT));
    case 'refused':
      return checked(
        'card',
        'missing',
        { code: 'partnerRefuses', values },
        variable('CARD_GATEWAY_MERCHANT_ID'),
        variable('CARD_GATEWAY_PRIVATE_KEY'),
      );
    default:
      return checked(
        'card',
        'missing',
        partnerAway(values.host, found),
        variable('CARD_GATEWAY_ENDPOINT'),
      );
  }
}

/** Whether PayPal answers, accepts our app, and has its webhook lead here with every event that we need. */
export async function paypalCheck(account: Paypal, publicUrl: string): Promise<Check> {
  const values = { host: new URL(account.endpoint).host };
  const expected = `${publicUrl}/api/payment/notification/paypal`;
  const found = await askPaypalWebhook(account);
  switch (found) {
    case 'refused':
      return checked(
        'paypal',
        'missing',
        { code: 'partnerRefuses', values },
        variable('PAYPAL_CLIENT_ID'),
        variable('PAYPAL_CLIENT_SECRET'),
      );
    case 'unknown_webhook':
      return checked(
        'paypal',
        'missing',
        { code: 'webhookUnknown', values },
        variable('PAYPAL_WEBHOOK_ID'),
      );
    default: {
      if ('noAnswer' in found) {
        const away = partnerAway(values.host, found);
        return checked('paypal', 'missing', away, variable('PAYPAL_ENDPOINT'));
      }
      const events = missingEvents(found);
      if (found.url !== expected) {
        const finding = { code: 'webhookElsewhere' as const, values: { url: found.url, expected } };
        return checked('paypal', 'missing', finding, guide(WEBHOOK));
      }
      return events.length === 0
        ? checked('paypal', 'ok', { code: 'webhookGood', values: { ...values, url: expected } })
        : checked(
            'paypal',
            'missing',
            { code: 'webhookEvents', values: { events: events.join(', ') } },
            guide(WEBHOOK),
          );
    }
  }
}

/** Whether Stripe answers, accepts our key with every right to read, and has a webhook that leads here with every event that we need. */
export async function stripeCheck(account: Stripe, publicUrl: string): Promise<Check> {
  const { host } = new URL(account.endpoint);
  const url = `${publicUrl}/api/payment/notification/stripe`;
  const found = await askStripeWebhook(account, url);
  const missing = (finding: Finding, mend: Mend) => checked('stripe', 'missing', finding, mend);
  switch (found) {
    case 'refused':
      return missing({ code: 'partnerRefuses', values: { host } }, variable('STRIPE_SECRET_KEY'));
    case 'no_webhook':
      return missing({ code: 'webhookNone', values: { host, url } }, guide(STRIPE_WEBHOOK));
    default: {
      if ('noAnswer' in found)
        return missing(partnerAway(host, found), variable('STRIPE_ENDPOINT'));
      if ('lacking' in found) {
        const values = { host, rights: found.lacking.join(', ') };
        return missing({ code: 'keyRights', values }, guide(STRIPE_WEBHOOK));
      }
      const events = missingStripeEvents(found.events).join(', ');
      return events === ''
        ? checked('stripe', 'ok', { code: 'webhookGood', values: { host, url } })
        : missing({ code: 'webhookEvents', values: { events } }, guide(STRIPE_WEBHOOK));
    }
  }
}

/** Whether each partner has told us of anything yet: only that proves that its notifications arrive and are accepted. */
export async function heardCheck(
  { providers }: Pick<Config, 'providers'>,
  db: Database,
): Promise<Check> {
  const found: Finding[] = [];
  let isSilent = false;
  for (const name of providerNames) {
    const endpoint = providers[name]?.endpoint;
    if (endpoint === undefined) continue;
    const at = await lastHeard(db, name, endpoint);
    const host = new URL(endpoint).host;
    isSilent ||= at === null;
    found.push(
      at
        ? { code: 'heardGood', values: { name: host, moment: minuteOf(at) } }
        : { code: 'heardNever', values: { name: host } },
    );
  }
  return checked('heard', isSilent ? 'unknown' : 'ok', found, guide(FIRST_PAYMENT));
}

const partnerAway = (host: string, { noAnswer: reason }: NoAnswer): Finding => ({
  code: 'partnerAway',
  values: { host, reason },
});

const FIRST_PAYMENT = 'docs/going-live.md, “The first dollar”';
const WEBHOOK = 'docs/operations.md, “PayPal”';
const STRIPE_WEBHOOK = 'docs/operations.md, “Stripe”';
