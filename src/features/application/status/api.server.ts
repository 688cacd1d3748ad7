import { Hono } from 'hono';
import { addressOf } from '~/platform/http/address.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { areSeveral } from '../travellers.ts';
import { lookUp, type LookupError } from './lookup.server.ts';
import { orderStatusAnswer, statusAnswer } from './status-view.ts';

const notFound = () =>
  problem({
    status: 404,
    code: 'application_not_found',
    detail: 'Application not found. Please check your application number and try again',
  });

/** The number of an order names nobody of several travellers: answering one of them would hide the others. */
const severalTravellers = () =>
  problem({
    status: 404,
    code: 'order_of_several',
    detail:
      'This is the number of an order for several travellers. GET /api/orders/{number} answers everyone in it',
  });

/**
 * The status of one application by its number, or of all in an order by the order's number; with the rules and limits
 * of the status page.
 */
export function applicationApi(platform: Platform) {
  const app = new Hono();
  for (const [path, kind] of [
    ['/api/applications/:number', 'visa'],
    ['/api/insurance/applications/:number', 'insurance'],
  ] as const) {
    app.get(path, async (c) => {
      const address = addressOf(c, platform);
      const found = await lookUp(platform, c.req.param('number'), { address });
      if (!found.ok) return refusal(found.error);
      const { view, everyone } = found.value;
      if (everyone && areSeveral(everyone)) return severalTravellers();
      // One traveller's e-visa and insurance have an order number in common.
      const asked = (everyone ?? [view]).find((one) => one.kind === kind);
      if (!asked) return notFound();
      c.header('Cache-Control', 'no-store');
      return c.json(statusAnswer(asked));
    });
  }
  app.get('/api/orders/:number', async (c) => {
    const found = await lookUp(platform, c.req.param('number'), {
      address: addressOf(c, platform),
    });
    if (!found.ok) return refusal(found.error);
    if (!found.value.everyone) return notFound();
    c.header('Cache-Control', 'no-store');
    return c.json(orderStatusAnswer(found.value.everyone));
  });
  return app;
}

function refusal(error: LookupError): Response {
  switch (error.code) {
    case 'too_many':
      return problem({
        status: 429,
        code: 'too_many_lookups',
        detail: 'Too many look-ups. Try again later',
        headers: { 'Retry-After': String(error.retryAfterSeconds) },
      });
    case 'not_found':
      return notFound();
    case 'empty':
      return problem({
        status: 422,
        code: 'empty_number',
        detail: 'Please enter your application number',
      });
    case 'too_short':
      return problem({
        status: 422,
        code: 'short_number',
        detail: 'Application number must be at least 6 characters long',
      });
    case 'mistyped':
    case 'not_a_number':
      return problem({
        status: 422,
        code: 'mistyped_number',
        detail:
          'This is not a complete application number: a character is wrong, missing or too many',
      });
  }
}
