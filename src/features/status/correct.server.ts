import { withCountryCode } from '~/features/application/read-phone.server.ts';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { isMinor, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { makeRecord } from '~/base/record-of.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import {
  type Correction,
  correctApplication,
} from '~/features/application/correction/correction-store.server.ts';
import { answerChanges } from '~/features/application/correction/correction.ts';
import { normaliseNumber } from '~/features/application/number.ts';
import { readPhone, withReadPhone } from '~/features/application/read-phone.server.ts';
import {
  applyCorrection,
  findCorrection,
  lockOpenCorrection,
  type CheckedCorrection,
  type CorrectionAnswer,
  type CorrectionOver,
} from '~/features/application/reopened.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { AnswerProblem } from '~/features/form/answers/check.ts';
import { boundedText, type TypedAnswers } from '~/features/form/answers/controls.ts';
import {
  readBodyAnswers,
  invalidCall,
  findNonTexts,
  placeProblems,
} from '~/features/form/read-call.server.ts';
import * as insurance from '~/features/insurance/correctable.ts';
import {
  collectPhotos,
  deleteCollectedPhotos,
  removePhotos,
  readFormUploads,
} from '~/features/insurance/form/draft-photos.server.ts';
import { applicationRequest as insuranceRequest } from '~/features/insurance/purchase/api-shapes.ts';
import { REMOVE_PHOTO } from '~/features/insurance/rules/parent-id-photos.ts';
import { lastInsuredDay, tripDays } from '~/features/insurance/rules/plans.ts';
import * as insuranceTyped from '~/features/insurance/rules/typed.ts';
import { handOverPhotos, photosByOwner } from '~/features/insurance/store/photo-store.server.ts';
import {
  readInsuranceDetails,
  lockInsurance,
  replaceInsuranceDetails,
  storedAnswers as storedInsurance,
  type InsuranceDetails,
} from '~/features/insurance/store/store.server.ts';
import { officeInForce } from '~/features/settings/office.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import * as visa from '~/features/visa/correctable.ts';
import { sentShape } from '~/features/visa/purchase/api.server.ts';
import * as visaTyped from '~/features/visa/rules/typed.ts';
import {
  correctedDetails,
  correctedPerson,
  storedAnswers as storedVisa,
} from '~/features/visa/store/answer-columns.ts';
import { replaceVisaDetails, readVisaDetails } from '~/features/visa/store/store.server.ts';
import { negotiateLanguage } from '~/i18n/page-language.server.ts';
import type { Sealer } from '~/platform/crypto/seal.server.ts';
import { clientAddress } from '~/platform/http/address.server.ts';
import { problem } from '~/platform/http/problem.server.ts';
import { readObject } from '~/platform/input/read-body.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Queryable, Transaction } from '~/platform/postgres/database.server.ts';
import { SWITCH_LANGUAGE } from '~/ui/answers-form.ts';

type Kind = Application['kind'];
type Answers = Readonly<Record<string, string | undefined>>;

/** The answers of one kind of application, as a correction reopens them. Fields are names of its questions. */
type ReopenedForm = {
  /** Those of some names that may be corrected, in form order. */
  correctableOf: (names: readonly string[]) => readonly string[];
  /** The answers as they are stored; null where they are gone. */
  storedOf: (db: Queryable, sealer: Sealer, found: Application) => Promise<Answers | null>;
  /** The controls of these fields for given answers. */
  typedOf: (answers: Answers, fields: readonly string[]) => TypedAnswers;
  readTyped: (form: FormData, fields: readonly string[]) => TypedAnswers;
  /** What pages have travellers confirm and a call confirms by being made. */
  confirmed: TypedAnswers;
  /** Checks and stores what was sent: all of it, once, or none. */
  apply: (
    platform: Platform,
    open: OpenCorrection,
    sent: SentCorrection,
  ) => Promise<CorrectionAnswer<AnswerProblem>>;
};

type OpenCorrection = {
  correction: Correction;
  application: Application;
  /** The fields to correct, in form order. */
  fields: readonly string[];
  stored: Answers;
};

type SentCorrection = { typed: TypedAnswers; form: FormData; address: string };

export const reopenedForms: Readonly<Record<Kind, ReopenedForm>> = {
  visa: {
    correctableOf: visa.pickVisaCorrectable,
    async storedOf(db, sealer, application) {
      const details = await readVisaDetails(db, sealer, application.id);
      return details && storedVisa(application, details);
    },
    typedOf: (answers, fields) =>
      visaTyped.typedVisaAnswers(answers, visa.pickVisaCorrectable(fields)),
    readTyped: (form, fields) =>
      visaTyped.readTyped(form, visa.correctionControls(visa.pickVisaCorrectable(fields))),
    confirmed: { nameConfirmed: 'yes' },
    async apply(platform, { correction, fields }, { typed }) {
      const settings = await currentSettings(platform.db);
      const asked = visa.pickVisaCorrectable(fields);
      return applyCorrection(platform, correction, typed, {
        async check(tx, application, now) {
          const details = await readVisaDetails(tx, platform.sealer, application.id);
          if (!details) return null;
          const stored = storedVisa(application, details);
          // The dates depend on the kind of document.
          const { supportingDocumentType, visaCountry } = stored;
          const corrected = visaTyped.readVisaAnswers({
            ...typed,
            supportingDocumentType,
            visaCountry,
          });
          const waited = now.getTime() - (application.pausedAt ?? now).getTime();
          const { problems, values } = visa.checkCorrection(
            { stored, corrected, asked: visa.correctionControls(asked) },
            {
              now,
              appliedAt: new Date(application.createdAt.getTime() + waited),
              // The terms of the nationality on the day of application, whatever its regime is now.
              country: {
                code: stored.countryId,
                regime: stored.hasSupportingDocument === '' ? 'evisa' : 'evisa_with_document',
                maxStayDays: details.stayDays,
                entries: details.entries,
              },
              office: officeInForce(settings, application.createdAt),
              readPhone,
            },
          );
          return {
            problems,
            changes: answerChanges(asked, withReadPhone(stored, application.countryCode), {
              ...values,
            }),
            async store(inner) {
              await correctApplication(inner, application.id, correctedPerson(values, asked));
              const changed = { ...details, ...correctedDetails(values, asked) };
              await replaceVisaDetails(inner, platform.sealer, changed);
            },
          };
        },
      });
    },
  },
  insurance: {
    correctableOf: insurance.pickInsuranceCorrectable,
    async storedOf(db, sealer, application) {
      const details = await readInsuranceDetails(db, sealer, application.id);
      return details && storedInsurance({ application, details });
    },
    typedOf: (answers, fields) =>
      insuranceTyped.typedInsuranceAnswers(answers, questionsOf(fields)),
    readTyped: (form, fields) => insuranceTyped.readTyped(form, questionsOf(fields)),
    confirmed: {},
    async apply(platform, { correction, application: { language }, fields }, sent) {
      const { typed, form, address } = sent;
      const intent = boundedText(form, 'intent', 60);
      if (intent.startsWith(REMOVE_PHOTO)) {
        await removePhotos(platform, correction.id, intent.slice(REMOVE_PHOTO.length));
        return { kind: 'typed', typed };
      }
      const lock = (tx: Transaction) => lockOpenCorrection(tx, correction);
      // Stored whatever the other answers are worth.
      const wrong = fields.includes('parentIdPhotos')
        ? await collectPhotos(
            platform,
            { id: correction.id, language, address, lock },
            await readFormUploads(form),
          )
        : [];
      return applyCorrection(platform, correction, typed, {
        lock: lockInsurance,
        check: (tx, application, now) =>
          checkInsurance(tx, platform, application, {
            correction,
            asked: insurance.pickInsuranceCorrectable(fields),
            typed,
            wrong,
            now,
          }),
      });
    },
  },
};

const questionsOf = (fields: readonly string[]) =>
  insurance.correctableQuestions(insurance.pickInsuranceCorrectable(fields));

/** `wrong`: problems of the photos just sent. */
async function checkInsurance(
  tx: Transaction,
  platform: Platform,
  application: Application,
  {
    correction,
    asked,
    typed,
    wrong,
    now,
  }: {
    correction: Correction;
    asked: readonly insurance.CorrectableInsuranceField[];
    typed: TypedAnswers;
    wrong: readonly AnswerProblem[];
    now: Date;
  },
): Promise<CheckedCorrection<AnswerProblem> | null> {
  const { sealer } = platform;
  const details = await readInsuranceDetails(tx, sealer, application.id);
  if (!details) return null;
  const stored = storedInsurance({ application, details });
  const asksPhotos = asked.includes('parentIdPhotos');
  const before = await photosByOwner(tx, sealer, { applicationId: application.id });
  const added = asksPhotos ? await photosByOwner(tx, sealer, { draftId: correction.id }) : [];
  const photos = asksPhotos ? added.length + wrong.length : before.length;
  const { problems, values } = insurance.checkCorrection(
    { stored, corrected: insuranceTyped.readInsuranceAnswers(typed), asked },
    { now, plan: planOf(application, details), photos, readPhone },
  );
  const changes = answerChanges(asked, withReadPhone({ ...stored }, application.countryCode), {
    ...stored,
    ...values,
  });
  const counts = { before: String(before.length), after: `+${added.length}` };
  return {
    problems: [...problems, ...wrong.slice(0, 1)],
    changes: asksPhotos ? [...changes, { field: 'parentIdPhotos', ...counts }] : changes,
    async store(inner) {
      if (asksPhotos) {
        await handOverPhotos(inner, correction.id, application.id);
        await deleteCollectedPhotos(inner, platform, correction.id);
      }
      const { lastName = '', firstName = '', phone = '', dateOfBirth, travelDate } = values;
      const { returnDate, passportNumber, placeOfBirth } = values;
      const first: PlainDate = travelDate ?? day(application.startsOn);
      const last: PlainDate = returnDate ?? day(details.returnDate);
      const birth: PlainDate = dateOfBirth ?? day(application.dateOfBirth);
      await correctApplication(inner, application.id, {
        lastName: lastName || application.lastName,
        firstName: firstName || application.firstName,
        phone: phone || application.phone,
        dateOfBirth: birth,
        startsOn: first,
      });
      await replaceInsuranceDetails(inner, sealer, {
        ...details,
        passportNumber: passportNumber ?? details.passportNumber,
        placeOfBirth: placeOfBirth ?? details.placeOfBirth,
        returnDate: last,
        tripDays: tripDays(first, last) ?? details.tripDays,
        coverUntil: lastInsuredDay(first, planOf(application, details)),
        isMinor: isMinor(birth, first),
      });
    },
  };
}

function day(text: string): PlainDate {
  const read = parseDate(text);
  if (!read) throw new Error('The database holds a day that does not exist');
  return read;
}

/** The plan as it was paid for, whatever is sold now. */
const planOf = ({ service, amountMinor }: Application, { planDays }: InsuranceDetails) => ({
  id: service,
  name: service,
  days: planDays,
  price: usd(amountMinor),
});

/** Opens the link that a traveller got. */
export async function openCorrection(
  platform: Platform,
  token: string,
): Promise<Outcome<OpenCorrection, CorrectionOver>> {
  const found = await findCorrection(platform, token);
  if (!found.ok) return found;
  const { correction, application, names } = found.value;
  const { correctableOf, storedOf } = reopenedForms[application.kind];
  const stored = await storedOf(platform.db, platform.sealer, application);
  if (!stored) return refused('over');
  return ok({ correction, application, fields: correctableOf(names), stored });
}

/** Takes what the page of a correction sends. `number`: the application's, whose status it leads to. */
export async function correct(
  platform: Platform,
  token: string,
  form: FormData,
  address = '',
): Promise<
  Exclude<CorrectionAnswer<AnswerProblem>, { kind: 'done' }> | { kind: 'done'; number: string }
> {
  const opened = await openCorrection(platform, token);
  if (!opened.ok) return { kind: 'over', why: opened.error };
  const { application, fields } = opened.value;
  const { readTyped, apply } = reopenedForms[application.kind];
  const typed = withCountryCode(readTyped(form, fields), application.countryCode);
  // Not checked or stored: the page is only shown in another language.
  if (form.get('intent') === SWITCH_LANGUAGE) return { kind: 'typed', typed };
  const answer = await apply(platform, opened.value, { typed, form, address });
  return answer.kind === 'done' ? { ...answer, number: application.number } : answer;
}

const link = z
  .string()
  .max(2000)
  .describe('The address in the email that asks for the correction, or its last part');

/** The body of `POST /api/applications/{number}/correction`. */
export const visaCorrectionRequest = z
  .object({ link, ...makeRecord(visa.correctable, (field) => z.nullish(sentShape(field))) })
  .meta({ id: 'VisaCorrectionRequest' });

/** The body of `POST /api/insurance/applications/{number}/correction`; photos are sent on its page. */
export const insuranceCorrectionRequest = insuranceRequest
  .pick({
    lastName: true,
    firstName: true,
    passportNumber: true,
    dateOfBirth: true,
    placeOfBirth: true,
    phone: true,
    travelDate: true,
    returnDate: true,
  })
  .partial()
  .extend({ link })
  .meta({ id: 'InsuranceCorrectionRequest' });

export const correctionAnswer = z
  .object({ applicationNumber: z.string() })
  .meta({ id: 'CorrectionAnswer' });

/** The calls that answer a correction. */
export function correctionApi(platform: Platform) {
  const paths = { visa: '/api/applications', insurance: '/api/insurance/applications' } as const;
  return new Hono()
    .post(`${paths.visa}/:number/correction`, (c) => answerCall(platform, 'visa', c))
    .post(`${paths.insurance}/:number/correction`, (c) => answerCall(platform, 'insurance', c));
}

/** A field that the body leaves out keeps its answer. */
async function answerCall(platform: Platform, kind: Kind, c: Context): Promise<Response> {
  const read = await readObject(c.req.raw);
  if (!read.ok) return read.error;
  const body = read.value;
  const named = link.safeParse(body.link);
  if (!named.success) {
    const code =
      body.link === undefined
        ? 'required'
        : typeof body.link === 'string'
          ? 'too_long'
          : 'not_text';
    return problem({ code: 'invalid', errors: { link: code } });
  }
  const opened = await openCorrection(platform, /[^/]*$/.exec(named.data)?.[0] ?? '');
  const number = normaliseNumber(c.req.param('number') ?? '');
  if (!opened.ok || opened.value.application.number !== number) {
    return problem({ code: 'correction_over' });
  }
  const { application, fields, stored } = opened.value;
  if (application.kind !== kind) return problem({ code: 'correction_over' });
  const { typedOf, confirmed, apply } = reopenedForms[kind];
  const given = readBodyAnswers(fields, body);
  const held = { ...typedOf({ ...stored, ...given }, fields), ...confirmed };
  const typed = withCountryCode(held, application.countryCode);
  // A day that does not exist leaves the controls of a date empty.
  const isNoDay = (field: string) =>
    held[`${field}-day`] === '' && !['', 'unlimited'].includes((given[field] ?? '').trim());
  const wrongDays = fields.filter(isNoDay).map((field) => ({ field, code: 'date_invalid' }));
  const notRead = [...findNonTexts(fields, body), ...wrongDays];
  const answer: CorrectionAnswer<AnswerProblem> =
    notRead.length > 0
      ? { kind: 'problems', problems: notRead, typed }
      : await apply(platform, opened.value, {
          typed,
          form: new FormData(),
          address: clientAddress(c, platform),
        });
  switch (answer.kind) {
    case 'done':
      c.header('Cache-Control', 'no-store');
      return c.json({ applicationNumber: number } satisfies z.infer<typeof correctionAnswer>);
    case 'problems':
      return problem(
        invalidCall(negotiateLanguage(c.req.raw), placeProblems(kind, answer.problems)),
      );
    case 'over':
      return problem({ code: 'correction_over' });
    default:
      return problem({ code: 'nothing_changed' });
  }
}
