import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Database } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { FaultCall } from './scenarios.ts';

/** The simulated PayPal's path, in test mode. */
export const SIMULATED_PAYPAL_PATH = '/lab/paypal';
/** Lale's account and webhook there. */
export const SIMULATED_CLIENT_ID = 'LALE-TEST';
export const SIMULATED_WEBHOOK_ID = '0LALETESTWEBHOOK1';

/** A simulated PayPal. It knows its own key and one account, nothing else of Lale. */
export type SimulatedPaypal = {
  db: Database;
  now: () => Date;
  /** Signs its webhooks; its certificate is made from it. */
  privateKey: string;
  clientId: string;
  clientSecret: string;
  webhookId: string;
  /** The address to which the account's webhooks are sent. */
  webhookUrl: string;
  /** The addresses of its calls, and of its approval page for browsers. */
  apiUrl: string;
  approvalUrl: string;
  /** Called when a call is done and held. */
  onHeld?: (call: FaultCall) => void;
};

/** The simulated PayPal of this installation; null in live mode. */
export function simulatedPaypal(platform: Platform): SimulatedPaypal | null {
  const { simulator, publicUrl, mode, host, port } = platform.config;
  if (mode !== 'test' || !simulator) return null;
  const own = `http://${host}:${port}`;
  return {
    db: platform.db,
    now: platform.now,
    privateKey: simulator.provider.privateKey,
    clientId: SIMULATED_CLIENT_ID,
    clientSecret: simulatedSecret(simulator.merchant.privateKey),
    webhookId: SIMULATED_WEBHOOK_ID,
    webhookUrl: `${own}/api/payment/notification/paypal`,
    apiUrl: own + SIMULATED_PAYPAL_PATH,
    approvalUrl: `${publicUrl}${SIMULATED_PAYPAL_PATH}/checkoutnow`,
  };
}

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
