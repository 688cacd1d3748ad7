import { useEffect, useState, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import {
  choose,
  choiceNotice,
  type FormChoice,
  type ChoiceNotice,
  type PricedOption,
} from '~/base/default-choice.ts';

/**
 * While a date is typed, each key makes another date: the change is announced once it stays so long, in milliseconds.
 */
export const REST_MS = 800;

/**
 * A choice that the form makes until the visitor makes it: see `~/base/default-choice.ts`. `start` is what the server
 * knows of it; `suitable` what the other answers allow now, null while they are incomplete.
 */
export function useDefaultChoice(start: FormChoice, suitable: readonly PricedOption[] | null) {
  const [known, setKnown] = useState(start);
  const [held, setHeld] = useState(start);
  const choice = choose(held, suitable);
  /** The selection that was announced last, and the one before it. */
  const [announced, setAnnounced] = useState({ from: start.selected, to: choice.selected });

  // A different choice in an answer of the server replaces the one of this page.
  if (known.wish !== start.wish || known.selected !== start.selected) {
    setKnown(start);
    setHeld(start);
    setAnnounced({ from: start.selected, to: choose(start, suitable).selected });
  } else if (choice.selected !== held.selected) setHeld(choice);

  useEffect(() => {
    if (choice.selected === announced.to) return undefined;
    const rest = setTimeout(
      () => setAnnounced(({ to }) => ({ from: to, to: choice.selected })),
      REST_MS,
    );
    return () => clearTimeout(rest);
  }, [choice.selected, announced.to]);

  const isAnnounced = choice.selected === announced.to;
  return {
    choice,
    notice: choiceNotice(isAnnounced ? announced.from : announced.to, choice, suitable),
    /** False until a change has been announced. */
    isAnnounced,
    /** Takes the visitor's own choice. */
    choose(id: string) {
      setHeld({ wish: id, selected: id });
      setAnnounced({ from: id, to: id });
    },
  };
}

export type DefaultChoice = ReturnType<typeof useDefaultChoice>;

/** Tells the server who chose; without scripts as well. Names: `<name>Shown`, `<name>Wish`. */
export function ChoiceInputs({ name, choice }: { name: string; choice: FormChoice }) {
  return (
    <>
      <input name={`${name}Shown`} readOnly type="hidden" value={choice.selected} />
      <input name={`${name}Wish`} readOnly type="hidden" value={choice.wish} />
    </>
  );
}

/**
 * The notice about a choice, beside it; screen readers announce each change. It is rendered from the start, because a
 * live region that is inserted together with its text is not read. `words`: '' for nothing to say.
 */
export function ChoiceNotes({ notice, words }: { notice: ChoiceNotice; words: ReactNode }) {
  // Above what was just pressed it would push that away.
  const isBelow = notice.by === 'visitor' && !notice.moved;
  return (
    <p
      aria-live="polite"
      className={classNames(
        'text-small empty:m-0 empty:h-0',
        isBelow ? 'order-1 mt-6' : 'mb-6',
        notice.moved && 'rounded-card bg-amber-ground px-4 py-3 text-amber-notice',
      )}
      data-testid="choice-notes"
    >
      {words}
    </p>
  );
}
