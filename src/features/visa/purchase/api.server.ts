import { Hono } from 'hono';
import { z } from 'zod';
import type { Language } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { makeRecord } from '~/base/record-of.ts';
import { formatMoney, sameMoney, toDecimal } from '~/base/money.ts';
import { applicationAmount, placeOrder } from '~/features/application/place-order.server.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { requestCaller } from '~/features/order/payer/session.server.ts';
import { answerOnceWhole } from '~/platform/http/answer-once.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { currentSettings, readSettings } from '~/features/settings/store.server.ts';
import type { Queryable } from '~/platform/postgres/database.server.ts';
import { amount, day, email, givenAmount, currency, moment } from '~/platform/input/wire.ts';
import { readObject } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { problem, type HttpProblem } from '~/platform/http/problem.server.ts';
import { negotiateLanguage } from '~/i18n/page-language.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  readBodyAnswers,
  invalidCall,
  findNonTexts,
  placeProblems,
  readBodyTotal,
  totalProblems,
} from '~/features/form/read-call.server.ts';
import {
  EXEMPT,
  isExemptByAge,
  pricePath,
  type VisaAnswers,
  type CountryTerms,
} from '../rules/answers.ts';
import { check } from '../rules/check.ts';
import { fields, questionByField, type VisaField } from '../rules/questions.ts';
import { fieldChoices, schemas } from '../rules/schemas.ts';
import { visaPricesInForce } from '../store/store.server.ts';
import { toVisaInput, orderedVisa } from './submit.server.ts';
import type { Office } from '~/base/dates/office.ts';
import { needsSupportingDocument, regimes, type Country } from '~/features/catalog/regime.ts';
import { speedFee, quoteVisa, type PriceList } from '../rules/price-list.ts';
import { arrivalWindow, asFastForLess, promisedMoment } from '../rules/ready-by.ts';
import { processingTypes, speedsByPath } from '../rules/speeds.ts';

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
function toPricesAnswer(
  country: Country,
  { prices, now, office }: { prices: PriceList; now: Date; office: Office },
): z.infer<typeof pricesAnswer> {
  const path = pricePath(country, {});
  return {
    countryId: country.code,
    regime: country.regime,
    supportingDocumentRequired: needsSupportingDocument(country),
    currency: 'USD',
    speeds:
      path === null
        ? []
        : speedsByPath(path).map(({ processingType }) => {
            const { earliest, latest } = arrivalWindow(path, processingType, now, office);
            return {
              processingType,
              evisaFee: toDecimal(prices.evisaFee),
              processingFee: toDecimal(speedFee(prices, path, processingType)),
              totalAmount: toDecimal(quoteVisa(prices, path, processingType).total),
              readyBy: promisedMoment(path, processingType, now, office).toISOString(),
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
const described: Readonly<Partial<Record<VisaField, string>>> = {
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

function shapeOf(field: VisaField): z.core.$ZodType {
  const { answer } = questionByField(field);
  switch (answer) {
    case 'choice':
      return z.enum(fieldChoices(field));
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
export function sentShape(field: VisaField) {
  const shape = shapeOf(field);
  const sent = questionByField(field).asked === 'always' ? z.nonoptional(shape) : z.nullish(shape);
  return described[field] === undefined ? sent : sent.describe(described[field]);
}

/** The questions that the call takes; making it confirms or implies the others. */
export const answerNames = fields.filter((field) => questionByField(field).stored);

/**
 * The body of `POST /api/applications`, for its description: the specification's fields, and what a supporting document
 * needs besides. `check` decides what is valid.
 */
export const applicationRequest = z
  .object({
    ...makeRecord(answerNames, sentShape),
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
    const prices = visaPricesInForce(settings, now);
    c.header('Cache-Control', 'no-store');
    return c.json(toPricesAnswer(country, { prices, now, office: officeInForce(settings, now) }));
  });

  app.post('/api/applications', async (c) => {
    const read = await readObject(c.req.raw);
    if (!read.ok) return read.error;
    const body = read.value;
    const caller = requestCaller(platform, c.req.raw, clientAddress(c, platform));
    const language = negotiateLanguage(c.req.raw);
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
  ): Promise<Outcome<z.infer<typeof applicationAnswer>, HttpProblem>> {
    const { country, language, sessionHash } = asked;
    const now = platform.now();
    const t = makeTranslate(language);
    const office = officeInForce(asked.settings, now);
    const checkContext = { now, country, office, readPhone };
    const { problems, values } = check(readCallAnswers(body, country), checkContext);
    const total = readBodyTotal(body);
    const all = [...problems, ...findNonTexts(answerNames, body), ...totalProblems(body)];
    if (all.length > 0 || total === null)
      return refused(invalidCall(language, placeProblems('visa', all)));

    const input = toVisaInput(values, checkContext);
    for (let { settings } = asked; ; settings = await readSettings(db)) {
      const prices = visaPricesInForce(settings, now);
      const ordered = orderedVisa(sealer, input, prices);
      const due = applicationAmount(ordered);
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

const documentFields = answerNames.filter((field) => questionByField(field).group === 'document');

const hasNoDocument = (answers: VisaAnswers): boolean =>
  documentFields.every((field) => (answers[field] ?? '') === '');

/**
 * The answers in a body; unknown keys are ignored. The date of birth says whether a traveller without a supporting
 * document is exempt from it. What the wizard has travellers confirm (the prerequisites, that
 * there is a supporting document, the spelling of names) has no field here: making the call confirms it.
 */
export function readCallAnswers(
  body: Record<string, unknown>,
  country: CountryTerms | null,
): VisaAnswers {
  const answers: VisaAnswers = {
    ...makeRecord(
      fields.filter((field) => !questionByField(field).stored),
      () => 'yes',
    ),
    purpose: 'tourism',
    ...readBodyAnswers(answerNames, body),
  };
  if (country && hasNoDocument(answers) && isExemptByAge(country, answers)) {
    answers.hasSupportingDocument = EXEMPT;
  }
  if (pricePath(country, answers) === 'with_document') delete answers.purpose;
  return answers;
}
