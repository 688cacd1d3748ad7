import { Fragment } from 'react';

type Part = { text: string; differs: boolean };

/** A text with its differing parts marked. */
export function Marked({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ text, differs }, index) =>
    differs ? (
      <mark className="rounded-[3px] bg-amber-ground px-px text-amber-notice" key={index}>
        {text}
      </mark>
    ) : (
      <Fragment key={index}>{text}</Fragment>
    ),
  );
}

/**
 * Two texts in parts, with those marked that differ: character by character where both are as long, otherwise what
 * stands between their common beginning and their common end.
 */
export function markDiffering(before: string, after: string): [Part[], Part[]] {
  const [one, other] = [Array.from(before), Array.from(after)];
  if (one.length === other.length) {
    const differs = one.map((letter, at) => letter !== other[at]);
    return [joinParts(one, differs), joinParts(other, differs)];
  }
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const between = (letters: readonly string[]) =>
    joinParts(
      letters,
      letters.map((_, at) => at >= start && at < letters.length - end),
    );
  return [between(one), between(other)];
}

function joinParts(letters: readonly string[], differs: readonly boolean[]): Part[] {
  const parts: Part[] = [];
  for (const [at, letter] of letters.entries()) {
    const last = parts.at(-1);
    const isOther = differs[at] ?? false;
    if (last?.differs === isOther) last.text += letter;
    else parts.push({ text: letter, differs: isOther });
  }
  return parts;
}
