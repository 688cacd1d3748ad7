import type { ReactElement } from 'react';

/*
 * Two hundred nationalities for a filter that is nearly always closed: they travel as one text, and their options are made
 * once for each text, not with every page and every tick of an open one.
 */

type Named = { readonly id: string; readonly name: string };

/** Names hold neither line breaks nor tabs. */
const [LINE, CELL] = ['\n', '\t'] as const;

export const nationalityLines = (options: readonly Named[]): string =>
  options.map(({ id, name }) => `${id}${CELL}${name}`).join(LINE);

/** More than there are languages. */
const MOST_KEPT = 12;
const kept = new Map<string, readonly ReactElement[]>();

/** The options of `nationalityLines`. */
export function nationalityOptions(lines: string): readonly ReactElement[] {
  const known = kept.get(lines);
  if (known) return known;
  const made = (lines === '' ? [] : lines.split(LINE)).map((line) => {
    const [id = '', name = ''] = line.split(CELL);
    return (
      <option key={id} value={id}>
        {name}
      </option>
    );
  });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(lines, made);
  return made;
}
