import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { problem } from '~/platform/http/problem.server.ts';
import { zodIssues } from '~/platform/input/wire.ts';
import { parsedJson } from '~/platform/input/read-body.server.ts';
import type { ApiCall } from './api/api-call.ts';
import { calls } from './api/api-calls.server.ts';
import { randomBytes } from 'node:crypto';
import { apiDocs } from './api/api-docs.server.tsx';
import { applicationApi } from '~/features/status/api.server.ts';
import { applicationsByOrder } from '~/features/application/store.server.ts';
import { hasSeveralTravellers } from '~/features/application/travellers.ts';
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

const templates = Object.entries(calls).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: new Map<string, ApiCall>(Object.entries(methods)),
}));

const methodsAt = (path: string) => templates.find(({ pattern }) => pattern.test(path))?.methods;

/**
 * Has described calls keep to what their description says of input: a parameter of the address that is not described is
 * refused, and a member of the body that is not is named in the answer. `staff`: whether for their calls, once they are
 * signed in, or for all others.
 */
function refuseUndescribedInput({ staff }: { staff: boolean }): MiddlewareHandler {
  return async (c, next) => {
    const method = c.req.method === 'HEAD' ? 'get' : c.req.method.toLowerCase();
    const call = methodsAt(c.req.path)?.get(method);
    if (!call || (call.staff ?? false) !== staff) return next();
    const asked = c.req.query();
    const { query = z.object() } = call;
    const unknown = Object.keys(asked).filter((name) => !(name in query.shape));
    if (unknown.length > 0) {
      const errors = Object.fromEntries(unknown.map((name) => [name, 'unknown_parameter']));
      return problem({ code: 'unknown_parameter', errors });
    }
    const read = query.safeParse(asked);
    if (!read.success) return problem({ code: 'invalid', errors: zodIssues(read.error) });
    await next();
    const ignored = call.body ? unknownMembers(call.body, parsedJson(c.req.raw)) : [];
    if (ignored.length === 0 || !c.res.headers.get('Content-Type')?.includes('json')) return;
    const answer: unknown = await c.res.clone().json();
    const headers = new Headers(c.res.headers);
    headers.delete('Content-Length');
    if (Array.isArray(answer))
      headers.set('Ignored-Members', ignored.map(encodeURIComponent).join(', '));
    const body = Array.isArray(answer) ? answer : { ...(answer as object), ignored };
    const { status } = c.res;
    c.res = undefined;
    c.res = new Response(JSON.stringify(body), { status, headers });
  };
}

/** Most members that an answer names. */
const MAX_NAMED_MEMBERS = 50;

/** The paths of all members that a schema does not know. */
export function unknownMembers(schema: z.core.$ZodType, value: unknown, path = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unknownMembers(schema.unwrap(), value, path);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const { element } = schema;
    return value
      .flatMap((one, index) => unknownMembers(element, one, `${path}[${index}]`))
      .slice(0, MAX_NAMED_MEMBERS);
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      const place = path === '' ? name : `${path}.${name}`;
      const known: z.core.$ZodType | undefined = Object.hasOwn(schema.shape, name)
        ? schema.shape[name]
        : schema.def.catchall;
      return known ? unknownMembers(known, inner, place) : [place.slice(0, 200)];
    })
    .slice(0, MAX_NAMED_MEMBERS);
}

/** 405 for a described address with another method, 404 for any other. */
function refuseUndescribedCalls(app: Hono): void {
  app.all('/api/*', ({ req }) => refusalAt(req.path) ?? problem({ code: 'not_found' }));
  app.all('/paypal/*', ({ req }, next) => refusalAt(req.path) ?? next());
}

function refusalAt(path: string): Response | null {
  const methods = methodsAt(path);
  if (!methods) return null;
  const allowed = [...methods.keys()].flatMap((method) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  return problem({ code: 'method_not_allowed', headers: { Allow: allowed.join(', ') } });
}

/** Every HTTP call of the service, feature by feature. */
export function api(platform: Platform, payments: Payments) {
  const app = new Hono();
  app.use('/api/*', refuseUndescribedInput({ staff: false }));
  app.use('/paypal/*', refuseUndescribedInput({ staff: false }));
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
    isOfSeveral: async (number) =>
      hasSeveralTravellers(await applicationsByOrder(platform.db, number)),
  });
  app.route('/', orderApi(platform, payments, toPay));
  app.route('/', paypalApi(platform, payments, toPay));
  app.route('/', paymentCallbacks(platform, payments));
  app.route('/', deskApi(platform, payments, refuseUndescribedInput({ staff: true })));
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
  refuseUndescribedCalls(app);
  return app;
}
