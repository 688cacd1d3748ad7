import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import type { Closure } from '~/base/dates/closures.ts';
import { formatDate, parseDate } from '~/base/dates/dates.ts';
import { formatHour } from '~/base/dates/hours.ts';
import { CLOSING_HOUR, OPENING_HOUR } from '~/base/dates/working-hours.ts';
import { formatMoney } from '~/base/money.ts';
import { useLanguage } from '~/ui/texts/use-language.tsx';
import { ChoiceInputs, type DefaultChoice } from '~/ui/fields/default-choice.tsx';
import { RadioCards, type RadioCard } from '~/ui/fields/radio-cards.tsx';
import { quote, type PriceList } from '../rules/price-list.ts';
import { speedsFor, type Path } from '../rules/speeds.ts';
import {
  asFastForLess,
  defaultSpeed,
  littleGain,
  readyBy,
  speedFit,
  type SpeedFit,
} from '../rules/ready-by.ts';
import { useMomentParts } from '~/ui/moment.tsx';
import { useHasScripts } from '~/ui/scripts-input.tsx';
import { speedTime } from './speed-words.ts';
import type { StepForm } from './use-step-form.tsx';

/**
 * The speeds with prices and promised moments; those that do not suit the arrival, or are no faster than a cheaper one,
 * are disabled.
 */
export function SpeedCards({
  path,
  step,
  choice,
  now,
  prices,
  closures,
}: {
  path: Path;
  step: StepForm;
  choice: DefaultChoice;
  now: Date;
  prices: PriceList;
  closures: readonly Closure[];
}) {
  const { t } = useTranslation('visa');
  const language = useLanguage();
  const words = useMomentParts(now);
  const hasScripts = useHasScripts();
  const arrival = parseDate(step.answers.arrivalDate ?? '');
  const fitOf = (processingType: string): SpeedFit =>
    arrival
      ? speedFit(path, processingType, arrival, now, closures)
      : asFastForLess(path, processingType, now, closures) === null
        ? 'in_time'
        : 'no_faster';
  const noteOf = (processingType: string, fit: SpeedFit): string | null => {
    const cheaper = fit === 'no_faster' ? asFastForLess(path, processingType, now, closures) : null;
    if (cheaper) return t('arrival.noFaster', { speed: t(`speed.${cheaper}`) });
    if (fit === 'in_time' || !arrival) return null;
    const why = fit === 'too_slow' ? 'arrival.tooSlow' : 'arrival.tooFar';
    return t(why, { date: formatDate(arrival, language) });
  };
  const gainOf = (processingType: string): string | null => {
    const gain = littleGain(path, processingType, now, closures);
    return (
      gain && t('arrival.littleFaster', { count: gain.minutes, speed: t(`speed.${gain.than}`) })
    );
  };
  const suggested = defaultSpeed(path, arrival, now, closures);
  const cards = speedsFor(path).map((speed): RadioCard => {
    const { processingType } = speed;
    const fit = fitOf(processingType);
    const { own, turkiye } = words(readyBy(path, processingType, now, closures), 'short');
    return {
      value: processingType,
      name: t(`speed.${processingType}`),
      details: [speedTime(t, speed)],
      momentLabel: t('arrival.readyBy'),
      moment: own,
      momentNote:
        noteOf(processingType, fit) ??
        ([turkiye, gainOf(processingType)].filter(Boolean).join(' · ') || undefined),
      price: formatMoney(quote(prices, path, processingType).total, language),
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
        hint={t('arrival.processingHint', {
          opening: formatHour(OPENING_HOUR, language),
          closing: formatHour(CLOSING_HOUR, language),
        })}
        label={t('arrival.processingType')}
        name="processingType"
        onChange={(event) => choice.choose(event.currentTarget.value)}
        value={choice.choice.selected}
      />
      <ChoiceInputs choice={choice.choice} name="processingType" />
    </div>
  );
}
