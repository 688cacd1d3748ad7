import type { Outcome } from '~/base/outcome.ts';
import { readPhone, withReadPhone } from '~/features/application/read-phone.server.ts';
import {
  correctApplication,
  resumeClock,
  type Corrected,
} from '~/features/application/pause-store.server.ts';
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
import {
  lockApplication,
  addEvent,
  type Application,
} from '~/features/application/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import type { CountryTerms, Values } from '../rules/answers.ts';
import type { Problem } from '../rules/rule.ts';
import { storedAnswers } from '../store/stored-answers.server.ts';
import { replaceVisaDetails, visaDetailsOf, type VisaDetails } from '../store/store.server.ts';
import { answersOf, readTyped, typedOf } from '../rules/typed.ts';
import { checkCorrection, controlsFor, correctableOf, type Correctable } from './correctable.ts';

type Open = OpenCorrection<VisaDetails, Correctable>;

/** What a link opens. */
export const openCorrection = (
  platform: Platform,
  token: string,
): Promise<Outcome<Open, CorrectionOver>> =>
  openCorrectionLink(platform, token, { kind: 'visa', detailsOf: visaDetailsOf, correctableOf });

/** What the controls of the page begin with. */
export const typedFrom = ({ application, details, fields }: Open): Typed =>
  typedOf(storedAnswers(application, details), fields);

type Answer = CorrectionAnswer<Problem>;

/** The form as it was typed, kept nowhere and not judged: its page is only shown in another language. */
export async function retypeCorrection(
  platform: Platform,
  token: string,
  form: FormData,
): Promise<Answer> {
  const opened = await openCorrection(platform, token);
  if (!opened.ok) return { kind: 'over', why: opened.error };
  return { kind: 'typed', typed: readTyped(form, controlsFor(opened.value.fields)) };
}

/** Takes the traveller's answer: all of it, once, and the clock runs again; or nothing. */
export async function correct(platform: Platform, token: string, form: FormData): Promise<Answer> {
  const opened = await openCorrection(platform, token);
  if (!opened.ok) return { kind: 'over', why: opened.error };
  const { correction, fields } = opened.value;
  const now = platform.now();
  const asked = controlsFor(fields);
  const typed = readTyped(form, asked);
  return platform.db.transaction(async (tx): Promise<Answer> => {
    // As a decision does: the application first, so that one of the two comes after the other.
    const application = await lockApplication(tx, correction.applicationId);
    const details = await visaDetailsOf(tx, platform.sealer, correction.applicationId);
    if (!application || !details || application.decidedAt) return { kind: 'over', why: 'over' };
    const stored = storedAnswers(application, details);
    // Which dates a document has depends on what document it is.
    const { supportingDocumentType = '', visaCountry = '' } = stored;
    const corrected = answersOf({ ...typed, supportingDocumentType, visaCountry });
    const waited = now.getTime() - (application.pausedAt ?? now).getTime();
    const { problems, values } = checkCorrection(
      { stored, corrected, asked },
      {
        now,
        appliedAt: new Date(application.createdAt.getTime() + waited),
        country: termsOf(application, details),
        readPhone,
      },
    );
    if (problems.length > 0) return { kind: 'problems', problems, typed };
    const changes = changesOf(fields, withReadPhone(stored, application.countryCode), {
      ...values,
    });
    // One that was answered meanwhile waits for nothing.
    if (changes.length === 0 && application.pausedAt) return { kind: 'unchanged', typed };
    const answer = { id: correction.id, at: now, changes };
    if (!(await markAnswered(tx, platform.sealer, answer)))
      return { kind: 'over', why: 'answered' };
    await correctApplication(tx, application.id, personOf(values, fields));
    await replaceVisaDetails(tx, platform.sealer, { ...details, ...papersOf(values, fields) });
    await resumeClock(tx, application, now);
    await addEvent(tx, { applicationId: application.id, kind: 'correction_answered', at: now });
    return { kind: 'done' };
  });
}

const person = ['firstName', 'lastName', 'dateOfBirth', 'phone'] as const;
const papers = [
  'passportNumber',
  'passportIssueDate',
  'passportExpiryDate',
  'placeOfBirth',
  'motherName',
  'fatherName',
  'address',
  'supportingDocumentNumber',
  'supportingDocumentStartDate',
  'supportingDocumentEndDate',
] as const;

const pick = <F extends Correctable>(
  some: readonly F[],
  values: Values,
  fields: readonly Correctable[],
): { [K in F]?: NonNullable<Values[K]> } => {
  const picked: { [K in F]?: NonNullable<Values[K]> } = {};
  for (const field of some) {
    const value = values[field];
    if (fields.includes(field) && value !== undefined) picked[field] = value;
  }
  return picked;
};

const personOf = (values: Values, fields: readonly Correctable[]): Corrected => {
  const { arrivalDate } = pick(['arrivalDate'], values, fields);
  return { ...pick(person, values, fields), ...(arrivalDate && { startsOn: arrivalDate }) };
};
const papersOf = (values: Values, fields: readonly Correctable[]): Partial<VisaDetails> =>
  pick(papers, values, fields);

/** What the nationality was granted on the day of application, whatever its regime is today. */
const termsOf = ({ countryCode }: Application, details: VisaDetails): CountryTerms => ({
  code: countryCode,
  regime: details.supportingDocumentType === null ? 'evisa' : 'evisa_with_document',
  maxStayDays: details.stayDays,
  entries: details.entries,
});
