/** Something that the palette can do, by its name in the reader's language. */
export type Command = {
  /** Unique among them. */
  readonly id: string;
  readonly name: string;
  /** What it belongs to, shown beside it and found as well. */
  readonly group: string;
};

/** Lower case without accents; the Turkish dotless i as i, as the search folds it. */
const folded = (text: string): string =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ı', 'i');

/**
 * The commands that contain every typed word, in their order, but those whose name begins with what was typed first.
 */
export function matching<C extends Command>(commands: readonly C[], typed: string): C[] {
  const words = folded(typed).split(/\s+/).filter(Boolean);
  const found = commands.filter(({ name, group }) => {
    const text = folded(`${name} ${group}`);
    return words.every((word) => text.includes(word));
  });
  const begins = ({ name }: C) => words.length > 0 && folded(name).startsWith(words.join(' '));
  return [...found.filter(begins), ...found.filter((one) => !begins(one))];
}
