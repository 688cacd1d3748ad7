import { useTranslation } from '~/ui/texts/texts.tsx';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { formHandle } from '~/ui/answers-form.ts';
import { EMAIL_ANSWER } from '~/ui/fields/email-answer.ts';
import { EmailChoice } from '~/ui/fields/email-choice.tsx';
import { FieldRow, FormGroup } from '~/ui/layout.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { AgeNotice } from '../parts/age-notice.tsx';
import { DateAnswer } from '../parts/date-answer.tsx';
import { NameLines } from '../parts/name-lines.tsx';
import { TextAnswer } from '../parts/text-answer.tsx';
import { promisedNow } from '../rules/promised-now.ts';
import type { StepAnswer } from '../parts/step-view.ts';
import { handleStepSubmit } from '../wizard/handle-step-submit.server.ts';
import { useStepForm } from '../parts/use-step-form.tsx';
import { useServerClock } from '../parts/visitor-time.tsx';
import { openStep, viewOf } from '../wizard/wizard.server.ts';
import { WizardPage } from '../parts/wizard-page.tsx';
import type { Route } from './+types/details.ts';

export const handle = formHandle;
export async function loader(args: Route.LoaderArgs) {
  return { view: viewOf('details', await openStep('details', args)) };
}
export const action = (args: Route.ActionArgs) => handleStepSubmit('details', args);

function DetailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['visa', 'catalog']);
  const { view } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const { documentType = '' } = view.answers;
  const document = t(`catalog:travelDocument.${documentType}`, documentType);
  return (
    <WizardPage
      answer={answer}
      lead={t('details.lead')}
      now={now}
      readyBy={promisedNow(step.answers, step.country, now)}
      step={step}
      title={t('details.title')}
      view={view}
    >
      <FormGroup
        hint={t('details.passportHint', { document, country: view.country?.name })}
        title={t('details.passport')}
      >
        <FieldRow>
          <TextAnswer
            autoComplete="family-name"
            field="lastName"
            hint={t('details.lastNameHint')}
            latin
            step={step}
            width="full"
          />
          <TextAnswer
            autoComplete="given-name"
            field="firstName"
            hint={t('details.firstNameHint')}
            latin
            step={step}
            width="full"
          />
        </FieldRow>
        <NameLines step={step} />
        <TextAnswer
          autoCapitalize="characters"
          field="passportNumber"
          latin
          spellCheck={false}
          step={step}
        />
        <DateAnswer birthday field="dateOfBirth" step={step} />
        <AgeNotice answers={step.answers} country={view.country} />
        <TextAnswer field="placeOfBirth" latin step={step} />
        <DateAnswer field="passportIssueDate" step={step} />
        <DateAnswer
          field="passportExpiryDate"
          hint={t('details.expiryHint', limitsInTexts)}
          step={step}
        />
      </FormGroup>
      <FormGroup hint={t('details.parentsHint')} title={t('details.parents')}>
        <FieldRow>
          <TextAnswer field="motherName" latin step={step} width="full" />
          <TextAnswer field="fatherName" latin step={step} width="full" />
        </FieldRow>
      </FormGroup>
      <FormGroup hint={t('details.contactHint')} title={t('details.contact')}>
        <TextAnswer
          after={
            <EmailChoice
              ask={step.askedEmail}
              chosen={step.start[EMAIL_ANSWER]}
              typed={step.start.email ?? ''}
            />
          }
          autoComplete="email"
          field="email"
          inputMode="email"
          latin
          spellCheck={false}
          step={step}
          type="email"
          width="email"
        />
        <TextAnswer
          autoComplete="tel"
          field="phone"
          hint={t('details.phoneHint')}
          inputMode="tel"
          latin
          step={step}
          type="tel"
        />
        <TextArea
          autoComplete="street-address"
          defaultValue={step.start.address}
          error={step.errorAt('address')}
          hint={t('details.addressHint')}
          label={t('labels.address')}
          latin
          name="address"
        />
      </FormGroup>
    </WizardPage>
  );
}

export { DetailsPage as default };
