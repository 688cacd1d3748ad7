import { z } from 'zod';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import { MAX_PHOTOS } from '~/features/form/answers/limits.ts';
import { parentIdPhotos } from '~/features/insurance/purchase/api-shapes.ts';
import { amount, givenAmount } from '~/platform/input/wire.ts';
import { Hono } from 'hono';
import type { Language } from '~/base/languages.ts';
import { formatMoney, sameMoney, toDecimal } from '~/base/money.ts';
import { ok, refused } from '~/base/outcome.ts';
import {
  amountDue,
  placeOrder,
  type PlacedOrder,
} from '~/features/application/place-order.server.ts';
import {
  invalidCall,
  placeProblems,
  readBodyTotal,
  totalProblems,
  type PlacedProblem,
  findNonTexts,
} from '~/features/form/read-call.server.ts';
import { applicationRequest as insuranceRequest } from '~/features/insurance/purchase/api-shapes.ts';
import {
  answerNames as insuranceNames,
  destinationProblems,
  readCallAnswers as readInsuranceAnswers,
  readCallUploads,
} from '~/features/insurance/purchase/api.server.ts';
import {
  tooManyPhotos,
  AdmittedPhotos,
} from '~/features/insurance/purchase/photo-upload.server.ts';
import { readPlansOnSale } from '~/features/insurance/store/plan-store.server.ts';
import { requestCaller } from '~/features/order/payer/session.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { currentSettings, readSettings } from '~/features/settings/store.server.ts';
import {
  applicationRequest,
  answerNames,
  readCallAnswers,
} from '~/features/visa/purchase/api.server.ts';
import { negotiateLanguage } from '~/i18n/page-language.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { answerOnce } from '~/platform/http/answer-once.server.ts';
import { readObject, asObject } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { storeChildPhotos, childrenInsurances, orderedGroup } from './submit-party.server.ts';
import {
  checkGroup,
  isInsuredChild,
  type InsuredAsked,
  type TravellerAsked,
  type InsuranceAsked,
} from './check-group.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import { allCountries, countryByCode } from '~/features/catalog/store.server.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { currentOffice } from '~/features/settings/office.server.ts';

/** An insurance for one of the travellers with an e-visa. */
const insuranceBeside = z.object({
  application: z.int().min(0).describe('Whose: the place in applications, from 0'),
  productId: z.string().describe('As in GET /api/insurance/products'),
});

/** An insurance for a traveller without an e-visa. */
const insuranceAlone = insuranceRequest
  .omit({ totalAmount: true, tripDurationDays: true, parentIdPhotos: true })
  .meta({ id: 'InsuredTraveller' });

export const orderAnswer = z
  .object({
    orderNumber: z.string().describe('TRG…; of a single application its own number'),
    applicationNumbers: z.array(z.string()).describe('TRV…, in the order of applications'),
    insuranceNumbers: z
      .array(z.string())
      .describe('TRI…, in the order of applications, then of travellers without an e-visa'),
    totalAmount: amount,
    orderReference: z.string().describe('What POST /api/payment/create takes'),
  })
  .meta({ id: 'OrderAnswer' });

/** What `POST /api/orders` takes beside the applications. */
const orderRequestRest = {
  insurances: z
    .array(z.union([insuranceBeside, insuranceAlone]))
    .nullish()
    .describe(
      'Beside an e-visa from the day of arrival, as long as the plan; or of one more traveller, who needs no e-visa',
    ),
  parentIdPhotos: parentIdPhotos
    .max(MAX_PHOTOS)
    .nullish()
    .describe('Once for all insured travellers under 18; JPEG, PNG or WebP, 5 MB each'),
  totalAmount: givenAmount.describe('Of everything together'),
};

const APPLICATIONS = `Up to ${MAX_TRAVELLERS} travellers, with those of insurances; one arrival for all. The first one pays`;

/** Reads one traveller more than allowed, so that `checkGroup` reports too many. */
async function travellersIn(platform: Platform, given: unknown): Promise<TravellerAsked[]> {
  const list = listed(given);
  const now = platform.now();
  const office = await currentOffice(platform);
  return Promise.all(
    list.map(async (one): Promise<TravellerAsked> => {
      const fields = asObject(one) ?? {};
      const code = typeof fields.countryId === 'string' ? fields.countryId.trim() : '';
      const country = (await countryByCode(platform, code)) ?? null;
      return {
        answers: readCallAnswers(fields, country),
        checkContext: { now, country, office, readPhone },
      };
    }),
  );
}

type InsuredHere = InsuredAsked & { place: string; given: Record<string, unknown> };

/** The travellers who are insured without an e-visa. */
const insuredIn = (countries: readonly Country[], given: unknown): InsuredHere[] =>
  listed(given).flatMap((one, index) => {
    const fields = asObject(one);
    if (!fields || !isAlone(fields)) return [];
    const insured = readInsuranceAnswers(countries, fields);
    return [{ insured, place: `insurances[${index}]`, given: fields }];
  });

const isAlone = ({ application }: Record<string, unknown>): boolean =>
  (application ?? null) === null;

const listed = (given: unknown): unknown[] =>
  Array.isArray(given) ? given.slice(0, MAX_TRAVELLERS + 1) : [];

/** What only a call can get wrong about those travellers. */
const insuredProblems = (insured: readonly InsuredHere[]): PlacedProblem[] =>
  insured.flatMap(({ given, place }) =>
    [...findNonTexts(insuranceNames, given), ...destinationProblems(given.destination)].map(
      (problem) => ({ place: `${place}.${problem.field}`, problem, texts: 'insurance' as const }),
    ),
  );

/** The answers of all travellers that are no texts. */
const notTextsIn = (given: unknown): PlacedProblem[] =>
  (Array.isArray(given) ? given.slice(0, MAX_TRAVELLERS) : []).flatMap((one: unknown, index) =>
    findNonTexts(answerNames, asObject(one) ?? {}).map((problem) => ({
      place: `applications[${index}].${problem.field}`,
      problem,
      texts: 'visa' as const,
    })),
  );

/**
 * The insurances beside e-visas, null in the places of others. Items of the wrong shape become an insurance for nobody by
 * no plan, which `checkGroup` reports.
 */
const insurancesIn = (given: unknown): (InsuranceAsked | null)[] =>
  listed(given).map((one) => {
    if (isAlone(asObject(one) ?? { application: 0 })) return null;
    const read = insuranceBeside.safeParse(one);
    return read.success ? read.data : { application: -1, productId: '' };
  });

/** The body of `POST /api/orders`, for its description; `checkGroup` checks each answer. */
export const orderRequest = z
  .object({
    applications: z
      .array(applicationRequest.omit({ totalAmount: true }).meta({ id: 'OrderedApplication' }))
      .max(MAX_TRAVELLERS)
      .describe(APPLICATIONS),
    ...orderRequestRest,
  })
  .meta({ id: 'OrderRequest' });

/** Newer settings came while the order was being placed: nothing of it is stored. */
class SettingsChanged extends Error {}

function answerOf({ order, totalAmount, applications }: PlacedOrder): z.infer<typeof orderAnswer> {
  const numbersOf = (wanted: 'visa' | 'insurance') =>
    applications.flatMap(({ kind, number }) => (kind === wanted ? [number] : []));
  return {
    orderNumber: order.number,
    applicationNumbers: numbersOf('visa'),
    insuranceNumbers: numbersOf('insurance'),
    totalAmount: toDecimal(totalAmount),
    orderReference: order.number,
  };
}

/** The call of an order for several travellers. */
export function groupApi(platform: Platform) {
  const app = new Hono();

  app.post('/api/orders', async (c) => {
    const read = await readObject(c.req.raw);
    if (!read.ok) return read.error;
    const body = read.value;
    const caller = requestCaller(platform, c.req.raw, clientAddress(c, platform));
    const language = negotiateLanguage(c.req.raw);
    const uploads = readCallUploads(body.parentIdPhotos);
    const photos = await AdmittedPhotos.admit(platform, clientAddress(c, platform), uploads);
    if (!photos.ok && photos.error.code === 'too_often') return tooManyPhotos();
    const countries = await allCountries(platform);
    const insured = insuredIn(countries, body.insurances);
    const travellers = [...(await travellersIn(platform, body.applications)), ...insured];
    const order = {
      body,
      travellers,
      countries,
      insured,
      photos,
      language,
      caller,
      key: c.req.header('idempotency-key'),
    };
    for (
      let settings = await currentSettings(platform.db);
      ;
      settings = await readSettings(platform.db)
    ) {
      const answer = await answerAt(settings, order);
      if (answer) return answer;
    }
  });

  /** The response by the prices and plans of these settings; null where newer ones came in the meantime. */
  async function answerAt(
    settings: Settings,
    {
      body,
      travellers,
      countries,
      insured,
      photos,
      language,
      caller,
      key,
    }: {
      body: Record<string, unknown>;
      travellers: readonly TravellerAsked[];
      countries: readonly Country[];
      insured: readonly InsuredHere[];
      photos: Awaited<ReturnType<typeof AdmittedPhotos.admit>>;
      language: Language;
      caller: ReturnType<typeof requestCaller>;
      key: string | undefined;
    },
  ): Promise<Response | null> {
    const now = platform.now();
    const sold = await readPlansOnSale(platform.db, settings, now);
    const admitted = photos.ok ? photos.value : null;
    const checked = checkGroup(travellers, insurancesIn(body.insurances), {
      now,
      plans: sold.plans,
      readPhone,
      isNationality: (code) => countries.some((one) => one.code === code),
      // Files that were refused are reported as a problem of their own.
      photos: admitted?.uploads.length ?? 1,
    });
    const wrong = photos.ok ? photos.value.problems : [photos.error];
    const problems = [
      ...checked.problems,
      ...notTextsIn(body.applications),
      ...insuredProblems(insured),
      ...placeProblems('visa', totalProblems(body)),
      ...wrong.map((one): PlacedProblem => ({
        place: one.field,
        problem: one,
        texts: 'insurance',
      })),
    ];
    const children = problems.length > 0 ? [] : checked.travellers.filter(isInsuredChild);
    const childrenPhotos = await storeChildPhotos(platform, admitted, children.length);
    try {
      const call = {
        route: 'POST /api/orders',
        caller,
        key,
        body,
        made: orderAnswer,
      };
      const answer = await answerOnce(platform, call, async (tx) => {
        const total = readBodyTotal(body);
        if (total === null || problems.length > 0) return refused(invalidCall(language, problems));
        const ordered = orderedGroup(platform.sealer, checked.travellers, { settings, sold, now });
        const due = amountDue(ordered);
        if (!sameMoney(total, due)) {
          const amount = formatMoney(due, language);
          return refused({
            code: 'wrong_total',
            detail: makeTranslate(language)('visa:api.wrong_total', { amount }),
            extra: { totalAmount: toDecimal(due) },
          });
        }
        const by = { language, sessionHash: caller.sessionHash, now, settings };
        const placed = await placeOrder(tx, ordered, by);
        if (!placed) throw new SettingsChanged();
        await childrenPhotos.insert(tx, childrenInsurances(checked, placed));
        return ok(answerOf(placed));
      });
      if (answer.status < 400) childrenPhotos.keep();
      return answer;
    } catch (error) {
      if (error instanceof SettingsChanged) return null;
      throw error;
    } finally {
      await childrenPhotos.removeRest();
    }
  }

  return app;
}
