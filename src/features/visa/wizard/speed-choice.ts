import { choose, readChoice, type FormChoice, type PricedOption } from '~/base/default-choice.ts';
import type { Office } from '~/base/dates/office.ts';
import { parseDate } from '~/base/dates/dates.ts';
import { boundedText, type TypedAnswers } from '~/features/form/answers/controls.ts';
import { quoteVisa, type PriceList } from '../rules/price-list.ts';
import { speedsInTime, worthwhileSpeeds } from '../rules/ready-by.ts';
import type { PricePath } from '../rules/speeds.ts';
import { readVisaAnswers, WISH } from '../rules/typed.ts';

/** The speed that the page had selected when it was rendered, whoever chose it. */
const SHOWN = 'processingTypeShown';
/** Characters; three times the longest name of a speed. */
const MAX_SPEED_LENGTH = 30;

type At = { path: PricePath; prices: PriceList; office: Office; now: Date };

/**
 * The speeds that suit the typed arrival: without one, all that are faster than cheaper ones; null while the date is
 * incomplete.
 */
export function suitableSpeeds(
  typed: TypedAnswers,
  { path, prices, office, now }: At,
): readonly PricedOption[] | null {
  const answer = readVisaAnswers(typed).arrivalDate ?? '';
  const arrival = parseDate(answer);
  if (answer !== '' && !arrival) return null;
  const speeds = arrival
    ? speedsInTime(path, arrival, now, office)
    : worthwhileSpeeds(path, now, office);
  return speeds.map(({ processingType }) => ({
    id: processingType,
    price: quoteVisa(prices, path, processingType).total.minor,
  }));
}

/** The choice in the controls. */
export const choiceTyped = (typed: TypedAnswers): FormChoice => ({
  wish: typed[WISH] ?? '',
  selected: typed.processingType ?? '',
});

const typedChoice = ({ wish, selected }: FormChoice): TypedAnswers => ({
  processingType: selected,
  [WISH]: wish,
});

/** The choice that a page sends, with who made it. */
export const readSpeed = (form: FormData): TypedAnswers =>
  typedChoice(
    readChoice({
      sent: boundedText(form, 'processingType', MAX_SPEED_LENGTH),
      shown: boundedText(form, SHOWN, MAX_SPEED_LENGTH),
      wish: boundedText(form, WISH, MAX_SPEED_LENGTH),
    }),
  );

/**
 * The step's entries with the speed that suits their arrival: a speed chosen by the form follows the date both ways.
 */
export const resolveSpeed = (typed: TypedAnswers, at: At): TypedAnswers => ({
  ...typed,
  ...typedChoice(choose(choiceTyped(typed), suitableSpeeds(typed, at))),
});
