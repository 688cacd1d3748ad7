import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { readPhone, withReadPhone } from '~/features/application/read-phone.server.ts';
import { changesOf } from '~/features/application/correction/correction.ts';
import type { CorrectionAnswer } from '~/features/application/correction/correction-answer.ts';
import type { OpenCorrection } from '~/features/application/correction/correction-link.server.ts';
import {
  applyCorrection,
  lockOpenCorrection,
} from '~/features/application/correction/apply-correction.server.ts';
import { correctApplication } from '~/features/application/pause-store.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import { correctionOf, type SentCorrection } from '~/features/form/correction-of.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { textOf } from '~/features/form/answers/controls.ts';
import {
  collectPhotos,
  deleteCollectedPhotos,
  photosOfDraft,
  removePhotos,
  uploadsInForm,
} from './form/draft-photos.server.ts';
import type { Field, Values } from './rules/answers.ts';
import type { Problem } from './rules/check.ts';
import { REMOVE_PHOTO } from './rules/photo-rules.ts';
import { handOverPhotos, photosOf } from './store/photo-store.server.ts';
import {
  insuranceDetailsOf,
  lockInsurance,
  replaceInsuranceDetails,
  type InsuranceDetails,
  storedAnswers,
} from './store/store.server.ts';
import { isMinor, lastInsuredDay, tripDays } from './rules/trip.ts';
import { answersOf, readTyped, typedOf } from './rules/typed.ts';
import { checkCorrection, correctableOf, questionsOf, type Correctable } from './correctable.ts';

type Open = OpenCorrection<InsuranceDetails, Correctable>;

/** The correction of an insurance by the link that its traveller got. Photos are never shown again. */
export const {
  api: insuranceCorrectionApi,
  load: loadCorrection,
  act: handleCorrection,
} = correctionOf<Field, Correctable, InsuranceDetails>({
  kind: 'insurance',
  detailsOf: insuranceDetailsOf,
  correctableOf,
  storedOf: storedAnswers,
  typedOf: (answers, fields) => typedOf(answers, questionsOf(fields)),
  readTyped: (form, fields) => readTyped(form, questionsOf(fields)),
  apply: correct,
  filesOf: (platform, id) => photosOfDraft(platform, { id, changing: null }),
});

async function correct(
  platform: Platform,
  open: Open,
  { typed, form, address }: SentCorrection,
): Promise<CorrectionAnswer<Problem>> {
  const { application: asked, correction, fields } = open;
  const { sealer } = platform;
  const asksPhotos = fields.includes('parentIdPhotos');
  const intent = textOf(form, 'intent', 60);
  if (intent.startsWith(REMOVE_PHOTO)) {
    await removePhotos(platform, correction.id, intent.slice(REMOVE_PHOTO.length));
    return { kind: 'typed', typed };
  }
  // Stored whatever the other answers are worth.
  const wrong = asksPhotos
    ? await collectPhotos(
        platform,
        {
          id: correction.id,
          language: asked.language,
          address,
          lock: (tx) => lockOpenCorrection(tx, correction),
        },
        await uploadsInForm(form),
      )
    : [];
  return applyCorrection<InsuranceDetails, Problem>(platform, correction, typed, {
    lock: lockInsurance,
    detailsOf: insuranceDetailsOf,
    async checkAnswers(tx, application, details, now) {
      const stored = storedAnswers({ application, details });
      const before = await photosOf(tx, sealer, { applicationId: application.id });
      const added = asksPhotos ? await photosOf(tx, sealer, { draftId: correction.id }) : [];
      const photos = asksPhotos ? added.length + wrong.length : before.length;
      const { problems, values } = checkCorrection(
        { stored, corrected: answersOf(typed), asked: fields },
        { now, plan: planOf(application, details), photos, readPhone },
      );
      const changes = changesOf(fields, withReadPhone({ ...stored }, application.countryCode), {
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
          await storeCorrected(inner, platform, { application, details, values });
        },
      };
    },
  });
}

async function storeCorrected(
  tx: Transaction,
  { sealer }: Pick<Platform, 'sealer'>,
  {
    application,
    details,
    values,
  }: { application: Application; details: InsuranceDetails; values: Values },
) {
  const { lastName = '', firstName = '', phone = '', dateOfBirth, travelDate } = values;
  const { returnDate, passportNumber, placeOfBirth } = values;
  const first: PlainDate = travelDate ?? day(application.startsOn);
  const last: PlainDate = returnDate ?? day(details.returnDate);
  const birth: PlainDate = dateOfBirth ?? day(application.dateOfBirth);
  await correctApplication(tx, application.id, {
    lastName: lastName || application.lastName,
    firstName: firstName || application.firstName,
    phone: phone || application.phone,
    dateOfBirth: birth,
    startsOn: first,
  });
  await replaceInsuranceDetails(tx, sealer, {
    ...details,
    passportNumber: passportNumber ?? details.passportNumber,
    placeOfBirth: placeOfBirth ?? details.placeOfBirth,
    returnDate: last,
    tripDays: tripDays(first, last) ?? details.tripDays,
    coverUntil: lastInsuredDay(first, planOf(application, details)),
    isMinor: isMinor(birth, first),
  });
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
