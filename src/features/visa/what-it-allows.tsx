import { useTranslation } from '~/ui/texts/texts.tsx';
import { countryNote } from '~/features/catalog/notes.ts';
import { EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { formHandle } from '~/ui/answers-form.ts';
import { Card, Facts } from '~/ui/card.tsx';
import { FormFields } from '~/ui/layout.tsx';
import { Notice } from '~/ui/notice.tsx';
import { RadioList } from '~/ui/fields/radio-list.tsx';
import { purposes } from './rules/questions.ts';
import { previewPromise } from './rules/ready-by.ts';
import type { StepAnswer } from './parts/step-view.ts';
import { handleStepSubmit, openStep, stepView } from './wizard/wizard.server.ts';
import { useStepForm } from './parts/use-step-form.tsx';
import { useServerClock } from '~/ui/use-now.tsx';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/what-it-allows.ts';

export const handle = formHandle;
export async function loader(args: Route.LoaderArgs) {
  return { view: stepView('what_it_allows', await openStep('what_it_allows', args)) };
}
export const action = (args: Route.ActionArgs) => handleStepSubmit('what_it_allows', args);

/** For 90-day exemptions and e-visas, days are counted within any 180. */
const COUNTED_IN_180 = 90;

function WhatItAllowsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation(['visa', 'catalog']);
  const { view } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const { country } = view;
  const days = country?.maxStayDays ?? 0;
  const note = country ? countryNote(country) : undefined;
  const stay = days >= COUNTED_IN_180 ? 'what_it_allows.stayIn180' : 'what_it_allows.stayDays';
  return (
    <WizardPage
      answer={answer}
      now={now}
      readyBy={previewPromise(step.answers, step.country, now, view.office)}
      step={step}
      title={t('what_it_allows.title')}
      view={view}
    >
      <FormFields>
        <Card>
          <Facts
            facts={[
              { term: t('what_it_allows.stay'), value: t(stay, { ...limitsInTexts, count: days }) },
              {
                term: t('what_it_allows.entries'),
                value: t(`what_it_allows.${country?.entries ?? 'single'}`),
              },
              {
                term: t('what_it_allows.validity'),
                value: t('what_it_allows.validityDays', { count: EVISA_VALIDITY_DAYS }),
              },
              {
                term: t('what_it_allows.extension'),
                value: t('what_it_allows.noExtension'),
              },
            ]}
          />
        </Card>
        {note ? <Notice tone="amber">{t(`catalog:notes.${note}`)}</Notice> : null}
      </FormFields>
      <div className="form-group">
        <RadioList
          defaultValue={step.start.purpose || 'tourism'}
          error={step.errorAt('purpose')}
          heading="h2"
          hint={t('what_it_allows.purposeHint')}
          label={t('what_it_allows.purpose')}
          name="purpose"
          options={purposes.map((value) => ({
            value,
            label: t(`what_it_allows.${value}`),
            hint: t(`what_it_allows.${value}Hint`),
          }))}
        />
      </div>
    </WizardPage>
  );
}

export { WhatItAllowsPage as default };
