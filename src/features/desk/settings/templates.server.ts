import { languages, type Language } from '~/base/languages.ts';
import { rejectionCodes } from '~/features/application/rejection.ts';
import {
  LONGEST_TEMPLATE,
  placeholdersOf,
  templateKinds,
  tidyTemplate,
  wrongPlaceholder,
  type Template,
} from '~/features/application/template.ts';
import {
  defaultTemplate,
  editedTemplate,
  templateAt,
  templateSubject,
  templateValue,
} from '~/features/application/templates.server.ts';
import type { Change } from '~/features/settings/change.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import { correctable } from '../application/correctable.ts';
import type { Read, SectionForm } from './handle-decision-submit.server.ts';
import type { SettingsProblem } from './typed-settings.ts';

/** All templates, in the order of the list. A reason that has no text of its own has no template. */
export const templates: readonly Template[] = [
  ...rejectionCodes.map((name) => ({ kind: 'rejection', name }) as const),
  ...correctable.map((name) => ({ kind: 'correction', name }) as const),
].filter((template) => defaultTemplate(template, 'en') !== null);

/** As addresses name it: `rejection.duplicate`. */
export const keyOf = ({ kind, name }: Template): string => `${kind}.${name}`;

export const templateKeyed = (key: string | undefined): Template | null =>
  templates.find((template) => keyOf(template) === key) ?? null;

/** What the lists and forms of the desk call it. */
export function templateLabel({ kind, name }: Template, language: Language): string {
  if (kind === 'rejection') return textsIn(language, 'rejection')(`reason.${name}`, name);
  return textsIn(language)([`visa:labels.${name}`, `insurance:labels.${name}`], name);
}

/** "{{number}}, {{name}}". */
export const placesIn = (template: Template): string =>
  placeholdersOf[template.kind].map((place) => `{{${place}}}`).join(', ');

/** The form of one template: a control for each language, named by its code. */
export function templateForm(template: Template, page: string, language: Language): SectionForm {
  const t = textsIn(language, 'settings');
  return {
    section: 'templates',
    right: 'edit_templates',
    page,
    read(typed, settings, at) {
      const problems: SettingsProblem[] = [];
      const values: Record<string, string | null> = {};
      const edited = editedTemplate(settings, template, at);
      for (const { code } of languages) {
        const original = defaultTemplate(template, code);
        const text = tidyTemplate(typed[code] ?? '');
        const after = text === '' || text === original ? null : text;
        const wrong = wrongPlaceholder(template.kind, text);
        if (text.length > LONGEST_TEMPLATE) {
          const limit = { limit: LONGEST_TEMPLATE };
          problems.push({ field: code, code: 'text_too_long', values: limit });
        } else if (wrong !== null) {
          const named = { wrong, places: placesIn(template) };
          problems.push({ field: code, code: 'placeholder_unknown', values: named });
        } else if (after !== (edited[code] ?? null)) {
          values[templateSubject(template, code)] = after;
        }
      }
      return { values, problems };
    },
    rows: (values, settings, at) =>
      changedIn(template, values).map(({ code, name, text }) => ({
        label: name,
        before: templateAt(settings, template, { language: code, at }),
        after: text ?? defaultTemplate(template, code),
      })),
    notes: (values) => Promise.resolve(leftNote(values)),
    fits: () => true,
  };

  function leftNote(values: Read['values']): string[] {
    const left = languages.filter(({ code }) => !(templateSubject(template, code) in values));
    if (left.length === 0) return [];
    return [t('templates.left', { languages: left.map(({ name }) => name).join(', ') })];
  }
}

/** The languages in which some values change a template, with the new text; null for the original one. */
const changedIn = (template: Template, values: Read['values']) =>
  languages.flatMap(({ code, name }) => {
    const subject = templateSubject(template, code);
    return subject in values ? [{ code, name, text: templateValue.parse(values[subject]) }] : [];
  });

/** A decision in words, a line for each language of each template. */
export const templateLines =
  (language: Language) =>
  ({ values }: Change): string[] => {
    const t = textsIn(language, 'settings');
    return templates.flatMap((template) =>
      changedIn(template, values).map(
        ({ name, text }) =>
          `${templateLabel(template, language)} · ${name}: ${text ?? t('templates.back')}`,
      ),
    );
  };

export const isAboutTemplate =
  (template: Template) =>
  ({ values }: Change): boolean =>
    changedIn(template, values).length > 0;

/** The templates of each kind, with the text in the reader's language and the languages that were changed. */
export const groupedTemplates = <T>(describe: (template: Template) => T) =>
  templateKinds.map((kind) => ({
    kind,
    templates: templates.filter((one) => one.kind === kind).map(describe),
  }));
