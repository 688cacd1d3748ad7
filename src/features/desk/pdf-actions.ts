/** Space as ISO 32000-1, 7.2.2 and 7.2.3 have it: a null and a comment are space as well. */
const SPACE = String.raw`(?:[\s\0]|%[^\r\n]*[\r\n])*`;
const after = (...parts: string[]) => new RegExp(parts.join(SPACE));

/** Actions that run or open something, files inside the file, forms with a life of their own, encryption. */
const NAMES =
  /\/(JavaScript|Launch|EmbeddedFiles?|FileAttachment|Filespec|RichMedia|Rendition|SubmitForm|ImportData|GoTo[ER]|XFA|Encrypt)(?![A-Za-z0-9])/;

/** Names so short that packed bytes hold them by chance count only with what follows them. */
const VALUE = String.raw`(<|\(|\d+\s+\d+\s+R)`;
const SHORT = [
  // Actions set off by looking at a page or leaving it, scripts, and files in a file that does not say so.
  after(String.raw`\/(AA|JS|EF)`, VALUE),
  after(String.raw`\/(Subtype|S)`, String.raw`\/(3D|Movie|Sound)(?![A-Za-z0-9])`),
];

/** A link that leads to the web or to an e-mail address, written out: nothing else opens, and only when it is pressed. */
const LINK = /^\((https?:\/\/|mailto:)/i;

/**
 * Whether PDF syntax (names with their escapes undone) can do more than show pages: run, open or carry something, or act
 * by itself. A destination on opening and links to the web are how ordinary programs write PDFs, and may stay.
 */
export function doesMoreThanShow(text: string): boolean {
  if (NAMES.test(text) || SHORT.some((one) => one.test(text))) return true;
  return opensByItself(text) || linksElsewhere(text);
}

function opensByItself(text: string): boolean {
  return valuesOf(text, 'OpenAction').some((value) => {
    const [, number, generation] = /^(\d+)\s+(\d+)\s+R/.exec(value) ?? [];
    if (number === undefined) return !isDestination(value);
    const objects = [
      ...text.matchAll(new RegExp(`(?<!\\d)${number}\\s+${generation}\\s+obj`, 'g')),
    ];
    // Packed among other objects it is not found, and not believed.
    return (
      objects.length === 0 ||
      objects.some(({ index, 0: head }) => !isDestination(skip(text, index + head.length)))
    );
  });
}

/** `[page /Fit]`, or the action that goes there and does nothing next. */
function isDestination(value: string): boolean {
  if (value.startsWith('[')) return true;
  const [action] = /^<<[^<>]*>>/.exec(value) ?? [];
  return action !== undefined && /\/GoTo(?![A-Za-z])/.test(action) && !action.includes('/Next');
}

const linksElsewhere = (text: string): boolean =>
  valuesOf(text, 'URI').some(
    (value) => /^(\(|<(?!<)|\d+\s+\d+\s+R)/.test(value) && !LINK.test(value),
  );

/** What stands after each writing of a name: its value, where it is a key. */
const valuesOf = (text: string, name: string): string[] =>
  [...text.matchAll(new RegExp(`/${name}(?![A-Za-z0-9])`, 'g'))].map(({ index, 0: found }) =>
    skip(text, index + found.length),
  );

const LONGEST_VALUE = 2000;
const skip = (text: string, from: number): string =>
  text.slice(from, from + LONGEST_VALUE).replace(new RegExp(`^${SPACE}`), '');
