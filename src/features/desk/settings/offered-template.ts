import type { Language } from '~/base/languages.ts';

/** A template as a form offers it: in the language of the email, and in the reader's own. */
export type OfferedTemplate = { sent: string; own: string };

/** The templates for one application, by the code of a reason and by field. */
export type OfferedTemplates = {
  /** The language of the email. */
  language: Language;
  /** Whether the reader reads another one. */
  isForeign: boolean;
  rejection: Readonly<Record<string, OfferedTemplate>>;
  correction: Readonly<Record<string, OfferedTemplate>>;
};

/** A note with the text of a field that was ticked in a line of its own, or without it where the tick was taken away. */
export function noteWith(note: string, text: string, isTicked: boolean): string {
  const lines = note.split('\n');
  if (isTicked) {
    if (lines.includes(text)) return note;
    return note.trim() === '' ? text : `${note.trimEnd()}\n${text}`;
  }
  // What was written over stays.
  return lines.filter((line) => line !== text).join('\n');
}
