import type { Office } from '~/base/dates/office.ts';
import { readPhone, withReadPhone } from '~/features/application/read-phone.server.ts';
import { correctApplication } from '~/features/application/pause-store.server.ts';
import { changesOf } from '~/features/application/correction/correction.ts';
import { applyCorrection } from '~/features/application/correction/apply-correction.server.ts';
import type { Application } from '~/features/application/store.server.ts';
import type { Typed } from '~/features/form/answers/controls.ts';
import { correctionOf } from '~/features/form/correction-of.server.ts';
import { officeAt } from '~/features/settings/office.server.ts';
import { currentSettings } from '~/features/settings/store.server.ts';
import type { Problem } from './rules/rule.ts';
import type { Answers, CountryTerms } from './rules/answers.ts';
import type { Field } from './rules/questions.ts';
import { correctedDetails, correctedPerson, storedAnswers } from './store/answer-columns.ts';
import { replaceVisaDetails, visaDetailsOf, type VisaDetails } from './store/store.server.ts';
import { answersOf, readTyped, typedOf } from './rules/typed.ts';
import { checkCorrection, controlsFor, correctableOf, type Correctable } from './correctable.ts';

/** The correction of an e-visa application by the link that its traveller got. */
export const {
  open: openCorrection,
  correct,
  api: visaCorrectionApi,
  load: loadCorrection,
  act: handleCorrection,
} = correctionOf<Field, Correctable, VisaDetails>({
  kind: 'visa',
  detailsOf: visaDetailsOf,
  correctableOf,
  confirmed: { nameConfirmed: 'yes' },
  storedOf: ({ application, details }) => storedAnswers(application, details),
  typedOf,
  readTyped: (form, fields) => readTyped(form, controlsFor(fields)),
  async apply(platform, { correction, fields }, { typed }) {
    const settings = await currentSettings(platform.db);
    return applyCorrection<VisaDetails, Problem>(platform, correction, typed, {
      detailsOf: visaDetailsOf,
      async checkAnswers(_, application, details, now) {
        const { problems, values } = checkAnswers(application, details, {
          now,
          fields,
          typed,
          office: officeAt(settings, application.createdAt),
        });
        const before = withReadPhone(storedAnswers(application, details), application.countryCode);
        return {
          problems,
          changes: changesOf(fields, before, { ...values }),
          async store(tx) {
            await correctApplication(tx, application.id, correctedPerson(values, fields));
            const changed = { ...details, ...correctedDetails(values, fields) };
            await replaceVisaDetails(tx, platform.sealer, changed);
          },
        };
      },
    });
  },
});

function checkAnswers(
  application: Application,
  details: VisaDetails,
  {
    now,
    fields,
    typed,
    office,
  }: {
    now: Date;
    fields: readonly Correctable[];
    typed: Typed;
    office: Office;
  },
) {
  const stored = storedAnswers(application, details);
  // The dates depend on the kind of document.
  const { supportingDocumentType, visaCountry } = stored;
  const corrected = answersOf({ ...typed, supportingDocumentType, visaCountry });
  const waited = now.getTime() - (application.pausedAt ?? now).getTime();
  return checkCorrection(
    { stored, corrected, asked: controlsFor(fields) },
    {
      now,
      appliedAt: new Date(application.createdAt.getTime() + waited),
      country: termsOf(stored, details),
      office,
      readPhone,
    },
  );
}

/** The terms of the nationality on the day of application, whatever its regime is now. */
const termsOf = (
  { countryId = '', hasSupportingDocument }: Answers,
  details: VisaDetails,
): CountryTerms => ({
  code: countryId,
  regime: hasSupportingDocument === '' ? 'evisa' : 'evisa_with_document',
  maxStayDays: details.stayDays,
  entries: details.entries,
});
