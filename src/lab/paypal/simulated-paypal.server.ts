import {
  createHash,
  createHmac,
  randomBytes,
  randomUUID,
  sign,
  timingSafeEqual,
} from 'node:crypto';
import { signedText } from '~/features/payment/providers/paypal-client.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { untrustedKey, type Partner } from '../partner.server.ts';
import { errorJson } from './representation.ts';

/** The simulated PayPal's path, in test mode. */
export const SIMULATED_PAYPAL_PATH = '/lab/paypal';
/** Lale's account and webhook there. */
export const SIMULATED_CLIENT_ID = 'LALE-TEST';
export const SIMULATED_WEBHOOK_ID = '0LALETESTWEBHOOK1';

/** A simulated PayPal. It knows its own key and one account, nothing else of Lale. */
export type SimulatedPaypal = Partner & {
  /** Signs its webhooks; its certificate is made from it. */
  privateKey: string;
  clientId: string;
  clientSecret: string;
  webhookId: string;
  /** The addresses of its calls, and of its approval page for browsers. */
  apiUrl: string;
  approvalUrl: string;
};

/** The simulated PayPal of this installation; null in live mode. */
export function simulatedPaypal(platform: Platform): SimulatedPaypal | null {
  const { simulator, publicUrl, mode, host, port } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const own = `http://${host}:${port}`;
  const paypal: SimulatedPaypal = {
    name: 'paypal',
    db: platform.db,
    now: platform.now,
    privateKey: simulator.provider.privateKey,
    clientId: SIMULATED_CLIENT_ID,
    clientSecret: simulatedSecret(simulator.merchant.privateKey),
    webhookId: SIMULATED_WEBHOOK_ID,
    webhookUrl: `${own}/api/payment/notification/paypal`,
    signedHeaders: (body, signature) => signedHeaders(paypal, body, signature),
    failure: (status) => errorJson(status, null, newId()),
    apiUrl: own + SIMULATED_PAYPAL_PATH,
    approvalUrl: `${publicUrl}${SIMULATED_PAYPAL_PATH}/checkoutnow`,
  };
  return paypal;
}

/** 17 capital letters and digits, like PayPal's ids. */
export const newId = (): string => randomBytes(9).toString('hex').toUpperCase().slice(0, 17);

function signedHeaders(
  paypal: SimulatedPaypal,
  body: string,
  signature: 'right' | 'wrong',
): Record<string, string> {
  const transmissionId = randomUUID();
  const transmissionTime = paypal.now().toISOString();
  const text = signedText({
    transmissionId,
    transmissionTime,
    webhookId: paypal.webhookId,
    body: Buffer.from(body),
  });
  const key = signature === 'right' ? paypal.privateKey : untrustedKey();
  return {
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': `${paypal.apiUrl}/v1/notifications/certs/${certificateId(paypal)}`,
    'paypal-transmission-id': transmissionId,
    'paypal-transmission-time': transmissionTime,
    'paypal-transmission-sig': sign('RSA-SHA256', Buffer.from(text), key).toString('base64'),
  };
}

export const certificateId = (paypal: SimulatedPaypal): string =>
  `CERT-${createHash('sha256').update(paypal.privateKey).digest('hex').slice(0, 24)}`;

/** The account's secret, derived so that it need not be stored. */
export const simulatedSecret = (merchantKey: string): string =>
  createHash('sha256').update(`paypal:${merchantKey}`).digest('base64url');

/** Shorter than PayPal's nine hours, so that long tests cover a renewal. */
export const TOKEN_SECONDS = 3600;

/** A signed token that contains its expiry; nothing is stored. */
export function issueToken(paypal: SimulatedPaypal, use: 'api' | 'browser' = 'api'): string {
  const until = Math.floor(paypal.now().getTime() / 1000) + TOKEN_SECONDS;
  const text = `${use}.${until}`;
  return `${text}.${macOf(paypal, text)}`;
}

export function isToken(paypal: SimulatedPaypal, token: string): boolean {
  const [use = '', until = '', mac = ''] = token.split('.');
  const expected = Buffer.from(macOf(paypal, `${use}.${until}`));
  const given = Buffer.from(mac);
  if (use !== 'api' || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return false;
  }
  return Number(until) * 1000 > paypal.now().getTime();
}

const macOf = (paypal: SimulatedPaypal, text: string) =>
  createHmac('sha256', paypal.clientSecret).update(text).digest('hex');
