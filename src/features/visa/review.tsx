import { useEffect, useState } from 'react';
import type { TextKey } from '~/base/text-keys.ts';
import { Trans, useTranslation } from '~/ui/texts/texts.tsx';
import { toFormData, usePage } from '~/ui/page/page-context.tsx';
import { add, formatMoney, toDecimal } from '~/base/money.ts';
import { useDeadlines } from '~/ui/moment.tsx';
import { termsPath } from '~/features/application/cover-table.tsx';
import { TooManyPayments } from '~/features/order/too-many-payments.tsx';
import { retryFields } from '~/features/order/payment-start.ts';
import { usePaymentStart } from '~/features/order/use-payment-start.tsx';
import { AcceptedTerms } from '~/features/order/before-paying.tsx';
import { firstWay, isPaying, PayOtherWay } from '~/features/order/pay-form.tsx';
import type { WaysToPay } from '~/features/order/fallback-provider.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { Answers } from '~/ui/answers.tsx';
import { Button } from '~/ui/button.tsx';
import { Announced } from '~/ui/announced.tsx';
import { Notice } from '~/ui/notice.tsx';
import { OrderSummary } from '~/ui/order-summary.tsx';
import type { AuthoritiesCharge } from '~/platform/config/sample-operator.ts';
import { OfficialLink } from '~/ui/official-link.tsx';
import { AgeNotice } from './parts/age-notice.tsx';
import { closedDays } from '~/base/dates/working-hours.ts';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import type { InsuranceQuote } from './purchase/submit.server.ts';
import { failureWords, WhatHappensNext } from './parts/what-happens-next.tsx';
import {
  INSURANCE,
  InsuranceChoice,
  NO_INSURANCE,
  usePlanName,
} from './parts/insurance-choice.tsx';
import { previewPromise } from './rules/ready-by.ts';
import { openReview, handleReviewSubmit, type ReviewAnswer } from './wizard/review.server.ts';
import { ScriptsInput } from '~/ui/scripts-input.tsx';
import type { StepView } from './parts/step-view.ts';
import { SubmittedPanel } from './parts/submitted-panel.tsx';
import { useStepForm } from './parts/use-step-form.tsx';
import { useServerClock } from '~/ui/use-now.tsx';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/review.ts';
import type { Translate } from '~/base/read-text.ts';
import type { MomentStyle } from '~/base/dates/dates.ts';
import type { Language } from '~/base/languages.ts';
import type { AnswerGroup } from '~/features/form/page/review-rows.ts';
import { answerGroups } from './answer-groups.ts';
import { fieldRequirement } from './rules/asked.ts';
import { questionByField } from './rules/questions.ts';
import { BACK_TO_REVIEW, stepById } from './rules/steps.ts';
import { travellerUrl } from '~/features/form/draft/party.ts';

export const loader = (args: Route.LoaderArgs) => openReview(args);
export const action = (args: Route.ActionArgs) => handleReviewSubmit(args);

/** The page is not reloaded while the browser is redirected to the provider; with a new price it is. */
const keepsData = (answer: ReviewAnswer) => answer.payment?.kind === 'ready' && !answer.newTotal;

export const handle = { tellsOffline: true, keepsData };

function PageErrors({ error }: { error: unknown }) {
  return <TooManyPayments error={error} />;
}

function ReviewPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer: ReviewAnswer | undefined = actionData;
  const { send, sending } = usePage();
  const payment = answer?.payment;
  const pay = () => void send(toFormData(retryFields(payment)));
  const { t } = useTranslation('payment');
  const { isWaiting, retry } = usePaymentStart(payment, {
    pay,
    wordsOf: (failed) => failureWords(t, failed),
  });
  const isBusy = isPaying(sending) || isWaiting || payment?.kind === 'ready';

  if (loaderData.kind === 'answers') {
    return (
      <ReviewAnswers
        answer={answer}
        isBusy={isBusy}
        authoritiesCharge={loaderData.authoritiesCharge}
        isPlanGone={loaderData.isPlanGone}
        other={loaderData.other}
        passportOf={loaderData.passportOf}
        quoted={answer?.quoted ?? loaderData.quoted}
        view={loaderData.view}
        ways={loaderData.ways}
      />
    );
  }
  return <SubmittedPanel {...loaderData} isBusy={isBusy} onRetry={retry} />;
}

/**
 * The total has changed because of the traveller's choice, because the plan is no longer sold, or because the price
 * changed.
 */
function newTotalKey({ isOtherChoice, isPlanGone, oldTotal }: ReviewAnswer): TextKey<'visa'> {
  if (isPlanGone) return 'review.planGone';
  if (isOtherChoice) return 'review.chosenTotal';
  return oldTotal ? 'review.changedTotal' : 'review.newTotal';
}

function ReviewAnswers({
  view,
  quoted,
  answer,
  isBusy,
  isPlanGone,
  passportOf,
  authoritiesCharge,
  other,
  ways,
}: {
  view: StepView;
  quoted: InsuranceQuote;
  answer: ReviewAnswer | undefined;
  isBusy: boolean;
  /** The order contains an insurance that does not suit the changed answers. */
  isPlanGone: boolean;
  /** The country in the passport's lines, where it is not the chosen nationality. */
  passportOf: string | null;
  authoritiesCharge: AuthoritiesCharge | undefined;
  /** The other way to pay. */
  other: ProviderName | null;
  ways: WaysToPay;
}) {
  const { t, language } = useTranslation(['visa', 'catalog']);
  const now = useServerClock(view.now);
  const writeMoment = useDeadlines();
  const step = useStepForm(view, answer, now);
  const { offer, lines } = quoted;
  const planName = usePlanName();
  const [choice, setChoice] = useState(quoted.choice ?? NO_INSURANCE);
  // Chosen before scripts ran, or restored by the browser.
  useEffect(() => {
    const checked = document.querySelector('input[name="insurance"]:checked');
    if (checked instanceof HTMLInputElement) setChoice(checked.value);
  }, []);
  const plan = offer?.choices.find(({ id }) => id === choice) ?? null;
  // An old page may have old prices: the server's total takes precedence.
  const total = plan ? add(quoted.visa, plan.price) : quoted.visa;
  const amount = formatMoney(total, language);
  const [chosenAgain, setChosenAgain] = useState<ReviewAnswer>();
  const newTotal = answer?.newTotal
    ? t(newTotalKey(answer), {
        amount: formatMoney(answer.newTotal, language),
        before: answer.oldTotal ? formatMoney(answer.oldTotal, language) : '',
      })
    : null;
  const gone = answer?.isPlanGone && chosenAgain !== answer ? newTotal : null;
  const readyBy = previewPromise(step.answers, step.country, now, view.office);
  return (
    <WizardPage
      addOn={plan?.price}
      answer={answer}
      above={
        view.party ? null : (
          <AcceptedTerms insurerTerms={plan && offer ? termsPath(offer.terms.version) : null} />
        )
      }
      lastButton={
        view.party || view.changing ? null : (
          <Button look="plain" name="intent" value="add">
            {t('party.add')}
          </Button>
        )
      }
      hideTagWhenNarrow
      now={now}
      primary={
        view.party ? (
          <Button arrow name="intent" type="submit" value="confirm">
            {t('party.confirm')}
          </Button>
        ) : (
          <>
            <Button busy={isBusy} name="intent" type="submit" value="pay">
              {isBusy ? t('submitted.opening') : t(`payBy.${firstWay(other)}`, { amount })}
            </Button>
            <PayOtherWay busy={isBusy} provider={other} total={total} />
          </>
        )
      }
      readyBy={readyBy}
      step={gone ? { ...step, summary: [{ name: offer ? INSURANCE : null, message: gone }] } : step}
      title={t('review.title')}
      view={view}
    >
      {isPlanGone && !answer ? (
        <Notice className="mb-8" tone="amber">
          {t('review.insuranceGone', { amount })}
        </Notice>
      ) : null}
      {newTotal && !answer?.isPlanGone ? (
        <Notice className="mb-8" role="alert" tone="amber">
          {newTotal}
        </Notice>
      ) : null}
      {passportOf === null ? null : (
        <Notice className="mb-8" title={t('reader.differs')} tone="amber">
          <p>
            {t('reader.otherNationality', {
              passport: passportOf,
              country: view.country?.name ?? '',
            })}
          </p>
        </Notice>
      )}
      <AgeNotice answers={view.answers} country={view.country} />
      {readyBy ? (
        <SkippedDays className="mb-8" days={closedDays(now, readyBy, view.office)} />
      ) : null}
      {reviewAnswers(t, language, view, now, writeMoment).map(({ title, answers }) => (
        <Answers answers={answers} key={title} title={title} />
      ))}
      {offer ? (
        <InsuranceChoice
          chosen={quoted.choice ?? NO_INSURANCE}
          // Remounted when the offer changes, so that the default selection applies again.
          key={offer.choices.map(({ id }) => id).join(' ')}
          error={gone}
          offer={offer}
          onChoose={(chosen) => {
            setChoice(chosen);
            setChosenAgain(answer);
          }}
        />
      ) : null}
      {offer ? (
        <Announced>
          {plan
            ? t('extra.added', { plan: planName(plan), amount })
            : t('extra.notAdded', { amount })}
        </Announced>
      ) : null}
      <OrderSummary
        lines={[
          ...lines.map(({ detail, amount: one }) => ({
            label: detail ? t(`application:service.${detail}.processing`) : t('review.evisaFee'),
            amount: formatMoney(one, language),
          })),
          ...(plan
            ? [
                {
                  label: t('extra.line', { plan: planName(plan) }),
                  amount: formatMoney(plan.price, language),
                },
              ]
            : []),
        ]}
        note={
          <>
            <Trans components={{ official: <OfficialLink /> }} i18nKey="review.private" t={t} />
            {authoritiesCharge ? ` ${t(`catalog:authoritiesCharge.${authoritiesCharge}`)}` : null}
          </>
        }
        testId="total"
        title={t('review.summary')}
        total={{ label: t('review.total'), amount }}
      />
      {view.party ? null : <WhatHappensNext ways={ways} />}
      <input name="totalAmount" type="hidden" value={toDecimal(total)} />
      <input name="insuranceShown" type="hidden" value={plan?.id ?? NO_INSURANCE} />
      <ScriptsInput />
    </WizardPage>
  );
}

export { ReviewPage as default, PageErrors as ErrorBoundary };

/** The answers for comparing with the passport, each with the link to change it. */
function reviewAnswers(
  t: Translate<'visa'>,
  language: Language,
  { answers, country, office, places, party }: StepView,
  now: Date,
  /** Writes a moment in the visitor's time. */
  writeMoment: (at: Date, style: MomentStyle) => string,
): AnswerGroup[] {
  const readyBy = previewPromise(answers, country, now, office);
  const { processingType = '' } = answers;
  const speed = t(`application:service.${processingType}.name`, processingType);
  return answerGroups(t, language, {
    answers,
    isAsked: (field) => fieldRequirement(field, answers, country) !== 'no',
    changeAt: (field) =>
      travellerUrl(
        `${stepById(questionByField(field).step).url}?${BACK_TO_REVIEW}#${field}`,
        party,
      ),
    names: {
      country: country?.name ?? '',
      speed: readyBy
        ? t('review.processingAnswer', { speed, moment: writeMoment(readyBy, 'short') })
        : '',
      place: (code) => places[code] ?? code,
    },
    asInPassport: true,
  });
}
