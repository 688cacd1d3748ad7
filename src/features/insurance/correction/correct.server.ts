import { parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { usd } from '~/base/money.ts';
import type { Outcome } from '~/base/outcome.ts';
import { readPhone, withReadPhone } from '~/features/application/read-phone.server.ts';
import { changesOf } from '~/features/application/correction/correction.ts';
import type {
  CorrectionAnswer,
  CorrectionOver,
} from '~/features/application/correction/correction-answer.ts';
import {
  openCorrectionLink,
  type OpenCorrection,
} from '~/features/application/correction/correction-link.server.ts';
import { markAnswered } from '~/features/application/correction/correction-store.server.ts';
import { correctApplication, resumeClock } from '~/features/application/pause-store.server.ts';
import {
  lockApplication,
  addEvent,
  type Application,
} from '~/features/application/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { Problem } from '../rules/check.ts';
import { photosOf } from '../store/photo-store.server.ts';
import { AdmittedPhotos, PhotoFiles, type Upload } from '../purchase/photo-upload.server.ts';
import {
  insuranceDetailsOf,
  lockInsurance,
  replaceInsuranceDetails,
  type InsuranceDetails,
} from '../store/store.server.ts';
import { storedAnswers } from '../store/stored-answers.ts';
import { isMinor, lastInsuredDay, tripDays } from '../rules/trip.ts';
import { answersOf, typedOf } from '../rules/typed.ts';
import { checkCorrection, correctableOf, type Correctable } from './correctable.ts';

type Open = OpenCorrection<InsuranceDetails, Correctable>;

/** What a link opens. */
export const openCorrection = (
  platform: Platform,
  token: string,
): Promise<Outcome<Open, CorrectionOver>> =>
  openCorrectionLink(platform, token, {
    kind: 'insurance',
    detailsOf: insuranceDetailsOf,
    correctableOf,
  });

/** What the controls of the page begin with: photos are never shown again. */
export const typedFrom = (open: Open): Typed =>
  typedOf(
    storedAnswers(open),
    open.fields.filter((field) => field !== 'parentIdPhotos'),
  );

type Answer = CorrectionAnswer<Problem>;

/** Undoes the transaction: an answer is taken whole or not at all. */
class Wrong extends Error {
  readonly problems: Problem[];
  constructor(problems: Problem[]) {
    super('Wrong answers');
    this.problems = problems;
  }
}

/** The form as it was typed, kept nowhere and not judged: its page is only shown in another language. */
export async function retypeCorrection(
  platform: Platform,
  token: string,
  typed: Typed,
): Promise<Answer> {
  const opened = await openCorrection(platform, token);
  return opened.ok ? { kind: 'typed', typed } : { kind: 'over', why: opened.error };
}

/** Takes the traveller's answer: all of it, once, and the clock runs again; or nothing. */
export async function correct(
  platform: Platform,
  token: string,
  { typed, uploads, address }: { typed: Typed; uploads: readonly Upload[]; address: string },
): Promise<Answer> {
  const opened = await openCorrection(platform, token);
  if (!opened.ok) return { kind: 'over', why: opened.error };
  const { correction, fields } = opened.value;
  const { sealer } = platform;
  const now = platform.now();
  const asksPhotos = fields.includes('parentIdPhotos');
  let photoFiles: PhotoFiles | undefined;
  try {
    const admitted = await AdmittedPhotos.admit(platform, address, asksPhotos ? uploads : []);
    if (!admitted.ok) throw new Wrong([admitted.error]);
    const files = await PhotoFiles.put(platform, admitted.value.allOrNone);
    photoFiles = files;
    const answer = await platform.db.transaction(async (tx): Promise<Answer> => {
      // In the order of a decision: the insurance, then the application.
      await lockInsurance(tx, correction.applicationId);
      const application = await lockApplication(tx, correction.applicationId);
      const details = await insuranceDetailsOf(tx, sealer, correction.applicationId);
      if (!application || !details || application.decidedAt) return { kind: 'over', why: 'over' };
      const stored = storedAnswers({ application, details });
      const kept = await photosOf(tx, sealer, { applicationId: application.id });
      const photos = asksPhotos ? uploads.length : kept.length;
      const plan = planOf(application, details);
      const { problems, values } = checkCorrection(
        { stored, corrected: answersOf(typed), asked: fields },
        { now, plan, photos, readPhone },
      );
      if (problems.length > 0) throw new Wrong(problems);
      const changes = changesOf(fields, withReadPhone({ ...stored }, application.countryCode), {
        ...stored,
        ...values,
      });
      const seen = asksPhotos
        ? [
            ...changes,
            { field: 'parentIdPhotos', before: String(kept.length), after: `+${photos}` },
          ]
        : changes;
      // One that was answered meanwhile waits for nothing.
      if (seen.length === 0 && application.pausedAt) return { kind: 'unchanged', typed };
      const answer = { id: correction.id, at: now, changes: seen };
      if (!(await markAnswered(tx, sealer, answer))) return { kind: 'over', why: 'answered' };
      if (asksPhotos) {
        const notPhotos = admitted.value.problems;
        if (notPhotos.length > 0) throw new Wrong(notPhotos);
        await files.insert(tx, { applicationId: application.id });
      }
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
        coverUntil: lastInsuredDay(first, plan),
        isMinor: isMinor(birth, first),
      });
      await resumeClock(tx, application, now);
      await addEvent(tx, { applicationId: application.id, kind: 'correction_answered', at: now });
      return { kind: 'done' };
    });
    if (answer.kind === 'done') files.keep();
    return answer;
  } catch (error) {
    if (error instanceof Wrong) return { kind: 'problems', problems: error.problems, typed };
    throw error;
  } finally {
    await photoFiles?.removeRest();
  }
}

function day(text: string): PlainDate {
  const read = parseDate(text);
  if (!read) throw new Error('The database holds a day that does not exist');
  return read;
}

/** The plan as it was paid, whatever is sold today. */
const planOf = ({ service, amountMinor }: Application, { planDays }: InsuranceDetails) => ({
  id: service,
  name: service,
  days: planDays,
  price: usd(amountMinor),
});
