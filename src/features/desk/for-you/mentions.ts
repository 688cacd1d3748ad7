/** Somebody who can be mentioned. */
export type Person = { readonly id: string; readonly name: string };

const folded = (text: string): string => text.normalize('NFC').toLowerCase();
const IN_A_WORD = /[\p{L}\p{N}]/u;

/**
 * Whom a note mentions: `@` before a name as the account has it, in capitals or not, where neither a name nor an email
 * address goes on. Of two names that begin alike the longer one counts; of two accounts with one name both.
 */
export function mentionedIn<P extends Person>(note: string, people: readonly P[]): P[] {
  const text = folded(note);
  const byLength = people
    .map((person) => ({ person, name: folded(person.name) }))
    .toSorted((one, other) => other.name.length - one.name.length);
  const found = new Set<P>();
  for (const { index } of text.matchAll(/@/g)) {
    if (IN_A_WORD.test(text.charAt(index - 1))) continue;
    const rest = text.slice(index + 1);
    const first = byLength.find(
      ({ name }) => rest.startsWith(name) && !IN_A_WORD.test(rest.charAt(name.length)),
    );
    for (const { person, name } of byLength) if (name === first?.name) found.add(person);
  }
  return people.filter((person) => found.has(person));
}
