import { Hono } from 'hono';
import { etag } from 'hono/etag';
import { type Language, languages } from '~/base/languages.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { formatMoney, toDecimal } from '~/base/money.ts';
import type { Country } from '~/features/catalog/regime.ts';
import { allCountries } from '~/features/catalog/store.server.ts';
import { requestCaller } from '~/features/order/payer/session.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { answerOnce } from '~/platform/http/answer-once.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import { readObject } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { HttpProblem as CallProblem } from '~/platform/http/problem.server.ts';
import type { z } from 'zod';
import {
  readBodyAnswers,
  invalidCall,
  MAX_CALL_ANSWER_LENGTH,
  findNonTexts,
  placeProblems,
  readBodyTotal,
  totalProblems,
} from '~/features/form/read-call.server.ts';
import { negotiateLanguage } from '~/i18n/page-language.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { questionNames, type InsuranceAnswers, DESTINATION } from '../rules/answers.ts';
import {
  applicationAnswer,
  applicationRequest,
  parentIdPhotos,
  type ProductAnswer,
} from './api-shapes.ts';
import { checkInsurance, nationalityNamed } from './check-insurance.server.ts';
import type { InsuranceProblem } from '../rules/check.ts';
import {
  tooManyPhotos,
  AdmittedPhotos,
  PhotoFiles,
  uploadFromDataUrl,
  type PhotoUpload,
} from './photo-upload.server.ts';
import { placeInsurance } from './submit.server.ts';
import { freshSeconds } from '~/features/settings/change.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import { plansOnSale } from '../store/plan-store.server.ts';
import { placeName } from '~/features/catalog/names.server.ts';
import { searchText } from '~/features/catalog/picker/search.ts';

/** Türkiye under all its names. */
const names = new Set(
  [DESTINATION, 'TUR', ...languages.map(({ code }) => placeName('TUR', code))].map(searchText),
);

/** The problem of a destination in a call: every insurance is for Türkiye, which needs not be named. */
export function destinationProblems(destination: unknown): InsuranceProblem[] {
  const isLeftOut = destination === undefined || destination === null || destination === '';
  const isTürkiye = typeof destination === 'string' && names.has(searchText(destination));
  return isLeftOut || isTürkiye ? [] : [{ field: 'destination', code: 'not_turkiye' }];
}

/** The calls of travel insurance. */
export function insuranceApi(platform: Platform) {
  const app = new Hono();

  app.get('/api/insurance/products', etag({ weak: true }), async (c) => {
    const now = platform.now();
    const [plans, settings] = await Promise.all([
      plansOnSale(platform.db, now),
      currentSettings(platform.db),
    ]);
    c.header('Cache-Control', `public, max-age=${freshSeconds(settings, now, 600)}`);
    return c.json(
      plans.map(({ id, name, days, price }): ProductAnswer => ({
        id,
        name,
        price: toDecimal(price),
        currency: price.currency,
        days,
      })),
    );
  });

  app.post('/api/insurance/applications', async (c) => {
    const read = await readObject(c.req.raw);
    if (!read.ok) return read.error;
    const body = read.value;
    const caller = requestCaller(platform, c.req.raw, clientAddress(c, platform));
    const language = negotiateLanguage(c.req.raw);
    const request = {
      route: 'POST /api/insurance/applications',
      caller,
      key: c.req.header('idempotency-key'),
      body,
      made: applicationAnswer,
    };
    const countries = await allCountries(platform);
    const answers = readCallAnswers(countries, body);
    const uploads = readCallUploads(body.parentIdPhotos);
    const photos = await AdmittedPhotos.admit(platform, clientAddress(c, platform), uploads);
    if (!photos.ok && photos.error.code === 'too_often') return tooManyPhotos();
    const photoFiles = await PhotoFiles.put(platform, photos.ok ? photos.value.allOrNone : []);
    try {
      const answer = await answerOnce(platform, request, (tx) =>
        apply(tx, platform, {
          body,
          countries,
          answers,
          photos,
          photoFiles,
          language,
          sessionHash: caller.sessionHash,
        }),
      );
      if (answer.status < 400) photoFiles.keep();
      return answer;
    } finally {
      await photoFiles.removeRest();
    }
  });

  return app;
}

async function apply(
  tx: Transaction,
  platform: Pick<Platform, 'sealer' | 'now'>,
  {
    body,
    countries,
    answers,
    photos,
    language,
    sessionHash,
    photoFiles,
  }: {
    body: Record<string, unknown>;
    countries: readonly Country[];
    answers: InsuranceAnswers;
    photos: Outcome<AdmittedPhotos, InsuranceProblem>;
    language: Language;
    sessionHash: Buffer;
    /** The stored files of the photos. */
    photoFiles: PhotoFiles;
  },
): Promise<Outcome<z.infer<typeof applicationAnswer>, CallProblem>> {
  const total = readBodyTotal(body);
  const unread = [...findNonTexts(answerNames, body), ...totalProblems(body)];
  const refuseOf = (problems: readonly InsuranceProblem[]) =>
    refused(invalidCall(language, placeProblems('insurance', [...problems, ...unread])));
  if (!photos.ok) return refuseOf([photos.error]);
  const elsewhere = destinationProblems(body.destination);
  const admitted = photos.value;
  const checked = await checkInsurance(tx, platform, {
    countries,
    answers,
    total,
    photos: admitted.uploads.length,
  });
  if (checked.kind === 'not_on_sale') return refused({ code: 'insurance_not_on_sale' });
  if (checked.kind === 'invalid') return refuseOf([...checked.problems, ...elsewhere]);
  const wrongPhotos = checked.kind === 'valid' && checked.isMinor ? admitted.problems : [];
  if (wrongPhotos.length > 0 || elsewhere.length > 0 || unread.length > 0) {
    return refuseOf([...wrongPhotos, ...elsewhere]);
  }
  if (checked.kind === 'wrong_total') {
    const t = makeTranslate(language);
    const amount = formatMoney(checked.due, language);
    return refused({
      code: 'wrong_total',
      detail: t('visa:api.wrong_total', { amount }),
      extra: { totalAmount: toDecimal(checked.due) },
    });
  }
  const by = { language, sessionHash, now: checked.now };
  const placed = await placeInsurance(tx, platform.sealer, checked.input, by);
  const [{ id, number }] = placed.applications;
  if (checked.isMinor) await photoFiles.insert(tx, { applicationId: id });
  return ok({
    applicationNumber: number,
    id,
    totalAmount: toDecimal(placed.totalAmount),
    orderReference: placed.order.number,
  });
}

/** The questions that the calls take. */
export const answerNames = questionNames.filter((name) => name in applicationRequest.shape);

/** The answers in a body; unknown keys are ignored. A nationality may be given by code or name. */
export function readCallAnswers(
  countries: readonly Country[],
  body: Record<string, unknown>,
): InsuranceAnswers {
  const answers: InsuranceAnswers = readBodyAnswers(answerNames, body);
  const named = [answers.nationality, body.countryOfOrigin]
    .filter((text) => typeof text === 'string')
    .map((text) => nationalityNamed(countries, text.slice(0, MAX_CALL_ANSWER_LENGTH)))
    .find((code) => code !== null);
  if (named) answers.nationality = named;
  return answers;
}

/** The photos in a call's body, not decoded yet. */
export function readCallUploads(photos: unknown): PhotoUpload[] {
  if (photos === undefined || photos === null) return [];
  const read = parentIdPhotos.safeParse(photos);
  // Something other than a list of photos counts as one photo that cannot be read.
  if (!read.success) return [{ name: '', bytes: new Uint8Array() }];
  return read.data.map(({ name, data, dataUrl }) => uploadFromDataUrl(name, data ?? dataUrl ?? ''));
}
