/*
 * Two hundred nationalities for a filter that is nearly always closed: they travel as one text, and their options are
 * written once for each text: to React they are one element, not a sixth of the page.
 */

type Named = { readonly id: string; readonly name: string };

/** Names hold neither line breaks nor tabs. */
const [LINE, CELL] = ['\n', '\t'] as const;

export const nationalityLines = (options: readonly Named[]): string =>
  options.map(({ id, name }) => `${id}${CELL}${name}`).join(LINE);

/** More than there are languages. */
const MOST_KEPT = 12;
const kept = new Map<string, string>();

/** The options of `nationalityLines` as markup, behind one that stands for any of them. */
function optionsOf(lines: string): string {
  const known = kept.get(lines);
  if (known !== undefined) return known;
  const made = (lines === '' ? [] : lines.split(LINE)).map((line) => {
    const [id = '', name = ''] = line.split(CELL);
    return option(id, name);
  });
  if (kept.size >= MOST_KEPT) kept.clear();
  const markup = made.join('');
  kept.set(lines, markup);
  return markup;
}

const option = (id: string, name: string) =>
  `<option value="${asMarkup(id)}">${asMarkup(name)}</option>`;

const SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
const asMarkup = (text: string) => text.replaceAll(/[&<"]/g, (sign) => SIGNS[sign] ?? sign);

/** `lines`: of `nationalityLines`; `chosen`: three letters, '' for any. */
export function NationalitySelect({
  lines,
  chosen,
  any,
  label,
}: {
  lines: string;
  chosen: string;
  any: string;
  label: string;
}) {
  const value = `value="${asMarkup(chosen)}"`;
  const options = option('', any) + optionsOf(lines);
  return (
    <select
      aria-label={label}
      className="control"
      dangerouslySetInnerHTML={{ __html: options.replace(value, `${value} selected=""`) }}
      defaultValue={chosen}
      name="nationality"
    />
  );
}
