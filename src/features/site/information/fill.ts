/** The value of a placeholder. `count` selects the plural form of a word beside it; for a range, its upper end. */
export type PlaceholderValue = { text: string; count?: number };
export type PlaceholderValues = ReadonlyMap<string, PlaceholderValue>;

/**
 * Writes "30 days": `unit` is a key under `information:units`.
 * @throws Error for an unknown unit.
 */
type WriteUnit = (unit: string, value: string, count: number) => string;

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*(?::\s*([\w.]+)\s*)?\}\}/g;

/** Inserts a non-breaking hyphen into these words in running text (look.md). */
const HYPHENATED = /(?<=^|[^\p{L}@.-])e-(?=(visa|mail|vize|posta)\p{L}*)/giu;

/**
 * Returns a function that replaces `{{name}}` by its value and `{{name: unit}}` by value and unit.
 * @throws Error for an unknown name or unit, and for remaining braces: a policy with a gap must not be shown.
 */
export function makeFill(
  values: PlaceholderValues,
  writeUnit: WriteUnit,
): (text: string) => string {
  return (text) => {
    const filled = text
      .replace(HYPHENATED, (found) => found.replace('-', '\u2011'))
      .replace(PLACEHOLDER, (_, name: string, unit: string | undefined) => {
        const value = values.get(name);
        if (!value) throw new Error(`There is no value ${name}`);
        if (unit === undefined) return value.text;
        if (value.count === undefined) throw new Error(`${name} cannot be counted`);
        return writeUnit(unit, value.text, value.count);
      });
    if (/\{\{|\}\}/.test(filled)) throw new Error(`A placeholder is left over: ${filled}`);
    return filled;
  };
}
