import type { ProviderName } from '~/base/payment-providers.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { travellersByNumber } from '~/features/application/travellers.ts';
import { startInsuranceClocks } from '~/features/insurance/certificate/certificate-job.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import type { Provider } from '~/features/payment/provider.ts';
import { cardGateway } from '~/features/payment/providers/card-gateway.server.ts';
import {
  SIMULATED_CLIENT_ID,
  SIMULATED_PAYPAL_PATH,
  SIMULATED_WEBHOOK_ID,
  simulatedSecret,
} from '~/lab/paypal/simulated-paypal.server.ts';
import { paypal, type PaypalSettings } from '~/features/payment/providers/paypal.server.ts';
import { paypalScript } from '~/features/payment/providers/paypal-client.server.ts';
import { stripe, type StripeSettings } from '~/features/payment/providers/stripe.server.ts';
import {
  simulatedStripeKeys,
  SIMULATED_STRIPE_PATH,
} from '~/lab/stripe/simulated-stripe.server.ts';
import { SIMULATOR_MERCHANT } from '~/lab/gateway/simulated-gateway.server.ts';
import type { OnRefunded } from '~/features/payment/settlement/refund.server.ts';
import type { OnPaid } from '~/features/payment/settlement/settle.server.ts';
import { markRefunded } from '~/features/order/refunds/order-refund.server.ts';
import { markPaid } from '~/features/order/pay.server.ts';
import { issueReceipt } from '~/features/order/receipt/issue-receipt.server.ts';
import { readOffice } from '~/features/settings/office.server.ts';
import { startVisaClocks } from '~/features/visa/store/store.server.ts';
import { type CardPartner, CERTIFICATES_PATH } from '~/platform/config/config-providers.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

const TIMEOUT_MS = 10_000;
/** Where the simulated gateway answers server calls, in test mode. */
export const SIMULATOR_PATH = '/lab/gateway';

/** What a completed payment sets off, all in the transaction that completed it. */
export const makeOnPaid =
  (config: Config): OnPaid =>
  async (tx, paid) => {
    const bought = await markPaid(tx, paid);
    if (!bought) return;
    // What is paid after the order was closed is refunded: nobody works on it, so no time is promised and no receipt
    // issued.
    if (!bought.order.closedAt) {
      const paidOn = { paidAt: paid.at, office: await readOffice(tx, paid.at) };
      await startVisaClocks(tx, bought.applicationNumbers, paidOn);
      await startInsuranceClocks(tx, bought.applicationNumbers, paidOn);
    }
    const { order, lines, applicationNumbers } = bought;
    const together =
      applicationNumbers.length > 1 ? await applicationsByOrder(tx, order.number) : [];
    const travellers = travellersByNumber(together);
    // Last, because receipt numbers are given one after the other: other payments wait from here on.
    await issueReceipt(tx, config, { order, lines, travellers });
  };

/** What a completed refund sets off, all in the transaction that completed it. */
const whenRefunded: OnRefunded = markRefunded;

/** Each partner as it is configured, or simulated in test mode; null where neither. */
const makers: Record<ProviderName, (platform: Platform) => Provider | null> = {
  card: (platform) => {
    const settings = cardGatewaySettings(platform);
    return settings && cardGateway(settings);
  },
  paypal: (platform) => {
    const account = paypalAccount(platform);
    return account && paypal(account);
  },
  stripe: (platform) => {
    const account = stripeAccount(platform);
    return account && stripe(account);
  },
};

/** The partner that takes cards, PayPal, and last the other one that could take cards. */
const offered = (cardPartner: CardPartner): ProviderName[] => [
  cardPartner,
  'paypal',
  cardPartner === 'card' ? 'stripe' : 'card',
];

export function makePayments(platform: Platform): Payments {
  const { config } = platform;
  const account = paypalAccount(platform);
  return {
    providers: offered(config.cardPartner).flatMap((name) => makers[name](platform) ?? []),
    onPaid: makeOnPaid(config),
    onRefunded: whenRefunded,
    paypalScript: account && paypalScript(account, { isLive: config.mode === 'live' }),
  };
}

/**
 * The configured gateway. In test mode without one, the simulated gateway, which is reached over HTTP although the same
 * process serves it.
 */
function cardGatewaySettings({ config }: Platform): Parameters<typeof cardGateway>[0] | null {
  const errorUrl = `${config.publicUrl}/payment-cancel?status=error`;
  const notificationPath = '/api/payment/notification/card';
  if (config.providers.card) {
    const notificationUrl = config.publicUrl + notificationPath;
    return { ...config.providers.card, errorUrl, notificationUrl };
  }
  if (!config.simulator) return null;
  const own = `http://${config.host}:${config.port}`;
  return {
    errorUrl,
    notificationUrl: own + notificationPath,
    endpoint: own + SIMULATOR_PATH,
    publicEndpoint: config.publicUrl + SIMULATOR_PATH,
    merchantId: SIMULATOR_MERCHANT,
    privateKey: config.simulator.merchant.privateKey,
    providerPublicKeys: [config.simulator.provider.publicKey],
    digest: 'sha256',
    mode: 'api',
    timeoutMs: TIMEOUT_MS,
  };
}

/** PayPal's own address where credentials are configured; in test mode without them the simulated PayPal. */
function paypalAccount({ config, now }: Platform): PaypalSettings | null {
  if (config.providers.paypal) return { ...config.providers.paypal, now };
  if (!config.simulator) return null;
  const own = `http://${config.host}:${config.port}`;
  return {
    endpoint: own + SIMULATED_PAYPAL_PATH,
    certificates: own + SIMULATED_PAYPAL_PATH + CERTIFICATES_PATH,
    clientId: SIMULATED_CLIENT_ID,
    clientSecret: simulatedSecret(config.simulator.merchant.privateKey),
    webhookId: SIMULATED_WEBHOOK_ID,
    timeoutMs: TIMEOUT_MS,
    now,
  };
}

/** Stripe's own address where a key is configured; in test mode without one the simulated Stripe. */
function stripeAccount({ config, now }: Platform): StripeSettings | null {
  if (config.providers.stripe) return { ...config.providers.stripe, now };
  if (!config.simulator) return null;
  const { secretKey, webhookSecret } = simulatedStripeKeys(config.simulator.merchant.privateKey);
  return {
    endpoint: `http://${config.host}:${config.port}${SIMULATED_STRIPE_PATH}`,
    secretKey,
    webhookSecrets: [webhookSecret],
    timeoutMs: TIMEOUT_MS,
    now,
  };
}
