/**
 * What staff write about an application by a template: why it is rejected, how a field is to be corrected, or a message.
 */
export const templateKinds = ['rejection', 'correction', 'message'] as const;
type TemplateKind = (typeof templateKinds)[number];

/** The templates of messages, by what travellers ask. */
export const messageTemplates = [
  'waiting',
  'decision',
  'wrong_answer',
  'download',
  'cancel',
] as const;

/** A template in all its languages: `name` is the code of a rejection, the name of a field or of `messageTemplates`. */
export type Template = { kind: TemplateKind; name: string };

/** Length of a template in one language, in characters. */
export const MAX_TEMPLATE_LENGTH = 300;

/**
 * What a template may have in double braces. The reason of a rejection is read by anybody with the application number,
 * so it must not name the traveller.
 */
export const templatePlaceholders = {
  rejection: ['number'],
  correction: ['number', 'name'],
  message: ['number', 'name'],
} as const satisfies Record<TemplateKind, readonly string[]>;

const PLACE = /\{\{\s*(\w+)\s*\}\}/g;

/** The text with its placeholders filled in. */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACE, (whole, place: string) => values[place] ?? whole);

/** The first thing in braces that would not be filled in; null where there is none. */
export function wrongPlaceholder(kind: TemplateKind, text: string): string | null {
  const known: readonly string[] = templatePlaceholders[kind];
  const rest = text.replace(PLACE, (whole, place: string) => (known.includes(place) ? '' : whole));
  return /\{\{[^{}]*\}\}|\{+[^{}]*|\}+/.exec(rest)?.[0].trim() ?? null;
}

/** As templates are stored: one paragraph. Its no-break spaces stay, as French has them before a colon. */
export const tidyTemplate = (text: string): string => text.trim().replace(/[ \t\r\n]+/g, ' ');
