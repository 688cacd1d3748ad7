import { z } from 'zod';
import { languages, type Language } from '~/base/languages.ts';
import { valuesInForce, type Settings } from '~/features/settings/change.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { formatNumber } from '~/base/format-number.ts';
import {
  applicationRejection,
  hasRejectionText,
  type RejectionCode,
  type ShownRejection,
} from './rejection.ts';
import { fillTemplate, type Template } from './template.ts';

/** The value of a template's subject; null where the text that comes with Lale holds again. */
export const templateValue = z.string().nullable();

/** Among the settings each language is a subject of its own, so that a planned change of one leaves the others alone. */
export const templateSubject = ({ kind, name }: Template, language: Language): string =>
  `${kind}.${name}.${language}`;

/** The text that comes with Lale; null for what has none. */
export function defaultTemplate({ kind, name }: Template, language: Language): string | null {
  if (kind !== 'rejection')
    return makeTranslate(language, 'templates')(`${kind}.${name}`, '') || null;
  // "Another reason" is said in the reviewer's words alone.
  return name === 'other'
    ? null
    : makeTranslate(language, 'rejection')(`reason.${name}`, '') || null;
}

/** What managers made of a template by a moment, in the languages in which they changed it. */
export function editedTemplate(
  settings: Settings,
  template: Template,
  at: Date,
): Partial<Record<Language, string>> {
  const values = valuesInForce(settings, 'templates', at);
  return Object.fromEntries(
    languages.flatMap(({ code }) => {
      const text = templateValue.parse(values[templateSubject(template, code)] ?? null);
      return text === null ? [] : [[code, text] as const];
    }),
  );
}

/** A template's text at a moment, with its placeholders; null for what has none. */
export const templateInForce = (
  settings: Settings,
  template: Template,
  { language, at }: { language: Language; at: Date },
): string | null =>
  editedTemplate(settings, template, at)[language] ?? defaultTemplate(template, language);

/** What the reason of a rejection is made of. Before it is decided, `decidedAt` is the moment of the preview. */
export type RejectionFacts = {
  number: string;
  decidedAt: Date | null;
  rejectionCode: RejectionCode | null;
  rejectionReason: string | null;
};

/** What managers had made of the reason when it was decided: later changes are for later rejections. */
export function shownRejection(
  settings: Settings,
  rejected: RejectionFacts,
): ShownRejection | null {
  const rejection = applicationRejection(rejected);
  if (!rejection) return null;
  const { decidedAt, number } = rejected;
  const template = { kind: 'rejection', name: rejection.code } as const;
  const edited = decidedAt ? editedTemplate(settings, template, decidedAt) : {};
  const filled = Object.entries(edited).map(
    ([language, text]) => [language, fillTemplate(text, { number: formatNumber(number) })] as const,
  );
  return { ...rejection, texts: Object.fromEntries(filled) };
}

/** The reason of a rejection in a sentence; null for one that has only the reviewer's words. */
export function rejectionText(
  settings: Settings,
  rejected: RejectionFacts,
  language: Language,
): string | null {
  const rejection = shownRejection(settings, rejected);
  if (!rejection || !hasRejectionText(rejection.code)) return null;
  const template = { kind: 'rejection', name: rejection.code } as const;
  return rejection.texts[language] ?? defaultTemplate(template, language);
}
