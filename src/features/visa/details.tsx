import { Fragment, useState, type ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { phoneCodesByLanguage } from '~/features/application/read-phone.server.ts';
import { phoneCountryName } from '~/features/application/phone-codes.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { NameQuestions, PhoneQuestion } from '~/features/form/page/person-questions.tsx';
import { Question } from '~/features/form/page/question.tsx';
import { formHandle } from '~/ui/answers-form.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FormGroup } from '~/ui/layout.tsx';
import { AgeNotice } from './parts/age-notice.tsx';
import { NameLines } from './parts/name-lines.tsx';
import { linesMessage, PassportReader } from './passport-reader/passport-reader.tsx';
import { LINES, parseZone } from './passport-reader/zone.ts';
import { previewPromise } from './rules/ready-by.ts';
import { questionByField, type VisaField, type QuestionGroup } from './rules/questions.ts';
import { stepById } from './rules/steps.ts';
import type { StepAnswer } from './parts/step-view.ts';
import { handleStepSubmit, openStep, stepView } from './wizard/wizard.server.ts';
import { UNNAMED, NATIONALITY_CONFIRMED, ZONE } from './rules/typed.ts';
import { useStepForm, type StepForm } from './parts/use-step-form.tsx';
import { useServerClock } from './parts/visitor-time.tsx';
import { parentsOffered } from './wizard/parents-offered.server.ts';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/details.ts';
import type { TypedAnswers } from '~/features/form/answers/controls.ts';
import { Notice } from '~/ui/notice.tsx';
import { isolated } from '~/base/isolated.ts';
import {
  zoneConfirmation,
  zoneCountry,
  zoneDifferences,
  type ZoneAnswers,
} from './passport-reader/differences.ts';
import { useZoneValue } from './passport-reader/zone-summary.tsx';

export const handle = formHandle;
export async function loader(args: Route.LoaderArgs) {
  const opened = await openStep('details', args);
  return {
    view: stepView('details', opened),
    parents: await parentsOffered(opened),
    phoneCodes: phoneCodesByLanguage(opened.language),
  };
}
export const action = (args: Route.ActionArgs) => handleStepSubmit('details', args);

/** By CSS, so also without scripts. */
const unlessUnnamed = 'group-has-[[type=checkbox]:checked]/parent:hidden';

/** The name of a parent, or a box that no document names one. */
function Parent({
  field,
  form,
  suggestions,
}: {
  field: keyof typeof UNNAMED;
  form: StepForm;
  suggestions: readonly string[];
}) {
  const { t } = useTranslation('visa');
  return (
    <div className="group/parent grid gap-3">
      <div className={unlessUnnamed}>
        <Question field={field} form={form} suggestions={suggestions} />
      </div>
      <CheckBox
        defaultChecked={form.start[UNNAMED[field]] === 'yes'}
        label={t(`details.${UNNAMED[field]}`)}
        name={UNNAMED[field]}
      />
    </div>
  );
}

function DetailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['visa', 'catalog']);
  const { view, parents, phoneCodes } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const [isReadHere, setReadHere] = useState(false);
  const { lines, beside } = answer ?? {};
  const linesProblem =
    lines && !isReadHere ? [{ name: LINES, message: linesMessage(t, lines.refusal) }] : [];
  /** The questions that have more than their label and control. */
  const special: Readonly<Partial<Record<VisaField, ReactNode>>> = {
    lastName: (
      <NameLines form={step}>
        <NameQuestions form={step} />
      </NameLines>
    ),
    // Among them.
    firstName: null,
    dateOfBirth: (
      <>
        <Question field="dateOfBirth" form={step} />
        <AgeNotice answers={step.answers} country={view.country} />
      </>
    ),
    passportExpiryDate: (
      <Question
        field="passportExpiryDate"
        form={step}
        hint={t('details.expiryHint', limitsInTexts)}
      />
    ),
    motherName: <Parent field="motherName" form={step} suggestions={parents} />,
    fatherName: <Parent field="fatherName" form={step} suggestions={parents} />,
    phone: <PhoneQuestion codes={phoneCodes} form={step} nationality={view.country?.code} />,
    address: <Question field="address" form={step} hint={t('details.addressHint')} />,
  };
  const questionsIn = (group: QuestionGroup) =>
    stepById('details')
      .fields.filter((field) => questionByField(field).group === group)
      .map((field) => (
        <Fragment key={field}>
          {field in special ? special[field] : <Question field={field} form={step} />}
        </Fragment>
      ));
  return (
    <WizardPage
      answer={answer}
      lead={t('details.lead')}
      now={now}
      readyBy={previewPromise(step.answers, step.country, now, view.office)}
      step={{ ...step, summary: [...linesProblem, ...step.summary] }}
      title={t('details.title')}
      view={view}
    >
      <FormGroup title={t('details.passport')}>
        <PassportReader
          form={step}
          now={now}
          onRead={() => setReadHere(true)}
          refused={lines}
          typed={beside?.[LINES]}
        />
        {questionsIn('passport')}
        <ZoneDifferences
          answers={step.answers}
          country={view.country}
          nameOf={(code) => phoneCountryName(phoneCodes, code)}
          typed={step.typed}
        />
      </FormGroup>
      <FormGroup hint={t('details.parentsHint')} title={t('details.parents')}>
        {questionsIn('parents')}
      </FormGroup>
      <FormGroup hint={t('details.contactHint')} title={t('details.contact')}>
        {questionsIn('contact')}
      </FormGroup>
    </WizardPage>
  );
}

export { DetailsPage as default };

/** What was typed otherwise than the passport's lines have it. It may be right: this warns and lets go on. */
function ZoneDifferences({
  answers,
  country,
  typed,
  nameOf,
}: {
  answers: ZoneAnswers;
  /** The chosen nationality, by its name. */
  country: { name: string } | null;
  typed: TypedAnswers;
  /** The name of a country by its code; null where it is not known. */
  nameOf: (code: string) => string | null;
}) {
  const { t } = useTranslation('visa');
  const valueOf = useZoneValue();
  const zone = parseZone(typed[ZONE]);
  const differing = zone ? zoneDifferences(zone, answers) : [];
  if (!zone || differing.length === 0) return null;
  const { nationality } = zone;
  const confirmation = zoneConfirmation(zone, answers.countryId ?? '');
  return (
    <Notice role="status" title={t('reader.differs')} tone="amber">
      <ul>
        {differing.map((field) => (
          <li key={field}>
            {field === 'countryId'
              ? t('reader.otherNationality', {
                  passport: nameOf(zoneCountry(zone)) ?? isolated(nationality),
                  country: country?.name ?? '',
                })
              : t('reader.value', { label: t(`labels.${field}`), value: valueOf(zone, field) })}
          </li>
        ))}
      </ul>
      <p className="mt-2">{t('reader.differsText')}</p>
      {differing.includes('countryId') ? (
        <CheckBox
          className="mt-3"
          defaultChecked={typed[NATIONALITY_CONFIRMED] === confirmation}
          key={confirmation}
          label={t('reader.confirmNationality', { country: country?.name ?? '' })}
          name={NATIONALITY_CONFIRMED}
          value={confirmation}
        />
      ) : null}
    </Notice>
  );
}
