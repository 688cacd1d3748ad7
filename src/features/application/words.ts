import { colonIn, factsOf, type Language } from '~/base/languages.ts';

/** A message as the specification words it: what is wrong, and what to do. */
export type Message = { title: string; text?: string };

/** At the field: "Passport Expired. The expiry date must be in the future." */
export const asSentences = ({ title, text }: Message): string =>
  text ? `${title}. ${text}.` : `${title}.`;

/**
 * In the error summary: "Passport Expired: the expiry date must be in the future". German continues with a capital
 * after a colon, Arabic has no capitals, and French sets a space before the colon.
 */
export function asLine({ title, text }: Message, language: Language): string {
  if (!text) return title;
  const first = text.charAt(0);
  const { colon, isSmallAfterColon } = factsOf(language);
  return `${title}${colon} ${isSmallAfterColon ? first.toLocaleLowerCase(language) : first}${text.slice(1)}`;
}

/**
 * The same, beginning with the question's name: where two dates are wrong, "Enter the year" alone does not say which. A
 * message that begins with the name already is left as it is: "Date of birth: Invalid date format. Enter the year".
 */
export function asNamedLine(name: string, message: Message, language: Language): string {
  const small = (text: string) => text.toLocaleLowerCase(language);
  if (small(message.title).startsWith(small(name))) return asLine(message, language);
  const colon = /[?؟]$/.test(name) ? '' : colonIn(language);
  return `${name}${colon} ${asSentences(message).slice(0, -1)}`;
}
