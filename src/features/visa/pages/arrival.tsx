import { useEffect } from 'react';
import { dateOf, TURKIYE } from '~/base/dates/dates.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { entryRule, lastEntryDay } from '~/features/application/entry-rule.ts';
import { Question } from '~/features/form/page/question.tsx';
import { formHandle } from '~/ui/answers-form.ts';
import { FormFields } from '~/ui/layout.tsx';
import { OneLineTotal } from '~/ui/tag/luggage-tag.tsx';
import { useMomentParts } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import { ChoiceNotes, useDefaultChoice } from '~/ui/fields/default-choice.tsx';
import { closedDays } from '~/base/dates/working-hours.ts';
import { SkippedDays } from '~/features/application/closed-days/closed-days.tsx';
import { exampleArrival } from '../parts/example-arrival.ts';
import { SpeedCards } from '../parts/speed-cards.tsx';
import { quote } from '../rules/price-list.ts';
import { lastPromise } from '../rules/ready-by.ts';
import { choiceTyped, suitableSpeeds } from '../wizard/speed-choice.ts';
import { promisedNow } from '../rules/promised-now.ts';
import { speedNotes } from '../parts/speed-notes.ts';
import type { StepAnswer } from '../parts/step-view.ts';
import { summaryOf } from '../parts/summary.ts';
import { handleStepSubmit } from '../wizard/handle-step-submit.server.ts';
import { useStepForm } from '../parts/use-step-form.tsx';
import { useServerClock } from '../parts/visitor-time.tsx';
import { openStep, viewOf } from '../wizard/wizard.server.ts';
import { WizardPage } from '../parts/wizard-page.tsx';
import type { Route } from './+types/arrival.ts';

export const handle = formHandle;
export async function loader(args: Route.LoaderArgs) {
  return { view: viewOf('arrival', await openStep('arrival', args)) };
}
export const action = (args: Route.ActionArgs) => handleStepSubmit('arrival', args);

function ArrivalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('visa');
  const application = useTranslation('application').t;
  const language = useLanguage();
  const { view } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const words = useMomentParts();
  const path = step.path ?? 'without_document';
  const { prices, closures } = view;
  const speed = useDefaultChoice(
    choiceTyped(step.start),
    suitableSpeeds(step.typed, { path, prices, closures, now }),
  );
  const { notice } = speed;
  const { selected } = speed.choice;
  const answers = { ...step.answers, processingType: selected };
  const { total } = summaryOf(answers, step.country, prices);
  const readyBy = promisedNow(answers, step.country, now, closures);
  const was = notice.moved && quote(prices, path, notice.moved.from).total;
  const notes = speed.isAnnounced
    ? speedNotes(t, language, { notice, selected, path, prices, closures, now })
    : '';

  // The speed selected by the form is one of its entries, so they are read again whenever it changes.
  const { refresh } = step;
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(refresh, [step.answers.arrivalDate, selected]);

  return (
    <WizardPage
      above={
        <OneLineTotal
          amount={formatMoney(total, language)}
          note={was && t('tag.was', { amount: formatMoney(was, language) })}
          label={
            readyBy
              ? t('tag.oneLine', { moment: words(readyBy, 'short').own })
              : t('tag.oneLinePlain')
          }
        />
      }
      answer={answer}
      lead={
        path === 'with_document'
          ? `${t('arrival.lead', { count: EVISA_VALIDITY_DAYS })} ${entryRule(application, language, readyBy && lastEntryDay(readyBy))}`
          : t('arrival.lead', { count: EVISA_VALIDITY_DAYS })
      }
      now={now}
      before={
        answer?.isSpeedMoved && notes !== '' ? (
          <Notice className="mb-8" role="alert" tone="amber">
            <p>{notes}</p>
            <p>{t('choice.check')}</p>
          </Notice>
        ) : null
      }
      readyBy={readyBy}
      step={{ ...step, answers }}
      title={t('arrival.title')}
      view={view}
      was={was}
    >
      <FormFields>
        <Question
          calendar={{ min: dateOf(now, TURKIYE) }}
          field="arrivalDate"
          form={step}
          heading="h2"
          hint={t('arrival.arrivalHint', { date: exampleArrival(now, language) })}
          label={t('arrival.arrivalDate')}
        />
        {view.party && view.party.positions.length > 1 ? (
          <p className="text-small text-ink-2">{t('party.arrival')}</p>
        ) : null}
      </FormFields>
      <div className="form-group grid gap-6">
        <ChoiceNotes notice={notice} words={notes} />
        <SpeedCards
          choice={speed}
          closures={closures}
          now={now}
          path={path}
          prices={prices}
          step={step}
        />
        <SkippedDays days={closedDays(now, lastPromise(path, now, closures), closures)} />
        <Notice tone="blue">{t('arrival.promise')}</Notice>
      </div>
    </WizardPage>
  );
}

export { ArrivalPage as default };
