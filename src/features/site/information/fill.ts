/** What stands for a placeholder. `count` chooses the form of a word beside it: of a range, the upper end. */
export type Value = { text: string; count?: number };
export type Values = ReadonlyMap<string, Value>;

/**
 * Writes "30 days": `unit` is a key under `information:units`.
 * @throws Error where there is no such unit.
 */
export type WriteUnit = (unit: string, value: string, count: number) => string;

const PLACEHOLDER = /\{\{\s*([\w.]+)\s*(?::\s*([\w.]+)\s*)?\}\}/g;

/** In running text these words do not break at their hyphen (look.md). */
const HYPHENATED = /(?<=^|[^\p{L}@.-])e-(?=(visa|mail|vize|posta)\p{L}*)/giu;

/**
 * Replaces `{{name}}` by its value and `{{name: unit}}` by value and word in their right form.
 * @throws Error on a name or a unit that is not there, and on braces that are left over: a policy with a gap must not be
 * shown.
 */
export function makeFill(values: Values, writeUnit: WriteUnit): (text: string) => string {
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
