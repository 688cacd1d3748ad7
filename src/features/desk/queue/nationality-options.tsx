import { choosing, optionOf, optionsOf, type MarkupOption } from '~/ui/fields/option-markup.ts';

/* Two hundred nationalities for a filter that is usually closed: sent to the browser as one text. */

/** Names contain neither line breaks nor tabs. */
const [LINE, CELL] = ['\n', '\t'] as const;

export const nationalityLines = (options: readonly MarkupOption[]): string =>
  options.map(({ id, name }) => `${id}${CELL}${name}`).join(LINE);

/** More than there are languages. */
const MOST_CACHED = 12;
const cache = new Map<string, readonly MarkupOption[]>();

function optionsIn(lines: string): readonly MarkupOption[] {
  const known = cache.get(lines);
  if (known !== undefined) return known;
  const options = (lines === '' ? [] : lines.split(LINE)).map((line) => {
    const [id = '', name = ''] = line.split(CELL);
    return { id, name };
  });
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(lines, options);
  return options;
}

/** Names by three letters. `lines`: of `nationalityLines`. */
export const nationalityNames = (lines: string): ReadonlyMap<string, string> =>
  new Map(optionsIn(lines).map(({ id, name }) => [id, name]));

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
  const options = optionOf('', any) + optionsOf(optionsIn(lines));
  return (
    <select
      aria-label={label}
      className="control"
      dangerouslySetInnerHTML={{ __html: choosing(options, chosen) }}
      defaultValue={chosen}
      name="nationality"
    />
  );
}
