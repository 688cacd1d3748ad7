import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { addDays, dateOf, formatDate, TURKIYE } from '~/base/dates.ts';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/features/application/moment.tsx';
import { EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { answersHandle } from '~/ui/answers-form.ts';
import { FormFields } from '~/ui/layout.tsx';
import { OneLineTotal } from '~/ui/luggage-tag.tsx';
import { Notice } from '~/ui/notice.tsx';
import { overConnection, unlessOffline } from '~/ui/client-step.ts';
import { DateAnswer } from '../fields/date-answer.tsx';
import { SpeedCards } from '../fields/speed-cards.tsx';
import type { StepAnswer } from '../wizard/step-view.ts';
import { summaryOf } from '../wizard/summary.ts';
import { takeStep } from '../wizard/take-step.server.ts';
import { useStepForm } from '../wizard/use-step-form.tsx';
import { useMomentWords, useServerClock } from '../wizard/visitor-time.tsx';
import { openStep, viewOf } from '../wizard/wizard.server.ts';
import { WizardPage } from '../wizard/wizard-page.tsx';
import type { Route } from './+types/arrival.ts';

export const handle = answersHandle;
export async function loader(args: Route.LoaderArgs) {
  return { view: viewOf('arrival', await openStep('arrival', args)) };
}
export const action = (args: Route.ActionArgs) => takeStep('arrival', args);
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  overConnection<StepAnswer>(serverAction);
export const shouldRevalidate = unlessOffline;

export default function ArrivalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const { view } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const words = useMomentWords(now);
  const path = step.path ?? 'without_document';
  const { total, readyBy } = summaryOf(step.answers, step.country, {
    prices: view.prices,
    now,
  });

  // The cards choose by themselves at first, and when an arrival closes the choice: tag and total follow.
  const { refresh } = step;
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(refresh, [step.answers.arrivalDate]);

  const example = formatDate(addDays(dateOf(now, TURKIYE), 21), language);
  return (
    <WizardPage
      above={
        <OneLineTotal
          amount={formatMoney(total, language)}
          label={
            readyBy ? t('tag.oneLine', { moment: words(readyBy).moment }) : t('tag.oneLinePlain')
          }
        />
      }
      answer={answer}
      lead={
        path === 'with_document'
          ? t('arrival.leadDocument')
          : t('arrival.lead', { count: EVISA_VALIDITY_DAYS })
      }
      now={now}
      step={step}
      title={t('arrival.title')}
      view={view}
    >
      <FormFields>
        <DateAnswer
          field="arrivalDate"
          heading="h2"
          hint={t('arrival.arrivalHint', { date: example })}
          label={t('arrival.arrivalDate')}
          step={step}
        />
      </FormFields>
      <div className="form-group grid gap-6">
        <SpeedCards now={now} path={path} prices={view.prices} step={step} />
        <Notice tone="blue">{t('arrival.promise')}</Notice>
      </div>
    </WizardPage>
  );
}
