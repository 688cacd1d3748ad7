/*
 * Two hundred options would be half of the elements that React makes for a page, and are the same for everybody: their
 * markup is made once for each list and put into the `select`.
 */

export type MarkupOption = { readonly id: string; readonly name: string };

const written = new WeakMap<readonly MarkupOption[], string>();

/** The options of a list, which has to be the same array for the same options. */
export function optionsMarkup(options: readonly MarkupOption[]): string {
  const known = written.get(options);
  if (known !== undefined) return known;
  const made = options.map(({ id, name }) => optionMarkup(id, name)).join('');
  written.set(options, made);
  return made;
}

export const optionMarkup = (id: string, name: string): string =>
  `<option value="${asMarkup(id)}">${asMarkup(name)}</option>`;

/** The same options with the one chosen that has this value, where there is one. */
export function selectOption(options: string, value: string): string {
  const named = `value="${asMarkup(value)}"`;
  return options.replace(named, () => `${named} selected=""`);
}

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };

const asMarkup = (text: string): string => text.replaceAll(/[&<"]/g, (sign) => SIGNS[sign] ?? sign);
