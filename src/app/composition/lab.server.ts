import { randomBytes } from 'node:crypto';
import { ok, refused } from '~/base/outcome.ts';
import { makeNumber, normaliseNumber, prefixes } from '~/features/application/number.ts';
import { checkout, findOrder } from '~/features/order/checkout.server.ts';
import { placeLabOrder } from '~/features/order/order-to-pay.server.ts';
import { payRefusal } from '~/features/order/may-pay.ts';
import { attemptsByReference } from '~/features/payment/settlement/store.server.ts';
import { requestInitiator } from '~/features/order/payer/payer.server.ts';
import { labSession, payerSessionHash } from '~/features/order/payer/session.server.ts';
import { orderTotal } from '~/features/order/store.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import type { LabContext } from '~/lab/context.server.ts';
import { mustSetUpSecondFactor } from '~/features/staff/require.server.ts';
import { may } from '~/features/staff/roles.ts';
import { requestStaff } from '~/features/staff/session.server.ts';
import { SIMULATOR_PATH } from './payments.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Connects the payment lab with orders and staff, which the payment feature does not import. */
export function makeLab(platform: Platform, { providers }: Payments): LabContext {
  const { config } = platform;
  const isTest = config.mode === 'test';
  const own = config.providers.card?.endpoint;
  return {
    async isOpen(request) {
      if (isTest) return true;
      const staff = await requestStaff(platform, request);
      if (!staff || mustSetUpSecondFactor(platform, staff)) return false;
      return may(staff.role, 'administer');
    },
    session: (request) => labSession(platform, request),
    gatewayEndpoint: own ?? `http://${config.host}:${config.port}${SIMULATOR_PATH}`,
    gatewayPage: own
      ? new URL(config.providers.card?.publicEndpoint ?? own).origin
      : `${config.publicUrl}/mock-gpay-payment`,
    async order(reference, { request, language }) {
      if (reference) {
        const found = await findOrder(platform, normaliseNumber(reference));
        if (!found || payRefusal(found, await attemptsByReference(platform.db, found.number)))
          return null;
        return { number: found.number, amount: orderTotal(found), isLab: found.lab };
      }
      if (!isTest) return null;
      const placed = await placeLabOrder(platform, {
        number: makeNumber(prefixes.group, randomBytes(12)),
        language,
        sessionHash: payerSessionHash(platform, request),
      });
      return { number: placed.number, amount: orderTotal(placed), isLab: true };
    },
    async startCard(number, { request, address }) {
      const order = await findOrder(platform, number);
      if (!order) return refused({ code: 'unknown_order' });
      const started = await checkout(platform, providers, order, {
        by: await requestInitiator(platform, request, order),
        address,
        provider: 'card',
      });
      if (!started.ok) return refused({ code: started.error.code });
      const { attemptId, paymentUrl } = started.value;
      return ok({ attemptId, paymentUrl });
    },
  };
}
