import { useEffect, useEffectEvent, useRef } from 'react';
import { toPlainDate, TURKIYE, formatDate, parseDate, type PlainDate } from '~/base/dates/dates.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { formatMoney, usd } from '~/base/money.ts';
import { EVISA_VALIDITY_DAYS } from '~/features/catalog/regime.ts';
import { Question } from '~/features/form/page/question.tsx';
import { formHandle } from '~/ui/answers-form.ts';
import { FormFields } from '~/ui/layout.tsx';
import { OneLineTotal } from '~/ui/luggage-tag.tsx';
import { useMomentParts } from '~/ui/moment.tsx';
import { Notice } from '~/ui/notice.tsx';
import {
  ChoiceNotes,
  useDefaultChoice,
  ChoiceInputs,
  type DefaultChoice,
} from '~/ui/fields/default-choice.tsx';
import { closedDays } from '~/base/dates/working-hours.ts';
import { SkippedDays } from '~/features/application/closed-days.tsx';
import { quoteVisa, type PriceList } from './rules/price-list.ts';
import {
  latestPromise,
  asFastForLess,
  defaultSpeed,
  littleGain,
  promisedMoment,
  speedFit,
  type SpeedFit,
  previewPromise,
} from './rules/ready-by.ts';
import { choiceTyped, suitableSpeeds } from './wizard/speed-choice.ts';
import type { StepAnswer } from './parts/step-view.ts';
import { priceSummary } from './parts/summary.ts';
import { handleStepSubmit, openStep, stepView } from './wizard/wizard.server.ts';
import { useStepForm, type StepForm } from './parts/use-step-form.tsx';
import { useServerClock } from '~/ui/use-now.tsx';
import { WizardPage } from './parts/wizard-page.tsx';
import type { Route } from './+types/arrival.ts';
import type { Translate } from '~/base/read-text.ts';
import type { ChoiceNotice } from '~/base/default-choice.ts';
import { type Office, formatHour } from '~/base/dates/office.ts';
import type { Language } from '~/base/languages.ts';
import { isSpeedSold, type PricePath, speedsByPath } from './rules/speeds.ts';
import { RadioCards, type RadioCard } from '~/ui/fields/radio-cards.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { speedTime, workingTime } from './parts/speed-words.ts';

export const handle = formHandle;
export async function loader(args: Route.LoaderArgs) {
  return { view: stepView('arrival', await openStep('arrival', args)) };
}
export const action = (args: Route.ActionArgs) => handleStepSubmit('arrival', args);

function ArrivalPage({ loaderData, actionData }: Route.ComponentProps) {
  const { t, language } = useTranslation('visa');
  const { view } = loaderData;
  const answer: StepAnswer | undefined = actionData;
  const now = useServerClock(view.now);
  const step = useStepForm(view, answer, now);
  const words = useMomentParts();
  const path = step.path ?? 'without_document';
  const { prices, office } = view;
  const speed = useDefaultChoice(
    choiceTyped(step.start),
    suitableSpeeds(step.typed, { path, prices, office, now }),
  );
  const { notice } = speed;
  const arrival = parseDate(step.answers.arrivalDate ?? '');
  const { selected } = speed.choice;
  const answers = { ...step.answers, processingType: selected };
  const { total } = priceSummary(answers, step.country, prices);
  const readyBy = previewPromise(answers, step.country, now, office);
  const was = notice.moved && quoteVisa(prices, path, notice.moved.from).total;
  const notes = speed.isAnnounced
    ? speedNotes(t, language, { notice, selected, arrival, path, prices, office, now })
    : '';

  // The speed selected by the form is one of its entries, so they are read again whenever it changes.
  const chosen = `${step.answers.arrivalDate ?? ''} ${selected}`;
  const readEntries = useEffectEvent((_chosen: string) => step.refresh());
  useEffect(() => readEntries(chosen), [chosen]);

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
          calendar={{ min: toPlainDate(now, TURKIYE) }}
          field="arrivalDate"
          form={step}
          heading="h2"
          hint={t('arrival.lead', { count: EVISA_VALIDITY_DAYS })}
          label={t('arrival.arrivalDate')}
        />
        {view.party && view.party.positions.length > 1 ? (
          <p className="text-small text-ink-2">{t('party.arrival')}</p>
        ) : null}
      </FormFields>
      <div className="form-group grid gap-6">
        <div className="grid">
          <ChoiceNotes notice={notice} words={notes} />
          <SpeedCards
            choice={speed}
            office={office}
            now={now}
            path={path}
            prices={prices}
            step={step}
          />
        </div>
        <SkippedDays days={closedDays(now, latestPromise(path, now, office), office)} />
        <details className="save-later text-small">
          <summary className="min-h-11 cursor-pointer py-2.5 underline underline-offset-4">
            {t('arrival.countTitle')}
          </summary>
          <p>
            {t('arrival.countText', {
              opening: formatHour(office.opens, language),
              closing: formatHour(office.closes, language),
            })}
          </p>
          <ul className="list-disc ps-5">
            {speedsByPath(path).map((sold) => (
              <li key={sold.processingType}>
                {t('arrival.counted', {
                  speed: t(`application:service.${sold.processingType}.name`),
                  time: speedTime(t, sold, office),
                })}
              </li>
            ))}
          </ul>
        </details>
        <p>{t('arrival.promise')}</p>
      </div>
    </WizardPage>
  );
}

export { ArrivalPage as default };

/** Whether a speed suits the arrival, or may be chosen at all while that is unknown. */
function fitFor(
  path: PricePath,
  processingType: string,
  arrival: PlainDate | null,
  now: Date,
  office: Office,
): SpeedFit {
  if (arrival) return speedFit(path, processingType, arrival, now, office);
  return asFastForLess(path, processingType, now, office) === null ? 'in_time' : 'no_faster';
}

/** A note about a speed: what the form's choice changed, or which cheaper one would do. '' for none. */
function speedNotes(
  t: Translate<'visa'>,
  language: Language,
  {
    notice,
    selected,
    arrival,
    path,
    prices,
    office,
    now,
  }: {
    notice: ChoiceNotice;
    selected: string;
    arrival: PlainDate | null;
    path: PricePath;
    prices: PriceList;
    office: Office;
    now: Date;
  },
): string {
  const { by, moved, ruledOut, cheaper } = notice;
  const totalOf = (speed: string) => quoteVisa(prices, path, speed).total;
  const name = (speed: string) =>
    isSpeedSold(path, speed) ? t(`application:service.${speed}.name`) : '';
  const fit = ruledOut === '' ? null : fitFor(path, ruledOut, arrival, now, office);
  const why = fit === 'no_faster' ? '_noFaster' : fit === 'too_far' ? '_tooFar' : '';
  const values = {
    speed: name(selected),
    wish: name(ruledOut),
    cheaper: name(cheaper),
  };
  if (moved) {
    const [was, is] = [totalOf(moved.from), totalOf(moved.to)];
    const direction =
      by === 'visitor'
        ? 'again'
        : ruledOut === moved.from
          ? (`ruledOut${why}` as const)
          : is.minor < was.minor
            ? 'cheaper'
            : 'dearer';
    return t(`choice.${direction}`, {
      ...values,
      before: name(moved.from),
      amount: formatMoney(is, language),
      was: formatMoney(was, language),
    });
  }
  if (by === 'form') return ruledOut === '' ? '' : t(`choice.stillRuledOut${why}`, values);
  if (cheaper === '') return '';
  const saving = usd(totalOf(selected).minor - totalOf(cheaper).minor);
  return t('choice.cheaperThanOwn', { ...values, saving: formatMoney(saving, language) });
}

/**
 * The speeds with prices and promised moments; those that do not suit the arrival, or are no faster than a cheaper one,
 * are disabled.
 */
function SpeedCards({
  path,
  step,
  choice,
  now,
  prices,
  office,
}: {
  path: PricePath;
  step: StepForm;
  choice: DefaultChoice;
  now: Date;
  prices: PriceList;
  office: Office;
}) {
  const { t, language } = useTranslation('visa');
  const words = useMomentParts(now);
  const hasScripts = useHasScripts();
  const arrival = parseDate(step.answers.arrivalDate ?? '');
  const noteOf = (processingType: string, fit: SpeedFit): string | null => {
    const cheaper = fit === 'no_faster' ? asFastForLess(path, processingType, now, office) : null;
    if (cheaper) return t('arrival.noFaster', { speed: t(`application:service.${cheaper}.name`) });
    if (fit === 'in_time' || !arrival) return null;
    const why = fit === 'too_slow' ? 'arrival.tooSlow' : 'arrival.tooFar';
    return t(why, { date: formatDate(arrival, language) });
  };
  const gainOf = (processingType: string): string | null => {
    const gain = littleGain(path, processingType, now, office);
    return (
      gain &&
      t('arrival.littleFaster', {
        count: gain.minutes,
        speed: t(`application:service.${gain.than}.name`),
      })
    );
  };
  const suggested = defaultSpeed(path, arrival, now, office);
  const cards = speedsByPath(path).map((speed): RadioCard => {
    const { processingType } = speed;
    const fit = fitFor(path, processingType, arrival, now, office);
    const { own, turkiye } = words(promisedMoment(path, processingType, now, office), 'short');
    return {
      value: processingType,
      name: t(`application:service.${processingType}.name`),
      details: speed.working.unit === 'hours' ? null : workingTime(t, speed),
      moment: (
        <>
          <span className="sr-only">{t('arrival.readyBy')}</span> {own}
        </>
      ),
      chosenNote: turkiye,
      momentNote: noteOf(processingType, fit) ?? gainOf(processingType),
      price: formatMoney(quoteVisa(prices, path, processingType).total, language),
      // Not without scripts, because a card could not be enabled again when the arrival changes; the server refuses
      // then. Where no speed suits, the arrival has to change.
      disabled: hasScripts && suggested !== null && fit !== 'in_time',
    };
  });

  // Clicks before scripts ran fired no events here.
  const ref = useRef<HTMLDivElement>(null);
  const readClicked = useEffectEvent(() => {
    const clicked = ref.current?.querySelector<HTMLInputElement>(':checked')?.value;
    if (clicked && clicked !== choice.choice.selected) choice.choose(clicked);
  });
  useEffect(() => readClicked(), []);

  return (
    <div ref={ref}>
      <RadioCards
        cards={cards}
        error={step.errorAt('processingType')}
        heading="h2"
        hint={t('arrival.processingHint')}
        label={t('arrival.processingType')}
        name="processingType"
        onChange={(event) => choice.choose(event.currentTarget.value)}
        value={choice.choice.selected}
      />
      <ChoiceInputs choice={choice.choice} name="processingType" />
    </div>
  );
}
