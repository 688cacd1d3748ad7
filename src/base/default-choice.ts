/**
 * One rule for every choice that a form makes until the visitor makes it: the processing type of a visa, the plan of an
 * insurance. What the visitor chose stays. What the form chose is the cheapest that suits, and follows the other
 * answers in both directions. Incomplete answers change nothing.
 */
export type PricedOption = {
  readonly id: string;
  /** In minor units of one currency. */
  readonly price: number;
};

export type FormChoice = {
  /**
   * What the visitor chose; '' while the form chooses. Kept while other answers rule it out: it is selected again as
   * soon as they allow it.
   */
  readonly wish: string;
  /** What is selected, '' for nothing. */
  readonly selected: string;
};

/** The cheapest; of several at one price the first. */
const cheapestOf = (suitable: readonly PricedOption[]): PricedOption | undefined =>
  suitable.reduce<PricedOption | undefined>(
    (best, option) => (best && best.price <= option.price ? best : option),
    undefined,
  );

/**
 * What is selected once the other answers allow `suitable`; null while those answers are incomplete. Null and an empty
 * list leave the selection as it is: there is nothing to choose from.
 */
export function choose(choice: FormChoice, suitable: readonly PricedOption[] | null): FormChoice {
  const cheapest = suitable && cheapestOf(suitable);
  if (!suitable || !cheapest) return choice;
  const isWishOpen = suitable.some(({ id }) => id === choice.wish);
  return { ...choice, selected: isWishOpen ? choice.wish : cheapest.id };
}

/**
 * Whether the visitor or the form chose what is sent. `shown` is what the page had selected when it was rendered:
 * anything else was chosen by the visitor. This also works without scripts, where a click is not seen.
 */
export function readChoice({
  sent,
  shown,
  wish,
}: {
  sent: string;
  shown: string;
  wish: string;
}): FormChoice {
  if (sent === '') return { wish, selected: shown };
  return { wish: sent === shown ? wish : sent, selected: sent };
}

export type ChoiceNotice = {
  /** Whose choice is selected. */
  readonly by: 'visitor' | 'form';
  /** Set where the selection, and with it the price, is another than the one that was shown before. */
  readonly moved: { readonly from: string; readonly to: string } | null;
  /** What the visitor chose and other answers rule out; '' where they do not. */
  readonly ruledOut: string;
  /** A cheaper option that suits as well as the visitor's choice; '' where there is none. */
  readonly cheaper: string;
};

/** The notice about a selection. `before`: the selection that the visitor was told of last. */
export function choiceNotice(
  before: string,
  { wish, selected }: FormChoice,
  suitable: readonly PricedOption[] | null,
): ChoiceNotice {
  const by = wish !== '' && wish === selected ? 'visitor' : 'form';
  const chosen = suitable?.find(({ id }) => id === selected);
  const cheapest = suitable && cheapestOf(suitable);
  return {
    by,
    moved: before !== '' && before !== selected ? { from: before, to: selected } : null,
    ruledOut: wish !== '' && wish !== selected ? wish : '',
    cheaper:
      by === 'visitor' && chosen && cheapest && cheapest.price < chosen.price ? cheapest.id : '',
  };
}
