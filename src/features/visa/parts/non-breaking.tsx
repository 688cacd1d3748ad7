import { Fragment, type ReactNode } from 'react';

/** Words like "e-visa", which must not break at their hyphen. */
const HYPHENATED = /(?<!\p{L})(e-\p{L}+)/giu;

export function nonBreaking(text: string): ReactNode {
  return text.split(HYPHENATED).map((part, index) =>
    index % 2 === 1 ? (
      <span className="whitespace-nowrap" key={index}>
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
