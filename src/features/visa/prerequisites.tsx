import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatDate } from '~/base/dates/dates.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { formHandle } from '~/ui/answers-form.ts';
import { CheckBox } from '~/ui/fields/check-box.tsx';
import { FieldSet } from '~/ui/fields/field-set.tsx';
import { arrivalWindow, previewPromise } from './rules/ready-by.ts';
import { isSpeedSold } from './rules/speeds.ts';
import type { StepAnswer } from './parts/step-view.ts';
import { handleStepSubmit, openStep, stepView } from './wizard/wizard.server.ts';
import { useStepForm } from './parts/use-step-form.tsx';
import { useServerClock } from '~/ui/use-now.tsx';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/prerequisites.ts';

export const handle = formHandle;
export async function loader(args: Route.LoaderArgs) {
  return { view: stepView('prerequisites', await openStep('prerequisites', args)) };
}
export const action = (args: Route.ActionArgs) => handleStepSubmit('prerequisites', args);

const boxes = [
  'ordinaryPassport',
  'validPassport',
  'enterWithin3Months',
  'stayWithin30Days',
] as const;

function PrerequisitesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t, language } = useTranslation('visa');
  const { view } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const { processingType = '' } = step.answers;
  const isSold = isSpeedSold('with_document', processingType);
  const entryUntil = isSold
    ? formatDate(arrivalWindow('with_document', processingType, now, view.office).latest, language)
    : '';
  return (
    <WizardPage
      answer={answer}
      now={now}
      readyBy={previewPromise(step.answers, step.country, now, view.office)}
      step={step}
      title={t('prerequisites.title')}
      view={view}
    >
      <FieldSet heading="h2" label={t('prerequisites.legend')} name="prerequisites">
        <div className="mt-2 grid w-full gap-4">
          {boxes.map((field) => (
            <CheckBox
              defaultChecked={step.start[field] === 'yes'}
              error={step.errorAt(field)}
              key={field}
              label={t(`prerequisites.${field}`, { ...limitsInTexts, date: entryUntil })}
              name={field}
            />
          ))}
        </div>
      </FieldSet>
    </WizardPage>
  );
}

export { PrerequisitesPage as default };
