import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { z } from 'zod';
import {
  type Gateway,
  notice,
  simulatedGateway,
  gatewayFaults,
  type GatewayFaults,
} from '~/lab/gateway/simulated-gateway.server.ts';
import { gatewayApi } from '~/lab/gateway/gateway-api.server.ts';
import { notifyMerchant } from '~/lab/gateway/gateway.server.ts';
import { paypalCalls } from '~/lab/paypal/paypal-calls.server.ts';
import { deliverOrThrow } from '~/lab/partner.server.ts';
import {
  SIMULATED_PAYPAL_PATH,
  simulatedPaypal,
  type SimulatedPaypal,
} from '~/lab/paypal/simulated-paypal.server.ts';
import { readConfig } from '~/platform/config/config.server.ts';
import { startJobs } from '~/platform/jobs/jobs.server.ts';
import { openPlatform } from '~/platform/platform.server.ts';
import type { Pool } from 'pg';
import type { ArmedPoint } from './driver.ts';

const GATEWAY_PATH = '/lab/gateway';

export type PartnerDoubles = {
  gateway: Gateway;
  paypal: SimulatedPaypal;
  /** Card payments captured without a notification: the service has to ask. */
  silent: Set<string>;
  /** Their own database. */
  pool: Pool;
  /** The service's variables for using them. */
  variables: Record<string, string>;
  close(): Promise<void>;
};

type DoublesOptions = {
  dataDir: string;
  port: number;
  /** The service's address. */
  merchant: string;
  armedPoint: ArmedPoint;
  /** Resolves once the service has committed an event about this attempt. */
  committed(attemptId: string): Promise<void>;
};

/** Both payment providers, in this process and with a database of their own, so that they outlive the service. */
export async function startDoubles(options: DoublesOptions): Promise<PartnerDoubles> {
  const { dataDir, port, merchant, armedPoint } = options;
  const config = readConfig({
    MODE: 'test',
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'silent',
  });
  const platform = await openPlatform(config);
  const [plain, paypalThere] = [simulatedGateway(platform), simulatedPaypal(platform)];
  const { simulator } = config;
  if (!plain || !paypalThere || !simulator) throw new Error('The doubles are for test mode');
  const silent = new Set<string>();
  const gateway = { ...plain, faults: holdingAtKillPoint(gatewayFaults(), armedPoint, silent) };
  const paypal: SimulatedPaypal = {
    ...paypalThere,
    webhookUrl: `${merchant}/api/payment/notification/paypal`,
    onHeld: () => armedPoint.reach(),
  };

  const { fetch } = new Hono()
    .route(GATEWAY_PATH, gatewayApi(gateway))
    .route(SIMULATED_PAYPAL_PATH, paypalCalls(paypal));
  const server = serve({ fetch, port, hostname: '127.0.0.1' });

  const jobs = startJobs({
    pool: platform.forJobs.pool,
    log: platform.log,
    handlers: {
      'lab.gateway_notify': async (payload) => {
        const about = notice.parse(payload);
        const telling = notifyMerchant(gateway, about);
        const isPayment = about.refundRef === undefined;
        if (!isPayment || !armedPoint.take('card notified')) return telling;
        return unanswered(telling, options.committed(about.orderRef), armedPoint);
      },
      'lab.paypal_notify': async (payload) => {
        const delivery = z
          .object({ eventId: z.string(), signature: z.enum(['right', 'wrong']) })
          .parse(payload);
        await deliverOrThrow(paypal, delivery);
      },
    },
  });
  const own = `http://127.0.0.1:${port}`;
  return {
    gateway,
    paypal,
    silent,
    pool: platform.pool,
    variables: {
      CARD_GATEWAY_ENDPOINT: own + GATEWAY_PATH,
      CARD_GATEWAY_MERCHANT_ID: gateway.merchantId,
      CARD_GATEWAY_PRIVATE_KEY: simulator.merchant.privateKey,
      CARD_GATEWAY_PROVIDER_PUBLIC_KEYS: simulator.provider.publicKey,
      PAYPAL_ENDPOINT: own + SIMULATED_PAYPAL_PATH,
      PAYPAL_CLIENT_ID: paypal.clientId,
      PAYPAL_CLIENT_SECRET: paypal.clientSecret,
      PAYPAL_WEBHOOK_ID: paypal.webhookId,
    },
    async close() {
      await jobs.stop();
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
      await platform.close();
    },
  };
}

/** Discards the answer, so that the sender considers it lost and repeats the message. */
export async function unanswered(
  telling: Promise<unknown>,
  committed: Promise<void>,
  armedPoint: ArmedPoint,
): Promise<never> {
  // A service that is still starting does not receive it, and will not commit it.
  const heard = telling.then(() => committed);
  await Promise.race([committed, heard]).catch((error: unknown) => {
    // The kill point stays armed for the next message.
    armedPoint.rearm();
    throw error;
  });
  armedPoint.reach();
  throw new Error('The answer never came');
}

/** The gateway's faults, and in addition it holds its answer at the armed kill point. */
function holdingAtKillPoint(
  faults: GatewayFaults,
  armedPoint: ArmedPoint,
  silent: ReadonlySet<string>,
): GatewayFaults {
  const known = new Set<string>();
  return {
    ...faults,
    take(on, orderRef = '') {
      const planned = faults.take(on, orderRef);
      if (planned) return planned;
      // The browser's form leads to the same place later.
      const isFirst = on === 'checkout' && !known.has(orderRef);
      known.add(orderRef);
      if (isFirst && armedPoint.take('card create')) return 'held';
      if (on === 'query' && silent.has(orderRef) && armedPoint.take('card ask')) return 'held';
      if (on === 'refund' && armedPoint.take('card refund')) return 'held';
      return null;
    },
    hold(go, orderRef) {
      faults.hold(go, orderRef);
      armedPoint.reach();
    },
  };
}
