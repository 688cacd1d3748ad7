import { DAY_MS } from '~/base/dates/dates.ts';
import { ok, refused, type Outcome } from '~/base/outcome.ts';
import { foldLetters } from '~/base/letters.ts';

/** Characters of a note, as a browser's `maxLength` counts them. */
export const MAX_STAFF_NOTE_LENGTH = 2000;
/** Characters of the reason for striking a note or dismissing a duplicate. */
export const MAX_WHY_LENGTH = 500;
/** Milliseconds after writing within which the author may correct a note. */
export const CORRECTABLE_MS = 10 * 60_000;

/**
 * One note of staff on an application, for staff only. It is deleted with its application, not before: a corrected one
 * is marked, a struck one stays readable with who struck it and why.
 */
export type StaffNote = {
  id: string;
  applicationId: string;
  staffId: string;
  text: string;
  writtenAt: Date;
  editedAt: Date | null;
  struck: { at: Date; by: string; why: string } | null;
};

export type NoteError =
  | 'empty_note'
  | 'long_note'
  | 'late_edit'
  | 'unknown_note'
  | 'struck_note'
  | WhyError;
export type WhyError = 'empty_why' | 'long_why';

/** Browsers send a line break as CR LF and count it as one character. */
const plain = (typed: string): string => typed.replaceAll('\r\n', '\n').trim();

/** The typed note, trimmed. */
export function readNote(typed: string): Outcome<string, 'empty_note' | 'long_note'> {
  const text = plain(typed);
  if (text === '') return refused('empty_note');
  return text.length > MAX_STAFF_NOTE_LENGTH ? refused('long_note') : ok(text);
}

/** The typed reason, trimmed. */
export function readWhy(typed: string): Outcome<string, WhyError> {
  const text = plain(typed);
  if (text === '') return refused('empty_why');
  return text.length > MAX_WHY_LENGTH ? refused('long_why') : ok(text);
}

/** Whether somebody may correct a note: their own, not struck, within `CORRECTABLE_MS`. */
export function mayCorrect(
  note: Pick<StaffNote, 'staffId' | 'writtenAt' | 'struck'>,
  staffId: string,
  now: number,
): boolean {
  return (
    note.staffId === staffId && !note.struck && now < note.writtenAt.getTime() + CORRECTABLE_MS
  );
}

/** Somebody who can be mentioned. */
export type MentionablePerson = { readonly id: string; readonly name: string };

const folded = (text: string): string => text.normalize('NFC').toLowerCase();
const IN_A_WORD = /[\p{L}\p{N}]/u;

/**
 * Whom a note mentions: `@` before a name as the account has it, in capitals or not, where neither a name nor an email
 * address goes on. Of two names that begin alike the longer one counts; of two accounts with one name both.
 */
export function findMentions<P extends MentionablePerson>(note: string, people: readonly P[]): P[] {
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

/** A mention that is being typed: where its `@` stands, and who may be meant, those whose name begins so first. */
export type TypedMention<P extends MentionablePerson> = {
  readonly from: number;
  readonly people: readonly P[];
};

/**
 * The mention that ends at the caret; null where there is none, nobody is called so, or the name is complete. Each name
 * is found by any of its words, without accents, too.
 */
export function typedMention<P extends MentionablePerson>(
  text: string,
  caret: number,
  people: readonly P[],
): TypedMention<P> | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf('@');
  if (from === -1 || IN_A_WORD.test(before.charAt(from - 1))) return null;
  const typed = foldLetters(before.slice(from + 1));
  const begins = people.filter(({ name }) => foldLetters(name).startsWith(typed));
  const others = people.filter(
    (one) => !begins.includes(one) && foldLetters(one.name).includes(` ${typed}`),
  );
  const found = [...begins, ...others];
  const [only] = found;
  const isComplete =
    found.length === 1 && only && folded(only.name) === folded(before.slice(from + 1));
  return found.length === 0 || isComplete ? null : { from, people: found };
}

/** Characters of a note that the list “For you” shows. */
const MAX_EXCERPT_LENGTH = 200;
/** Of them those before the mention, where it does not stand at the note's beginning. */
const BEFORE_MENTION = 60;

/** What of a note is shown to somebody: all of a short one, otherwise its beginning, or the words around their name. */
export function noteExcerpt(note: string, { name }: Pick<MentionablePerson, 'name'>): string {
  const text = note.replaceAll(/\s+/g, ' ').trim();
  if (text.length <= MAX_EXCERPT_LENGTH) return text;
  const mention = folded(text).indexOf(`@${folded(name)}`);
  const isEarly = mention + name.length < MAX_EXCERPT_LENGTH;
  const start = isEarly ? 0 : text.lastIndexOf(' ', mention - BEFORE_MENTION) + 1;
  const rest = text.slice(start);
  if (rest.length <= MAX_EXCERPT_LENGTH) return `…${rest}`;
  const end = rest.lastIndexOf(' ', MAX_EXCERPT_LENGTH);
  const words = rest.slice(0, end > 0 ? end : MAX_EXCERPT_LENGTH);
  return `${start > 0 ? '…' : ''}${words}…`;
}

/** What an entry of the list “For you” says; texts in `for-you:kind.<kind>`. */
export const forYouKinds = ['assigned', 'mentioned', 'found_wrong', 'message'] as const;
export type ForYouKind = (typeof forYouKinds)[number];

/** Entries shown: the newest. */
export const MAX_FOR_YOU_ENTRIES = 100;

/** Milliseconds that an application stays with somebody it was assigned to: three days, so that nothing lies forgotten. */
export const ASSIGNED_MS = 3 * DAY_MS;
