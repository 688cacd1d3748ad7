import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { apiDocs } from './api/api-docs.server.tsx';
import { keepToDescription, refuseOtherwise } from './api/described-calls.server.ts';
import { applicationApi } from '~/features/status/api.server.ts';
import { applicationsOfOrder } from '~/features/application/store.server.ts';
import { areSeveral } from '~/features/application/travellers.ts';
import { cancellationApi } from '~/features/status/cancel-api.server.ts';
import { catalogApi } from '~/features/catalog/api.server.ts';
import { makeNumber, normaliseNumber, prefixes } from '~/features/application/number.ts';
import { deskApi } from '~/features/desk/api/api.server.ts';
import { groupApi } from '~/features/group/api.server.ts';
import { insuranceApi } from '~/features/insurance/purchase/api.server.ts';
import { emailApi } from '~/features/email/api.server.ts';
import { orderToPay } from '~/features/order/order-to-pay.server.ts';
import { orderApi } from '~/features/order/api.server.ts';
import { paymentCallbacks } from '~/features/payment/settlement/callbacks.server.ts';
import type { Payments } from '~/features/payment/settlement/context.server.ts';
import { paypalApi } from '~/features/order/paypal-api.server.ts';
import { paypalCalls } from '~/lab/paypal/paypal-calls.server.ts';
import { simulatedPaypal, SIMULATED_PAYPAL_PATH } from '~/lab/paypal/simulated-paypal.server.ts';
import { stripeCalls } from '~/lab/stripe/stripe-calls.server.ts';
import { simulatedStripe, SIMULATED_STRIPE_PATH } from '~/lab/stripe/simulated-stripe.server.ts';
import { gatewayApi } from '~/lab/gateway/gateway-api.server.ts';
import { simulatedGateway } from '~/lab/gateway/simulated-gateway.server.ts';
import { siteApi } from '~/features/site/api.server.ts';
import { correctionApi } from '~/features/status/correct.server.ts';
import { visaApi } from '~/features/visa/purchase/api.server.ts';
import { SIMULATOR_PATH } from './composition/payments.server.ts';
import { cspReports } from './pages/csp-reports.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { seeders } from './composition/seeders.server.ts';

/** Every HTTP call of the service, feature by feature. */
export function api(platform: Platform, payments: Payments) {
  const app = new Hono();
  app.use('/api/*', keepToDescription({ staff: false }));
  app.use('/paypal/*', keepToDescription({ staff: false }));
  app.route('/', catalogApi(platform, seeders));
  app.route('/', visaApi(platform));
  app.route('/', insuranceApi(platform));
  app.route('/', groupApi(platform));
  app.route('/', applicationApi(platform));
  app.route('/', cancellationApi(platform));
  app.route('/', correctionApi(platform));
  const toPay = orderToPay(platform, {
    normalise: normaliseNumber,
    newNumber: () => makeNumber(prefixes.group, randomBytes(12)),
    isOfSeveral: async (number) => areSeveral(await applicationsOfOrder(platform.db, number)),
  });
  app.route('/', orderApi(platform, payments, toPay));
  app.route('/', paypalApi(platform, payments, toPay));
  app.route('/', paymentCallbacks(platform, payments));
  app.route('/', deskApi(platform, payments, keepToDescription({ staff: true })));
  app.route('/', emailApi(platform));
  app.route('/', siteApi(platform));
  app.route('/', cspReports(platform));
  app.route('/', apiDocs(platform));
  const gateway = simulatedGateway(platform);
  if (gateway) app.route(SIMULATOR_PATH, gatewayApi(gateway));
  const paypal = simulatedPaypal(platform);
  if (paypal) app.route(SIMULATED_PAYPAL_PATH, paypalCalls(paypal));
  const stripe = simulatedStripe(platform);
  if (stripe) app.route(SIMULATED_STRIPE_PATH, stripeCalls(stripe));
  refuseOtherwise(app);
  return app;
}
