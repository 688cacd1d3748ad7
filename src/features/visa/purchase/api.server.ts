import { Hono } from 'hono';
import { z } from 'zod';
import type { Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { recordOf } from '~/base/record-of.ts';
import { formatMoney, sameMoney, toDecimal } from '~/base/money.ts';
import { amountOf, placeOrder } from '~/features/application/place-order.server.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import { addressOf } from '~/platform/http/address.server.ts';
import { callerOf } from '~/features/order/payer/session.server.ts';
import { answerOnceWhole } from '~/platform/http/answer-once.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { officeAt } from '~/features/settings/office.server.ts';
import { currentSettings, readSettings } from '~/features/settings/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { amount, day, email, givenAmount, currency, moment } from '~/platform/input/wire.ts';
import { readObject } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem, type Problem } from '~/platform/http/problem.server.ts';
import { negotiated } from '~/i18n/page-language.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import {
  answersInBody,
  invalidCall,
  notTexts,
  placedIn,
  totalInBody,
  totalProblems,
} from '~/features/form/read-call.server.ts';
import {
  EXEMPT,
  isExemptByAge,
  pathOf,
  type Answers,
  type CountryTerms,
} from '../rules/answers.ts';
import { check } from '../rules/check.ts';
import { fields, questionOf, type Field } from '../rules/questions.ts';
import { choicesOf, schemas } from '../rules/schemas.ts';
import { visaPricesAt } from '../store/store.server.ts';
import { inputOf, orderedVisa } from './submit.server.ts';
import type { Office } from '~/base/dates/office.ts';
import { needsSupportingDocument, regimes, type Country } from '~/features/catalog/regime.ts';
import { feeFor, quote, type PriceList } from '../rules/price-list.ts';
import { arrivalWindow, asFastForLess, readyBy } from '../rules/ready-by.ts';
import { processingTypes, speedsFor } from '../rules/speeds.ts';

/** What `GET /api/prices` takes. */
export const pricesQuery = z.object({
  countryId: z.string().describe('The nationality, as in GET /api/countries'),
});

/** The price of a visa by speed, for one nationality. */
export const pricesAnswer = z
  .object({
    countryId: z.string(),
    regime: z.enum(regimes),
    supportingDocumentRequired: z.boolean(),
    currency,
    speeds: z
      .array(
        z.object({
          processingType: z.enum(processingTypes),
          evisaFee: amount.describe('Our own fee for every e-visa'),
          processingFee: amount,
          totalAmount: amount.describe('What POST /api/applications takes'),
          readyBy: moment.describe('The latest moment we deliver by, if it is paid now'),
          earliestArrival: day.describe('The first arrivalDate that is accepted with it now'),
          latestArrival: day.describe('The last one'),
          noFasterThan: z
            .enum(processingTypes)
            .nullable()
            .describe('A cheaper one that is ready at the same moment: this one is refused then'),
        }),
      )
      .describe('Cheapest first; empty where there is no e-visa'),
  })
  .meta({ id: 'Prices' });

/** `office`: the office's, known at `now`. */
export function toPricesAnswer(
  country: Country,
  { prices, now, office }: { prices: PriceList; now: Date; office: Office },
): z.infer<typeof pricesAnswer> {
  const path = pathOf(country, {});
  return {
    countryId: country.code,
    regime: country.regime,
    supportingDocumentRequired: needsSupportingDocument(country),
    currency: 'USD',
    speeds:
      path === null
        ? []
        : speedsFor(path).map(({ processingType }) => {
            const { earliest, latest } = arrivalWindow(path, processingType, now, office);
            return {
              processingType,
              evisaFee: toDecimal(prices.evisaFee),
              processingFee: toDecimal(feeFor(prices, path, processingType)),
              totalAmount: toDecimal(quote(prices, path, processingType).total),
              readyBy: readyBy(path, processingType, now, office).toISOString(),
              earliestArrival: earliest,
              latestArrival: latest,
              noFasterThan: asFastForLess(path, processingType, now, office),
            };
          }),
  };
}

const OF_DOCUMENT =
  'Where the nationality needs a supporting document, unless the age on arrival exempts';

/** What the description of the call says of an answer. */
const described: Readonly<Partial<Record<Field, string>>> = {
  processingType: 'As GET /api/prices lists them',
  documentType: 'The travel document',
  supportingDocumentStartDate: `${OF_DOCUMENT}, and that is a Schengen visa`,
  supportingDocumentEndDate: 'unlimited: for residence permits and Schengen visas',
  countryId: 'As in GET /api/countries',
  supportingDocumentType: OF_DOCUMENT,
  visaCountry: 'Who issued a visa',
  residenceCountry: 'Who issued a permit',
  purpose: 'Tourism unless told otherwise',
};

function shapeOf(field: Field): z.core.$ZodType {
  const { answer } = questionOf(field);
  switch (answer) {
    case 'choice':
      return z.enum(choicesOf(field));
    case 'country':
      return z.string();
    case 'date':
      return day;
    case 'date_or_unlimited':
      return z.union([day, z.literal('unlimited')]);
    case 'email':
      return email;
    default:
      return schemas[field];
  }
}

/** An answer as the call takes it. */
export function sentShape(field: Field) {
  const shape = shapeOf(field);
  const sent = questionOf(field).asked === 'always' ? z.nonoptional(shape) : z.nullish(shape);
  return described[field] === undefined ? sent : sent.describe(described[field]);
}

/** The questions that the call takes; making it confirms or implies the others. */
export const answerNames = fields.filter((field) => questionOf(field).stored);

/**
 * The body of `POST /api/applications`, for its description: the specification's fields, and what a supporting document
 * needs besides. `check` decides what is valid.
 */
export const applicationRequest = z
  .object({
    ...recordOf(answerNames, sentShape),
    countryOfOrigin: z.string().nullish().describe('Name of the country; countryId decides'),
    totalAmount: givenAmount.describe('Must be what GET /api/prices says'),
  })
  .meta({ id: 'VisaApplicationRequest' });

export const applicationAnswer = z
  .object({
    applicationNumber: z.string(),
    id: z.uuid(),
    totalAmount: amount,
    orderReference: z.string().describe('What POST /api/payment/create takes'),
  })
  .meta({ id: 'VisaApplicationAnswer' });

/** The calls of the visa application. */
export function visaApi(platform: Platform) {
  const { sealer } = platform;
  const app = new Hono();

  app.get('/api/prices', async (c) => {
    const country = await countryByCode(platform, c.req.query('countryId')?.trim() ?? '');
    if (!country) return problem({ code: 'invalid', errors: { countryId: 'unknown' } });
    const [now, settings] = [platform.now(), await currentSettings(platform.db)];
    const prices = visaPricesAt(settings, now);
    c.header('Cache-Control', 'no-store');
    return c.json(toPricesAnswer(country, { prices, now, office: officeAt(settings, now) }));
  });

  app.post('/api/applications', async (c) => {
    const read = await readObject(c.req.raw);
    if (!read.ok) return read.error;
    const body = read.value;
    const caller = callerOf(platform, c.req.raw, addressOf(c, platform));
    const language = negotiated(c.req.raw);
    const code = typeof body.countryId === 'string' ? body.countryId.trim() : '';
    const country = (await countryByCode(platform, code)) ?? null;
    const settings = await currentSettings(platform.db);
    const work = (db: Queryable) =>
      apply(db, body, { country, language, sessionHash: caller.sessionHash, settings });
    const call = {
      route: 'POST /api/applications',
      caller,
      key: c.req.header('idempotency-key'),
      body,
      made: applicationAnswer,
    };
    return answerOnceWhole(platform, call, work);
  });

  async function apply(
    db: Queryable,
    body: Record<string, unknown>,
    asked: {
      country: CountryTerms | null;
      language: Language;
      sessionHash: Buffer;
      settings: Settings;
    },
  ): Promise<Outcome<z.infer<typeof applicationAnswer>, Problem>> {
    const { country, language, sessionHash } = asked;
    const now = platform.now();
    const t = textsIn(language);
    const office = officeAt(asked.settings, now);
    const checkContext = { now, country, office, readPhone };
    const { problems, values } = check(answersIn(body, country), checkContext);
    const total = totalInBody(body);
    const all = [...problems, ...notTexts(answerNames, body), ...totalProblems(body)];
    if (all.length > 0 || total === null)
      return refused(invalidCall(language, placedIn('visa', all)));

    const input = inputOf(values, checkContext);
    for (let { settings } = asked; ; settings = await readSettings(db)) {
      const prices = visaPricesAt(settings, now);
      const ordered = orderedVisa(sealer, input, prices);
      const due = amountOf(ordered);
      if (!sameMoney(total, due)) {
        return refused({
          code: 'wrong_total',
          detail: t('visa:api.wrong_total', { amount: formatMoney(due, language) }),
          extra: { totalAmount: toDecimal(due) },
        });
      }
      const placed = await placeOrder(db, [[ordered]], { language, sessionHash, now, settings });
      if (!placed) continue;
      const [{ number, id }] = placed.applications;
      return ok({
        applicationNumber: number,
        id,
        totalAmount: toDecimal(placed.totalAmount),
        orderReference: placed.order.number,
      });
    }
  }

  return app;
}

const documentFields = answerNames.filter((field) => questionOf(field).group === 'document');

const hasNoDocument = (answers: Answers): boolean =>
  documentFields.every((field) => (answers[field] ?? '') === '');

/**
 * The answers in a body; unknown keys are ignored. The date of birth says whether a traveller without a supporting
 * document is exempt from it. What the wizard has travellers confirm (the prerequisites, that
 * there is a supporting document, the spelling of names) has no field here: making the call confirms it.
 */
export function answersIn(body: Record<string, unknown>, country: CountryTerms | null): Answers {
  const answers: Answers = {
    ...recordOf(
      fields.filter((field) => !questionOf(field).stored),
      () => 'yes',
    ),
    purpose: 'tourism',
    ...answersInBody(answerNames, body),
  };
  if (country && hasNoDocument(answers) && isExemptByAge(country, answers)) {
    answers.hasSupportingDocument = EXEMPT;
  }
  if (pathOf(country, answers) === 'with_document') delete answers.purpose;
  return answers;
}
