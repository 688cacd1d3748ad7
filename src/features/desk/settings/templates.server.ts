import { languages, type Language } from '~/base/languages.ts';
import { rejectionCodes } from '~/features/application/rejection.ts';
import {
  MAX_TEMPLATE_LENGTH,
  messageTemplates,
  templatePlaceholders,
  tidyTemplate,
  wrongPlaceholder,
  type Template,
} from '~/features/application/template.ts';
import {
  defaultTemplate,
  editedTemplate,
  templateInForce,
  templateSubject,
  templateValue,
} from '~/features/application/templates.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { correctable } from '../application/case-actions.ts';
import type {
  OpeningSection,
  OpenSection,
  SettingsProblem,
  SettingValues,
} from './section.server.ts';
import { SETTINGS } from './sections.ts';

/** All templates, in the order of the list. A reason that has no text of its own has no template. */
export const templates: readonly Template[] = [
  ...rejectionCodes.map((name) => ({ kind: 'rejection', name }) as const),
  ...correctable.map((name) => ({ kind: 'correction', name }) as const),
  ...messageTemplates.map((name) => ({ kind: 'message', name }) as const),
].filter((template) => defaultTemplate(template, 'en') !== null);

/** As addresses name it: `rejection.duplicate`. */
export const templateKey = ({ kind, name }: Template): string => `${kind}.${name}`;

/** What the lists and forms of the desk call it. */
export function templateLabel({ kind, name }: Template, language: Language): string {
  if (kind === 'rejection') return makeTranslate(language, 'rejection')(`reason.${name}`, name);
  if (kind === 'message')
    return makeTranslate(language, 'case-file')(`messages.template.${name}`, name);
  return makeTranslate(language)([`visa:labels.${name}`, `insurance:labels.${name}`], name);
}

/** One template: a control for each language, named by its code. */
export function openTemplate({ language, params }: OpeningSection): OpenSection | null {
  const template = templates.find((one) => templateKey(one) === params.template);
  if (!template) return null;
  const t = makeTranslate(language, 'settings');
  /** "{{number}}, {{name}}". */
  const places = templatePlaceholders[template.kind].map((place) => `{{${place}}}`).join(', ');
  return {
    title: templateLabel(template, language),
    lead: t(`templates.${template.kind}Use`),
    up: { to: `${SETTINGS}/templates`, label: t('up.templates') },
    view(settings, now) {
      const edited = editedTemplate(settings, template, now);
      return {
        above: [{ texts: [t('templates.keeps')] }],
        form: {
          texts: [t('templates.hint', { limit: MAX_TEMPLATE_LENGTH, places })],
          groups: [
            {
              rows: languages.map(({ code, name }) => {
                const original = defaultTemplate(template, code) ?? '';
                return [
                  {
                    kind: 'area',
                    name: code,
                    label: name,
                    value: edited[code] ?? original,
                    hint: edited[code] === undefined ? undefined : t('templates.originalText'),
                    original,
                    language: code,
                    maxLength: MAX_TEMPLATE_LENGTH,
                    rows: 3,
                  },
                ];
              }),
            },
          ],
        },
      };
    },
    read(typed, settings, at) {
      const problems: SettingsProblem[] = [];
      const values: Record<string, string | null> = {};
      const edited = editedTemplate(settings, template, at);
      for (const { code } of languages) {
        const original = defaultTemplate(template, code);
        const text = tidyTemplate(typed[code] ?? '');
        const after = text === '' || text === original ? null : text;
        const wrong = wrongPlaceholder(template.kind, text);
        if (text.length > MAX_TEMPLATE_LENGTH) {
          const limit = { limit: MAX_TEMPLATE_LENGTH };
          problems.push({ field: code, code: 'text_too_long', values: limit });
        } else if (wrong !== null) {
          problems.push({ field: code, code: 'placeholder_unknown', values: { wrong, places } });
        } else if (after !== (edited[code] ?? null)) {
          values[templateSubject(template, code)] = after;
        }
      }
      return { values, problems };
    },
    rows: (values, settings, at) =>
      changedIn(template, values).map(({ code, name, text }) => ({
        label: name,
        before: templateInForce(settings, template, { language: code, at }),
        after: text ?? defaultTemplate(template, code),
      })),
    lines: ({ values }) =>
      templates.flatMap((one) =>
        changedIn(one, values).map(
          ({ name, text }) =>
            `${templateLabel(one, language)} · ${name}: ${text ?? t('templates.back')}`,
        ),
      ),
    isShown: ({ values }) => changedIn(template, values).length > 0,
    notes(values) {
      const left = languages.filter(({ code }) => !(templateSubject(template, code) in values));
      if (left.length === 0) return [];
      return [t('templates.left', { languages: left.map(({ name }) => name).join(', ') })];
    },
  };
}

/** The languages in which some values change a template, with the new text; null for the original one. */
const changedIn = (template: Template, values: SettingValues) =>
  languages.flatMap(({ code, name }) => {
    const subject = templateSubject(template, code);
    return subject in values ? [{ code, name, text: templateValue.parse(values[subject]) }] : [];
  });
