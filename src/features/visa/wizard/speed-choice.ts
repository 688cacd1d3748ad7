import { choose, readChoice, type Choice, type Option } from '~/base/default-choice.ts';
import type { Office } from '~/base/dates/office.ts';
import { parseDate } from '~/base/dates/dates.ts';
import { textOf, type Typed } from '~/features/form/answers/controls.ts';
import { quote, type PriceList } from '../rules/price-list.ts';
import { speedsInTime, speedsWorthTheirPrice } from '../rules/ready-by.ts';
import type { Path } from '../rules/speeds.ts';
import { answersOf, WISH } from '../rules/typed.ts';

/** The speed that the page had selected when it was rendered, whoever chose it. */
const SHOWN = 'processingTypeShown';
/** Characters; three times the longest name of a speed. */
const LONGEST = 30;

type At = { path: Path; prices: PriceList; office: Office; now: Date };

/**
 * The speeds that suit the typed arrival: without one, all that are faster than cheaper ones; null while the date is
 * incomplete.
 */
export function suitableSpeeds(
  typed: Typed,
  { path, prices, office, now }: At,
): readonly Option[] | null {
  const answer = answersOf(typed).arrivalDate ?? '';
  const arrival = parseDate(answer);
  if (answer !== '' && !arrival) return null;
  const speeds = arrival
    ? speedsInTime(path, arrival, now, office)
    : speedsWorthTheirPrice(path, now, office);
  return speeds.map(({ processingType }) => ({
    id: processingType,
    price: quote(prices, path, processingType).total.minor,
  }));
}

/** The choice in the controls. */
export const choiceTyped = (typed: Typed): Choice => ({
  wish: typed[WISH] ?? '',
  selected: typed.processingType ?? '',
});

const typedChoice = ({ wish, selected }: Choice): Typed => ({
  processingType: selected,
  [WISH]: wish,
});

/** The choice that a page sends, with who made it. */
export const readSpeed = (form: FormData): Typed =>
  typedChoice(
    readChoice({
      sent: textOf(form, 'processingType', LONGEST),
      shown: textOf(form, SHOWN, LONGEST),
      wish: textOf(form, WISH, LONGEST),
    }),
  );

/**
 * The step's entries with the speed that suits their arrival: a speed chosen by the form follows the date both ways.
 */
export const settleSpeed = (typed: Typed, at: At): Typed => ({
  ...typed,
  ...typedChoice(choose(choiceTyped(typed), suitableSpeeds(typed, at))),
});
