import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import { readPhone, withReadPhone } from '~/features/application/phone/read-phone.server.ts';
import { changesOf } from '~/features/application/correction/correction.ts';
import type { CorrectionAnswer } from '~/features/application/correction/correction-answer.ts';
import type { OpenCorrection } from '~/features/application/correction/correction-link.server.ts';
import { applyCorrection } from '~/features/application/correction/apply-correction.server.ts';
import { correctApplication } from '~/features/application/pause-store.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import {
  correctionOf,
  type SentCorrection,
} from '~/features/form/correction/correction-of.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { uploadsIn } from '../form/handle-form-submit.server.ts';
import type { Field, Values } from '../rules/answers.ts';
import type { Problem } from '../rules/check.ts';
import { photosOf } from '../store/photo-store.server.ts';
import { AdmittedPhotos, PhotoFiles } from '../purchase/photo-upload.server.ts';
import {
  insuranceDetailsOf,
  lockInsurance,
  replaceInsuranceDetails,
  type InsuranceDetails,
} from '../store/store.server.ts';
import { storedAnswers } from '../store/stored-answers.ts';
import { isMinor, lastInsuredDay, tripDays } from '../rules/trip.ts';
import { answersOf, readTyped, typedOf } from '../rules/typed.ts';
import { checkCorrection, correctableOf, questionsOf, type Correctable } from './correctable.ts';

type Open = OpenCorrection<InsuranceDetails, Correctable>;

/** The correction of an insurance by the link that its traveller got. Photos are never shown again. */
export const { load: loadCorrection, act: handleCorrection } = correctionOf<
  Field,
  Correctable,
  InsuranceDetails
>({
  kind: 'insurance',
  detailsOf: insuranceDetailsOf,
  correctableOf,
  typedFrom: (open) => typedOf(storedAnswers(open), questionsOf(open.fields)),
  readTyped: (form, fields) => readTyped(form, questionsOf(fields)),
  judge: correct,
});

async function correct(
  platform: Platform,
  { correction, fields }: Open,
  { typed, form, address }: SentCorrection,
): Promise<CorrectionAnswer<Problem>> {
  const { sealer } = platform;
  const asksPhotos = fields.includes('parentIdPhotos');
  const uploads = asksPhotos ? await uploadsIn(form) : [];
  const admitted = await AdmittedPhotos.admit(platform, address, uploads);
  if (!admitted.ok) return { kind: 'problems', problems: [admitted.error], typed };
  const files = await PhotoFiles.put(platform, admitted.value.allOrNone);
  try {
    const answer = await applyCorrection<InsuranceDetails, Problem>(platform, correction, typed, {
      lock: lockInsurance,
      detailsOf: insuranceDetailsOf,
      async judge(tx, application, details, now) {
        const stored = storedAnswers({ application, details });
        const kept = await photosOf(tx, sealer, { applicationId: application.id });
        const photos = asksPhotos ? uploads.length : kept.length;
        const { problems, values } = checkCorrection(
          { stored, corrected: answersOf(typed), asked: fields },
          { now, plan: planOf(application, details), photos, readPhone },
        );
        const changes = changesOf(fields, withReadPhone({ ...stored }, application.countryCode), {
          ...stored,
          ...values,
        });
        const added = { before: String(kept.length), after: `+${photos}` };
        return {
          problems: problems.length > 0 ? problems : admitted.value.problems,
          changes: asksPhotos ? [...changes, { field: 'parentIdPhotos', ...added }] : changes,
          async store(inner) {
            if (asksPhotos) await files.insert(inner, { applicationId: application.id });
            await replaceAnswers(inner, platform, { application, details, values });
          },
        };
      },
    });
    if (answer.kind === 'done') files.keep();
    return answer;
  } finally {
    await files.removeRest();
  }
}

async function replaceAnswers(
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
