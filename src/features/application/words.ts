import { languageColon, languageFacts, type Language } from '~/base/languages.ts';

/** A message as the specification words it: what is wrong, and what to do. */
export type WordedMessage = { title: string; text?: string };

/** At the field: "Passport Expired. The expiry date must be in the future." */
export const formatMessage = ({ title, text }: WordedMessage): string =>
  text ? `${title}. ${text}.` : `${title}.`;

/**
 * In the error summary: "Passport Expired: the expiry date must be in the future". German continues with a capital
 * after a colon, Arabic has no capitals, and French sets a space before the colon.
 */
export function formatMessageLine({ title, text }: WordedMessage, language: Language): string {
  if (!text) return title;
  const first = text.charAt(0);
  const { colon, isSmallAfterColon } = languageFacts(language);
  return `${title}${colon} ${isSmallAfterColon ? first.toLocaleLowerCase(language) : first}${text.slice(1)}`;
}

/**
 * The same, beginning with the question's name: where two dates are wrong, "Enter the year" alone does not say which. A
 * message that begins with the name already is left as it is: "Date of birth: Invalid date format. Enter the year".
 */
export function formatNamedMessageLine(
  name: string,
  message: WordedMessage,
  language: Language,
): string {
  const small = (text: string) => text.toLocaleLowerCase(language);
  if (small(message.title).startsWith(small(name))) return formatMessageLine(message, language);
  const colon = /[?؟]$/.test(name) ? '' : languageColon(language);
  return `${name}${colon} ${formatMessage(message).slice(0, -1)}`;
}
