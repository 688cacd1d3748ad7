import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { payerSessionHash } from '~/features/order/payer/session.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { zodIssues, day } from '~/platform/input/wire.ts';
import { readJson, unreadableProblem } from '~/platform/input/read-body.server.ts';
import { hasSeveralTravellers } from '~/features/application/travellers.ts';
import { openByBirthDate } from './download.server.ts';
import {
  findByNumber,
  lookUpApplication,
  type FoundStatus,
  type LookupError,
} from './lookup.server.ts';
import { toOrderStatusAnswer, toStatusAnswer } from './status-answer.ts';
import type { StatusView } from './status-view.ts';

export const documentRequest = z
  .object({ dateOfBirth: day.describe('Of the applicant') })
  .meta({ id: 'DocumentRequest' });
export const documentAnswer = z
  .object({ url: z.url().describe('Of the PDF; works for ten minutes') })
  .meta({ id: 'DocumentAnswer' });

const notFound = () => problem({ code: 'application_not_found' });

/** The number of an order names nobody of several travellers: answering one of them would hide the others. */
const severalTravellers = () => problem({ code: 'order_of_several' });

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
      const asked = await one(c, kind);
      if (asked instanceof Response) return asked;
      c.header('Cache-Control', 'no-store');
      return c.json(toStatusAnswer(asked.view));
    });

    app.post(`${path}/document`, async (c) => {
      const read = await readJson(c.req.raw);
      if (!read.ok) return unreadableProblem(read.error);
      const parsed = documentRequest.safeParse(read.value);
      if (!parsed.success) return problem({ code: 'invalid', errors: zodIssues(parsed.error) });
      const asked = await one(c, kind);
      if (asked instanceof Response) return asked;
      if (!asked.view.document) return problem({ code: 'no_document' });
      const [year = '', month = '', day = ''] = parsed.data.dateOfBirth.split('-');
      const typed = { day, month, year, receiptId: null };
      const opened = await openByBirthDate(
        platform,
        asked,
        typed,
        payerSessionHash(platform, c.req.raw),
      );
      if (opened.ok) {
        const url = platform.config.publicUrl + opened.value;
        return c.json({ url } satisfies z.infer<typeof documentAnswer>);
      }
      return opened.error.code === 'wrong'
        ? problem({ code: 'date_of_birth_differs' })
        : problem({
            code: 'locked',
            headers: { 'Retry-After': String(opened.error.retryAfterSeconds) },
          });
    });
  }

  app.get('/api/orders/:number', async (c) => {
    const found = await look(c);
    if (!found.ok) return lookupRefusal(found.error);
    const { view, everyone } = found.value;
    if (!everyone) return notFound();
    c.header('Cache-Control', 'no-store');
    return c.json(toOrderStatusAnswer(view, everyone));
  });

  /** The payer's browser is told what the order costs. */
  const look = (c: Context) =>
    lookUpApplication(platform, c.req.param('number') ?? '', {
      address: clientAddress(c, platform),
      sessionHash: payerSessionHash(platform, c.req.raw),
    });

  /** The application of this kind that a call names, or what is wrong with that. */
  async function one(c: Context, kind: StatusView['kind']): Promise<FoundStatus | Response> {
    const found = await look(c);
    if (!found.ok) return lookupRefusal(found.error);
    const { view, everyone } = found.value;
    if (everyone && hasSeveralTravellers(everyone)) return severalTravellers();
    // One traveller's e-visa and insurance have an order number in common.
    if (view.kind === kind) return found.value;
    const other = everyone?.find((each) => each.kind === kind);
    const named = other && (await findByNumber(platform, other.number));
    return named?.ok ? named.value : notFound();
  }

  return app;
}

/** The refusal of a call whose number was not found. */
export function lookupRefusal(error: LookupError): Response {
  switch (error.code) {
    case 'too_many':
      return problem({
        code: 'too_many_lookups',
        headers: { 'Retry-After': String(error.retryAfterSeconds) },
      });
    case 'not_found':
      return notFound();
    case 'empty':
      return problem({ code: 'empty_number' });
    case 'too_short':
      return problem({ code: 'short_number' });
    case 'mistyped':
    case 'not_a_number':
      return problem({ code: 'mistyped_number' });
  }
}
