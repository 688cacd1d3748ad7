import { Fragment, type ReactNode } from 'react';

/** Words like "e-visa", which must not break at their hyphen. */
const HYPHENATED = /(e-\p{L}+)/giu;
const ENDS_IN_LETTER = /\p{L}$/u;

export function nonBreaking(text: string): ReactNode {
  return text.split(HYPHENATED).map((part, index, parts) =>
    // A longer word may end so: "une-visa".
    index % 2 === 1 && !ENDS_IN_LETTER.test(parts[index - 1] ?? '') ? (
      <span className="whitespace-nowrap" key={index}>
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
