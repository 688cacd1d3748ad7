import { factsOf, type Language } from '~/base/languages.ts';

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
