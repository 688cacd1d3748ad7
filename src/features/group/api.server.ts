import { Hono } from 'hono';
import { z } from 'zod';
import { chooseLanguage, preferredLanguageKey, type Language } from '~/base/languages.ts';
import { formatMoney, parseMoney, sameMoney, toDecimal } from '~/base/money.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { readPhone } from '~/features/application/phone/read-phone.server.ts';
import { MOST_TRAVELLERS } from '~/features/application/travellers.ts';
import { asSentences } from '~/features/application/words.ts';
import { countryByCode } from '~/features/catalog/store.server.ts';
import { messageOf } from '~/features/form/answers/problem-message.ts';
import { uploadsIn } from '~/features/insurance/purchase/api.server.ts';
import { PHOTO_LIMIT_SECONDS } from '~/features/insurance/purchase/limits.server.ts';
import { AdmittedPhotos, PhotoFiles } from '~/features/insurance/purchase/photo-upload.server.ts';
import { onSaleAt, type OnSale } from '~/features/insurance/store/on-sale.server.ts';
import { ensureSession } from '~/features/order/payer/session.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import { closuresNow } from '~/features/settings/closures.server.ts';
import { currentSettings, readSettings } from '~/features/settings/store.server.ts';
import { answersIn, applicationRequest } from '~/features/visa/purchase/api.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { addressOf } from '~/platform/http/address.server.ts';
import { answerOnce } from '~/platform/http/answer-once.server.ts';
import { giveCookie, readCookie } from '~/platform/http/cookies.server.ts';
import { problem, type Problem } from '~/platform/http/problem.server.ts';
import { readJson } from '~/platform/input/read-json.server.ts';
import { unreadableProblem } from '~/platform/input/unreadable.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { APPLICATIONS, orderAnswer, orderedInsurance, orderRequestRest } from './api-shapes.ts';
import {
  checkGroup,
  isChild,
  type CheckedGroup,
  type InsuranceAsked,
  type PlacedProblem,
  type TravellerAsked,
} from './check-group.ts';
import { newGroup, storeGroup } from './submit-group.server.ts';

/** The body of `POST /api/orders`, for its description; `checkGroup` checks each answer. */
export const orderRequest = z
  .object({
    applications: z
      .array(applicationRequest.omit({ totalAmount: true }).meta({ id: 'OrderedApplication' }))
      .min(1)
      .max(MOST_TRAVELLERS)
      .describe(APPLICATIONS),
    ...orderRequestRest,
  })
  .meta({ id: 'OrderRequest' });

/** The call of an order for several travellers. */
export function groupApi(platform: Platform) {
  const app = new Hono();

  app.post('/api/orders', async (c) => {
    const read = await readJson(c.req.raw);
    if (!read.ok) return unreadableProblem(read.error);
    const body = asObject(read.value);
    if (!body) {
      return problem({ status: 400, code: 'not_json', detail: 'The body must be a JSON object.' });
    }
    const session = ensureSession(platform, c.req.raw);
    const language = chooseLanguage({
      saved: readCookie(c.req.raw, preferredLanguageKey),
      acceptLanguage: c.req.header('accept-language'),
    });
    const uploads = uploadsIn(body.parentIdPhotos);
    const photos = await AdmittedPhotos.admit(platform, addressOf(c, platform), uploads);
    if (!photos.ok && photos.error.code === 'too_often') {
      return problem({
        status: 429,
        code: 'too_many_photos',
        detail: 'Too many photos. Try again later',
        headers: { 'Retry-After': String(PHOTO_LIMIT_SECONDS) },
      });
    }
    const travellers = await travellersIn(platform, body.applications);
    const order = {
      body,
      travellers,
      photos,
      language,
      session,
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
      photos,
      language,
      session,
      key,
    }: {
      body: Record<string, unknown>;
      travellers: readonly TravellerAsked[];
      photos: Awaited<ReturnType<typeof AdmittedPhotos.admit>>;
      language: Language;
      session: ReturnType<typeof ensureSession>;
      key: string | undefined;
    },
  ): Promise<Response | null> {
    const now = platform.now();
    const sold = await onSaleAt(platform.db, settings, now);
    const admitted = photos.ok ? photos.value : null;
    const checked = checkGroup(travellers, insurancesIn(body.insurances), {
      plans: sold.plans,
      // Files that were refused are reported as a problem of their own.
      photos: admitted?.uploads.length ?? 1,
    });
    const wrong = photos.ok ? photos.value.problems : [photos.error];
    const problems = [
      ...checked.problems,
      ...wrong.map((one): PlacedProblem => ({
        place: one.field,
        problem: one,
        texts: 'insurance',
      })),
    ];
    // Each insured child gets copies of the photos, which are deleted with its application.
    const children = problems.length > 0 ? [] : checked.travellers.filter(needsPhotos);
    const files: PhotoFiles[] = [];
    try {
      while (files.length < children.length) {
        files.push(await PhotoFiles.put(platform, admitted?.allOrNone ?? []));
      }
      const call = {
        scope: 'POST /api/orders',
        key,
        body,
        made: orderAnswer,
      };
      const answer = await answerOnce(platform, call, (tx) =>
        place(tx, platform, {
          checked: { ...checked, problems },
          settings,
          sold,
          now,
          totalAmount: body.totalAmount,
          files,
          language,
          sessionHash: session.hash,
        }),
      );
      if (answer.status < 400) {
        for (const one of files) one.keep();
        giveCookie(answer.headers, session.setCookie);
      }
      return answer;
    } catch (error) {
      if (error instanceof SettingsChanged) return null;
      throw error;
    } finally {
      for (const one of files) await one.removeRest();
    }
  }

  return app;
}

/** Newer settings came while the order was being placed: nothing of it is stored. */
class SettingsChanged extends Error {}

/**
 * Stores the order with its photos.
 * @throws SettingsChanged
 */
async function place(
  tx: Transaction,
  { sealer }: Pick<Platform, 'sealer'>,
  {
    checked: { problems, travellers },
    settings,
    sold,
    now,
    totalAmount,
    files,
    language,
    sessionHash,
  }: {
    checked: CheckedGroup;
    settings: Settings;
    sold: OnSale;
    now: Date;
    totalAmount: unknown;
    /** The photos, once for each insured child, in the order of travellers. */
    files: readonly PhotoFiles[];
    language: Language;
    sessionHash: Buffer;
  },
): Promise<Outcome<z.infer<typeof orderAnswer>, Problem>> {
  const total =
    typeof totalAmount === 'string' || typeof totalAmount === 'number'
      ? parseMoney(totalAmount)
      : null;
  const noTotal: PlacedProblem = {
    place: 'totalAmount',
    problem: { field: 'totalAmount', code: 'required' },
    texts: 'visa',
  };
  if (total === null) return refused(problemOf(language, [...problems, noTotal]));
  if (problems.length > 0) return refused(problemOf(language, problems));

  const about = { language, sessionHash, now, settings, sold };
  const made = newGroup(sealer, travellers, about);
  if (!sameMoney(total, made.totalAmount)) {
    return refused({
      status: 409,
      code: 'wrong_total',
      detail: textsIn(language)('visa:api.wrong_total', {
        amount: formatMoney(made.totalAmount, language),
      }),
      extra: { totalAmount: toDecimal(made.totalAmount) },
    });
  }
  if (!(await storeGroup(tx, made, settings))) throw new SettingsChanged();
  const insurances = made.travellers.flatMap(({ insurance }) => insurance ?? []);
  const withPhotos = insurances.filter((one) => one.needsPhotos);
  for (const [index, { id }] of withPhotos.entries()) {
    await files[index]?.insert(tx, { applicationId: id });
  }
  return ok({
    orderNumber: made.order.number,
    applicationNumbers: made.travellers.map(({ applicationNumber }) => applicationNumber),
    insuranceNumbers: insurances.map(({ applicationNumber }) => applicationNumber),
    totalAmount: toDecimal(made.totalAmount),
    orderReference: made.order.number,
  });
}

const needsPhotos = ({ plan, values }: CheckedGroup['travellers'][number]): boolean =>
  plan !== null && isChild(values);

function problemOf(language: Language, problems: readonly PlacedProblem[]): Problem {
  const t = textsIn(language);
  const messages = problems.map(({ place: where, problem: one, texts }) => [
    where,
    asSentences(
      texts === 'group'
        ? {
            title: t(`group:errors.${one.field.replace(/^.*\./, '')}.${one.code}.title`, {
              number: MOST_TRAVELLERS,
              defaultValue: '',
            }),
          }
        : messageOf(t, language, texts, one),
    ),
  ]);
  return {
    status: 422,
    code: 'invalid',
    detail: t('visa:api.invalid'),
    errors: Object.fromEntries(problems.map((one) => [one.place, one.problem.code])),
    extra: { messages: Object.fromEntries(messages) },
  };
}

const asObject = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;

/** Reads one traveller more than allowed, so that `checkGroup` reports too many. */
async function travellersIn(platform: Platform, given: unknown): Promise<TravellerAsked[]> {
  const list: unknown[] = Array.isArray(given) ? given.slice(0, MOST_TRAVELLERS + 1) : [];
  const now = platform.now();
  const closures = await closuresNow(platform);
  return Promise.all(
    list.map(async (one): Promise<TravellerAsked> => {
      const fields = asObject(one) ?? {};
      const code = typeof fields.countryId === 'string' ? fields.countryId.trim() : '';
      const country = (await countryByCode(platform, code)) ?? null;
      return {
        answers: answersIn(fields, country),
        situation: { now, country, closures, readPhone },
      };
    }),
  );
}

/** Items of the wrong shape become an insurance for nobody by no plan, which `checkGroup` reports. */
function insurancesIn(given: unknown): InsuranceAsked[] {
  const list: unknown[] = Array.isArray(given) ? given.slice(0, MOST_TRAVELLERS + 1) : [];
  return list.map((one) => {
    const read = orderedInsurance.safeParse(one);
    return read.success ? read.data : { application: -1, productId: '' };
  });
}
