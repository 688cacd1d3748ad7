import type { ReactNode } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { lazyPart } from '~/ui/page/lazy-part.tsx';
import { usePage } from '~/ui/page/page-context.tsx';
import { type Money, add as sum, formatMoney } from '~/base/money.ts';
import { Button } from '~/ui/button.tsx';
import { FormActions, PageHead, WizardLayout } from '~/ui/layout.tsx';
import { Progress } from '~/ui/progress.tsx';
import { journeySteps } from '../rules/steps.ts';
import { travellerUrl } from '~/features/form/draft/party.ts';
import { DraftForm } from '~/features/form/page/draft-form.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import type { ChosenCountry, StepAnswer, StepView } from './step-view.ts';
import type { StepForm } from './use-step-form.tsx';
import { nonBreaking } from './non-breaking.tsx';
import { useMomentParts } from '~/ui/moment.tsx';
import { LuggageTag, type TagFact } from '~/ui/luggage-tag.tsx';
import type { VisaAnswers } from '../rules/answers.ts';
import type { PriceList } from '../rules/price-list.ts';
import { priceSummary, type SpeedsInTime } from './summary.ts';

type WizardPageProps = {
  view: StepView;
  answer: StepAnswer | undefined;
  step: StepForm;
  now: Date;
  /** The form's present choice, where it differs from the draft. */
  country?: ChosenCountry | null;
  /** If it is paid now; only where the page can change it. */
  readyBy?: Date | null;
  title: string;
  lead?: string;
  /** Replaces Next. */
  primary?: ReactNode;
  /** The label of Next, where it leads elsewhere than to the next step, and whether it is the main thing there. */
  nextLabel?: ReactNode;
  nextLook?: 'primary' | 'secondary';
  /** A button beside Next. */
  besideNext?: ReactNode;
  /** Above the heading, outside the form. */
  before?: ReactNode;
  /** Between the fields and the buttons. */
  above?: ReactNode;
  /** A button after all others. */
  lastButton?: ReactNode;
  hideTagWhenNarrow?: boolean;
  /** The price of the insurance in the order. */
  addOn?: Money | null;
  /** The total before it changed. */
  was?: Money | null;
  /** The present choice gets no e-visa: its steps and its price do not apply. */
  withoutEvisa?: boolean;
  children: ReactNode;
};

/** Loaded when needed: few people use two tabs. */
const ReplacedNotice = lazyPart(
  async () => (await import('./replaced-notice.tsx')).ReplacedNotice,
  { needed: true },
);

/** Loaded when needed: most people apply alone. */
const PartyLine = lazyPart(
  async () => (await import('~/features/form/draft/party-line.tsx')).PartyLine,
);

/** Loaded when needed: few people change a submitted application. */
const ChangingNotice = lazyPart(
  async () => (await import('~/features/application/changing-notice.tsx')).ChangingNotice,
);

/** The frame of all steps: progress, problems, the form with its buttons, the tag beside it. */
export function WizardPage({
  view,
  answer,
  step,
  now,
  country = view.country,
  readyBy = view.readyBy && country === view.country ? new Date(view.readyBy) : null,
  title,
  lead,
  primary,
  nextLabel,
  nextLook = 'primary',
  besideNext,
  before,
  above,
  lastButton,
  hideTagWhenNarrow,
  addOn,
  was,
  withoutEvisa,
  children,
}: WizardPageProps) {
  const { t } = useTranslation('visa');
  const { sending } = usePage();
  const way = journeySteps(country, step.answers);
  const current = way.findIndex(({ id }) => id === view.step);
  const isBusy = sending !== null;
  const total = view.party?.positions.length ?? 0;
  const who =
    view.party &&
    // Nobody knows yet how many there will be.
    t(total === 1 ? 'party.first' : 'party.which', {
      number: view.party.positions.indexOf(view.party.position) + 1,
      total,
    });
  return (
    <WizardLayout
      hideTagWhenNarrow={hideTagWhenNarrow}
      progress={
        // It keeps its place, so that the page does not move under the choice.
        <div className={withoutEvisa ? 'invisible' : undefined}>
          <Progress
            current={current}
            steps={way.map(({ id, url }) => ({
              label: t(view.party && id === 'review' ? 'party.checkStep' : `steps.${id}`),
              to: travellerUrl(url, view.party),
            }))}
          />
        </div>
      }
      tag={
        withoutEvisa || !country ? undefined : (
          <WizardTag
            addOn={addOn}
            answers={step.answers}
            country={country}
            inTime={view.inTime}
            marksTotal={!hideTagWhenNarrow}
            now={now}
            prices={view.prices}
            readyBy={readyBy}
            was={was}
          />
        )
      }
    >
      <FormHead
        heading={step.heading}
        problems={step.summary}
        title={[title, who, 'Lale'].filter(Boolean).join(' · ')}
      />
      {Object.keys(step.replaced).length > 0 ? (
        // Without a Suspense boundary the page waits for it, and what the server has rendered stays meanwhile.
        <ReplacedNotice replaced={step.replaced} />
      ) : null}
      {view.changing ? (
        // Without a Suspense boundary the page waits for it, so that it does not shift the layout.
        <ChangingNotice form="visa" number={view.changing} />
      ) : null}
      {before}
      {view.party ? <PartyLine /> : null}
      <PageHead
        isTight={view.step === 'review'}
        lead={lead && nonBreaking(lead)}
        title={
          <>
            {who ? <span className="block text-small">{who}</span> : null} {nonBreaking(title)}
          </>
        }
      />
      <DraftForm {...step.formProps} answer={answer} view={view}>
        {children}
        {above}
        <FormActions>
          {primary ?? (
            <Button arrow busy={isBusy} look={nextLook} name="intent" type="submit" value="next">
              {nextLabel ?? t('next')}
            </Button>
          )}
          {besideNext}
          {current > 0 ? (
            <Button look="plain" name="intent" value="previous">
              {t('previous')}
            </Button>
          ) : null}
          {lastButton}
        </FormActions>
      </DraftForm>
    </WizardLayout>
  );
}

type WizardTagProps = {
  answers: VisaAnswers;
  country: ChosenCountry | null;
  now: Date;
  /** If it is paid now. */
  readyBy: Date | null;
  prices: PriceList;
  inTime: SpeedsInTime;
  /** The price of the insurance in the order. */
  addOn?: Money | null;
  /** The total before it changed. */
  was?: Money | null;
  marksTotal: boolean;
};

/** A summary of the application so far, beside every step. */
function WizardTag({
  answers,
  country,
  now,
  readyBy,
  prices,
  inTime,
  addOn,
  was,
  marksTotal,
}: WizardTagProps) {
  const { t, language } = useTranslation(['visa', 'catalog']);
  const words = useMomentParts(now);
  const { total, isFrom, path } = priceSummary(answers, country, prices, inTime);

  const facts: TagFact[] = [];
  if (!readyBy && path && country?.maxStayDays && country.entries) {
    const entries = t(`catalog:entries.${country.entries}`);
    const value = t('tag.allowed', { count: country.maxStayDays, entries });
    facts.push({ term: t('tag.allows'), value });
  }
  // The review says it beside the answers.
  if (readyBy && marksTotal) {
    facts.push({ term: t('tag.readyBy'), value: words(readyBy, 'short').own });
  }

  return (
    <LuggageTag
      facts={facts}
      from={{ code: country?.code, label: t('tag.passport') }}
      label={t('tag.label')}
      marksTotal={marksTotal}
      numberPrefix="TRV"
      to={{ code: 'TUR', label: t('tag.destination') }}
      total={{
        label: t(isFrom ? 'tag.fromTotal' : 'tag.total'),
        amount: formatMoney(addOn ? sum(total, addOn) : total, language),
        note: was && t('tag.was', { amount: formatMoney(was, language) }),
      }}
    />
  );
}
