import { useEffect, useState } from 'react';
import { languageColon } from '~/base/languages.ts';
import { add, formatMoney, toDecimal, usd, type Money } from '~/base/money.ts';
import type { ProviderName } from '~/base/payment-providers.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { formatMessage } from '~/features/application/words.ts';
import { MAX_TRAVELLERS } from '~/features/application/travellers.ts';
import { limitsInTexts } from '~/features/form/answers/limits.ts';
import { problemLine, problemMessage } from '~/features/form/answers/problem-message.ts';
import { useLinkProblems } from '~/features/form/draft/save-later.tsx';
import { DraftForm } from '~/features/form/page/draft-form.tsx';
import { PhotoField, PhotoList } from '~/features/insurance/form/photos.tsx';
import { AcceptedTerms } from '~/features/order/before-paying.tsx';
import type { WaysToPay } from '~/features/order/fallback-provider.ts';
import { TooManyPayments } from '~/features/order/too-many-payments.tsx';
import { firstWay, isPaying, PayOtherWay } from '~/features/order/pay-form.tsx';
import { retryFields } from '~/features/order/payment-start.ts';
import { usePaymentStart } from '~/features/order/use-payment-start.tsx';
import { closedDays } from '~/base/dates/working-hours.ts';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import { failureWords, WhatHappensNext } from '~/features/visa/parts/what-happens-next.tsx';
import { usePlanName } from '~/features/visa/parts/insurance-choice.tsx';
import { LeftOutNotice } from '~/features/visa/parts/left-out-notice.tsx';
import { SubmittedPanel } from '~/features/visa/parts/submitted-panel.tsx';
import { placesLeft } from '~/features/form/draft/party.ts';
import { Button, ButtonLink } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { FormActions, FormGroup, NarrowPage, PageHead } from '~/ui/layout.tsx';
import { Announced } from '~/ui/announced.tsx';
import { Notice } from '~/ui/notice.tsx';
import { OrderSummary } from '~/ui/order-summary.tsx';
import { toFormData, usePage } from '~/ui/page/page-context.tsx';
import { ScriptsInput, useHasScripts } from '~/ui/scripts-input.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { handleTravellers, openTravellers } from './travellers.server.ts';
import {
  planControl,
  type TravellersAnswer,
  type TravellersView,
  type PlanOffered,
  type TravellerView,
} from './travellers-view.ts';
import type { Route } from './+types/travellers.ts';
import { SelectField } from '~/ui/fields/select-field.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useDeadlines } from '~/ui/moment.tsx';
import { StatusTag } from '~/ui/status-tag.tsx';

export const loader = (args: Route.LoaderArgs) => openTravellers(args);
export const action = (args: Route.ActionArgs) => handleTravellers(args);

/** The page is not reloaded while the browser is redirected to the provider. */
const keepsData = (answer: TravellersAnswer) => answer.payment?.kind === 'ready';

export const handle = { tellsOffline: true, keepsData };

function PageErrors({ error }: { error: unknown }) {
  return <TooManyPayments error={error} />;
}

function TravellersPage({ loaderData, actionData }: Route.ComponentProps) {
  const answer: TravellersAnswer | undefined = actionData;
  const { send, sending } = usePage();
  const { t } = useTranslation('payment');
  const payment = answer?.payment;
  const { isWaiting, retry } = usePaymentStart(payment, {
    pay: () => void send(toFormData(retryFields(payment))),
    wordsOf: (failed) => failureWords(t, failed),
  });
  const isBusy = isPaying(sending) || isWaiting || payment?.kind === 'ready';
  return loaderData.kind === 'travellers' ? (
    <Travellers
      answer={answer}
      isBusy={isBusy}
      other={loaderData.other}
      view={loaderData.view}
      ways={loaderData.ways}
    />
  ) : (
    <SubmittedPanel {...loaderData} isBusy={isBusy} onRetry={retry} />
  );
}

/** The plan chosen for each traveller, by position. */
type Plans = Readonly<Record<number, string>>;

const plansOf = ({ travellers }: TravellersView): Plans =>
  Object.fromEntries(
    travellers.map(({ position, insurance }) => [position, insurance.chosen ?? '']),
  );

/** Reads choices that the browser restored, or that were made before scripts ran. */
const plansInForm = ({ travellers }: TravellersView): Plans =>
  Object.fromEntries(
    travellers.map(({ position, insurance }) => {
      const control = document.getElementsByName(planControl(position))[0];
      return [
        position,
        control instanceof HTMLSelectElement ? control.value : (insurance.chosen ?? ''),
      ];
    }),
  );

function Travellers({
  view,
  answer,
  isBusy,
  other,
  ways,
}: {
  view: TravellersView;
  answer: TravellersAnswer | undefined;
  isBusy: boolean;
  /** The other way to pay. */
  other: ProviderName | null;
  ways: WaysToPay;
}) {
  const { t, language } = useTranslation(['group', 'visa', 'insurance']);
  const hasScripts = useHasScripts();
  const planName = usePlanName();
  const nameOf = useTravellerName();
  const [plans, setPlans] = useState(plansOf(view));
  const [chosenFor, setChosenFor] = useState<number>();
  useEffect(() => setPlans(plansInForm(view)), [view]);
  const { travellers } = view;
  const missing = travellers.filter(({ todo, problem }) => todo !== null || problem !== null);
  const ready = travellers.filter(({ todo }) => todo === null);
  const applying = ready.filter(({ kind }) => kind === 'visa');
  const lines = ready.flatMap((traveller) => {
    const plan = view.plans.find(({ id }) => id === plans[traveller.position]);
    const name = nameOf(traveller);
    const { price, speed: code } = traveller;
    const speed = code && t(`application:service.${code}.name`);
    return [
      ...(price ? [{ label: t('travellers.visaLine', { name, speed }), price }] : []),
      ...(plan
        ? [
            {
              label: t('travellers.insuranceLine', { name, plan: planName(plan) }),
              price: plan.price,
            },
          ]
        : []),
    ];
  });
  const total = lines.reduce<Money>((sum, { price }) => add(sum, price), usd(0));
  const amount = formatMoney(total, language);
  const chosen = ready
    .filter(({ position }) => position === chosenFor)
    .map((traveller) => {
      const plan = view.plans.find(({ id }) => id === plans[traveller.position]);
      const added = plan
        ? t('visa:extra.added', { plan: planName(plan), amount })
        : t('visa:extra.notAdded', { amount });
      return `${nameOf(traveller)}${languageColon(language)} ${added}`;
    })
    .join('');
  const isChildInsured = ready.some(
    ({ position, insurance }) => insurance.isChild && plans[position],
  );
  const isInsured = ready.some(({ position }) =>
    view.plans.some(({ id }) => id === plans[position]),
  );
  const hasChildren = ready.some(({ insurance }) => insurance.isChild);
  const arrival = parseDate(view.arrivalDate ?? '');
  const [solved, setSolved] = useState<TravellersAnswer>();
  const wrong = solved === answer ? undefined : answer?.problems?.[0];
  const linkProblems = useLinkProblems(answer?.later);
  const { photos } = view;
  return (
    <NarrowPage>
      <FormHead
        problems={[
          ...(wrong
            ? [
                {
                  name: 'parentIdPhotos',
                  message: problemLine(t, language, 'insurance', wrong),
                },
              ]
            : []),
          ...linkProblems,
        ]}
        title={`${t('travellers.title')} · Lale`}
      />
      {view.leftOut ? <LeftOutNotice leftOut={view.leftOut} /> : null}
      {answer?.newTotal ? (
        <Notice className="mb-8" role="alert" tone="amber">
          {answer.oldTotal
            ? t('travellers.changedTotal', {
                before: formatMoney(answer.oldTotal, language),
                amount: formatMoney(answer.newTotal, language),
              })
            : t('travellers.newTotal', { amount: formatMoney(answer.newTotal, language) })}
        </Notice>
      ) : null}
      <PageHead lead={t('travellers.lead')} title={t('travellers.title')} />
      <DraftForm answer={answer} encType="multipart/form-data" view={view}>
        {/* Enter in a field presses the form's first button, which must not be one that removes a traveller. */}
        <button aria-hidden className="sr-only" name="intent" tabIndex={-1} value="quote" />
        {arrival && travellers.every(({ kind }) => kind === 'visa') ? (
          <p className="mb-4">{t('travellers.arrival', { date: formatDate(arrival, language) })}</p>
        ) : null}
        <ol className="grid gap-4">
          {travellers.map((traveller) => (
            <TravellerCard
              canRemove={travellers.length > 1}
              insurance={
                traveller.kind === 'insurance'
                  ? view.plans.find(({ id }) => id === traveller.insurance.chosen)
                  : undefined
              }
              key={traveller.position}
              traveller={traveller}
            />
          ))}
        </ol>
        <div className="mt-5">
          {placesLeft(travellers.length) > 0 ? (
            <div className="grid gap-3 wide:flex wide:flex-wrap">
              <Button look="secondary" name="intent" value="add">
                {t('visa:party.add')}
              </Button>
              {view.plans.length > 0 ? (
                <Button look="secondary" name="intent" value="insure">
                  {t('travellers.insure')}
                </Button>
              ) : null}
            </div>
          ) : (
            <p>{t('travellers.full', { number: MAX_TRAVELLERS })}</p>
          )}
        </div>
        <SkippedDays
          className="mt-8"
          days={closedDays(
            new Date(view.now),
            new Date(Math.max(view.now, ...ready.map(({ readyBy }) => readyBy ?? 0))),
            view.office,
          )}
        />
        {applying.length > 0 && view.plans.length > 0 ? (
          <>
            <InsuranceFields
              onChoose={(position, plan) => {
                setPlans((known) => ({ ...known, [position]: plan }));
                setChosenFor(position);
              }}
              plans={view.plans}
              travellers={applying}
            />
            <Announced>{chosen}</Announced>
          </>
        ) : null}
        {(hasScripts ? isChildInsured : hasChildren) || wrong || photos.length > 0 ? (
          <FormGroup
            hint={t('travellers.parentsHint', limitsInTexts)}
            title={t('travellers.parents')}
          >
            <PhotoList photos={photos} />
            <PhotoField
              error={wrong && formatMessage(problemMessage(t, language, 'insurance', wrong))}
              hasHint={false}
              // Made anew once its photos are stored.
              key={photos.map(({ id }) => id).join()}
              onChoose={() => {
                setSolved(answer);
                return true;
              }}
              refused={answer?.problems}
            />
          </FormGroup>
        ) : null}
        {ready.length > 0 ? (
          <OrderSummary
            lines={lines.map(({ label, price }) => ({
              label,
              amount: formatMoney(price, language),
            }))}
            testId="total"
            title={t('visa:review.summary')}
            total={{ label: t('visa:review.total'), amount }}
          />
        ) : null}
        {missing.length > 0 ? (
          <Notice className="mt-6" tone="amber">
            {t('travellers.notReady', { count: missing.length })}
          </Notice>
        ) : (
          <>
            <WhatHappensNext ways={ways} />

            <AcceptedTerms insurerTerms={isInsured ? view.insurerTerms : null} />
            <FormActions>
              <Button busy={isBusy} name="intent" type="submit" value="pay">
                {isBusy
                  ? t('visa:submitted.opening')
                  : t(`visa:payBy.${firstWay(other)}`, { amount })}
              </Button>
              <PayOtherWay busy={isBusy} provider={other} total={total} />
            </FormActions>
          </>
        )}
        <input name="totalAmount" type="hidden" value={toDecimal(total)} />
        <ScriptsInput />
      </DraftForm>
    </NarrowPage>
  );
}

export { TravellersPage as default, PageErrors as ErrorBoundary };

/** The insurance plan of each traveller; none by default. */
function InsuranceFields({
  travellers,
  plans,
  onChoose,
}: {
  travellers: readonly TravellerView[];
  plans: readonly PlanOffered[];
  onChoose: (position: number, plan: string) => void;
}) {
  const { t, language } = useTranslation(['group', 'visa', 'insurance']);
  const planName = usePlanName();
  const nameOf = useTravellerName();
  return (
    <FormGroup hint={t('travellers.insuranceHint')} title={t('travellers.insurance')}>
      {travellers.map((traveller) => (
        <SelectField
          defaultValue={traveller.insurance.chosen ?? ''}
          emptyLabel={t('visa:extra.none')}
          key={traveller.position}
          label={t('travellers.insuranceFor', { name: nameOf(traveller) })}
          name={planControl(traveller.position)}
          onChange={(event) => onChoose(traveller.position, event.currentTarget.value)}
          options={plans.map((plan) => ({
            value: plan.id,
            label: t('visa:extra.option', {
              plan: planName(plan),
              amount: formatMoney(plan.price, language),
            }),
          }))}
          width="email"
        />
      ))}
      <p>
        <Link className="inline-flex min-h-11 items-center" to="/insurance">
          {t('insurance:terms.bought')}
        </Link>
      </p>
      {/* With scripts the total updates automatically. */}
      <noscript>
        <Button look="secondary" name="intent" value="quote">
          {t('visa:extra.update')}
        </Button>
      </noscript>
    </FormGroup>
  );
}

/** A function that names a traveller: the name typed so far, or the number in the list. */
function useTravellerName(): (one: Pick<TravellerView, 'name' | 'number'>) => string {
  const { t } = useTranslation('group');
  return ({ name, number }) => name || t('travellers.traveller', { number });
}

/** One traveller: what is known and missing, with links to continue, change or remove. */
function TravellerCard({
  traveller,
  insurance,
  canRemove,
}: {
  traveller: TravellerView;
  /** The plan of somebody who is insured without an e-visa. */
  insurance: PlanOffered | undefined;
  /** False for the last traveller of a party. */
  canRemove: boolean;
}) {
  const { t, language } = useTranslation(['group', 'visa', 'insurance', 'catalog']);
  const writeMoment = useDeadlines();
  const planName = usePlanName();
  const { position, number, country, documentType, todo, problem, reviewUrl, readyBy, price } =
    traveller;
  const name = useTravellerName()(traveller);
  const document = t(`catalog:travelDocument.${documentType}`, documentType);
  const isReady = todo === null && problem === null;
  return (
    <li className="rounded-card border border-line-2 bg-paper p-5 wide:px-8 wide:py-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 className="text-h2-form">
          {traveller.name === '' ? null : <span className="text-ink-2">{number}. </span>}
          <bdi>{name}</bdi>
        </h2>
        <StatusTag tone={isReady ? 'green' : 'amber'}>
          {t(isReady ? 'travellers.complete' : 'travellers.incomplete')}
        </StatusTag>
      </div>
      {country ? (
        <p className="mt-1.5 text-ink-2">{t('travellers.documentLine', { country, document })}</p>
      ) : null}
      {todo ? (
        <p className="mt-1.5">
          {t('travellers.missing', {
            step: t(todo.step === 'insurance' ? 'insurance:pageTitle' : `visa:steps.${todo.step}`),
          })}
        </p>
      ) : null}
      {problem ? <p className="mt-1.5">{t(`errors.${problem}.title`)}</p> : null}
      {isReady && insurance ? (
        <p className="mt-1.5">
          {t('visa:extra.option', {
            plan: planName(insurance),
            amount: formatMoney(insurance.price, language),
          })}
        </p>
      ) : null}
      {isReady && readyBy !== null && price ? (
        <p className="mt-1.5">
          {t('travellers.readyBy', {
            moment: writeMoment(new Date(readyBy), 'dated'),
            amount: formatMoney(price, language),
          })}
        </p>
      ) : null}
      <div className="mt-4 flex flex-wrap items-start gap-x-6 gap-y-2">
        <ButtonLink look={todo ? 'primary' : 'secondary'} small to={todo?.url ?? reviewUrl}>
          {t(todo ? 'travellers.goOn' : 'travellers.change')}
          <span className="sr-only">{` ${name}`}</span>
        </ButtonLink>
        {canRemove ? (
          <details>
            <summary className="min-h-11 cursor-pointer py-2.5 underline underline-offset-4">
              {t('travellers.remove')}
              <span className="sr-only">{` ${name}`}</span>
            </summary>
            <p className="my-2">{t('travellers.removeText', { name })}</p>
            <Button look="danger" name="intent" small value={`remove:${position}`}>
              {t('travellers.removeNow')}
            </Button>
          </details>
        ) : null}
      </div>
    </li>
  );
}
