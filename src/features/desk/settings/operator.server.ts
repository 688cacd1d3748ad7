import { isEmailAddress } from '~/base/email-address.ts';
import type { Language } from '~/base/languages.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import type { Change } from '~/features/settings/change.ts';
import {
  operatorAt,
  operatorFields,
  type OperatorField,
} from '~/features/settings/operator.server.ts';
import type { Config } from '~/platform/config/config.server.ts';
import { textsIn } from '~/i18n/translations.server.ts';
import type { SectionForm } from './handle-decision-submit.server.ts';
import {
  lineProblem,
  LONGEST_LINE,
  type SettingsError,
  type SettingsProblem,
} from './typed-settings.ts';

const isLink = (text: string): boolean =>
  URL.canParse(text) && ['https:', 'mailto:'].includes(new URL(text).protocol);

/** What is wrong with a field, or null. The three addresses of the footer are optional. */
export function operatorProblem(field: OperatorField, text: string): SettingsError | null {
  if (text.length > LONGEST_LINE) return 'operator_long';
  switch (field) {
    case 'contactUrl':
    case 'liveChatUrl':
    case 'helpCentreUrl':
      return text === '' || isLink(text) ? null : 'link_unreal';
    case 'supportEmail':
      return isEmailAddress(text) ? null : 'email_unreal';
    case 'supportPhone':
      return /^\+[\d ()-]{7,}$/.test(text) && readPhone(text, '').ok ? null : 'phone_unreal';
    default:
      return text === '' ? 'operator_required' : null;
  }
}

export function operatorForm(
  config: Pick<Config, 'operator'>,
  page: string,
  language: Language,
): SectionForm {
  const t = textsIn(language, 'settings');
  return {
    section: 'operator',
    page,
    read(typed, settings, at) {
      const then = operatorAt(config, settings, at);
      const problems: SettingsProblem[] = [];
      const values: Record<string, string> = {};
      for (const field of operatorFields) {
        const text = (typed[field] ?? '').trim();
        // Unchanged values, placeholders too, are not checked.
        if (text === typed[`was-${field}`]) continue;
        const code = operatorProblem(field, text);
        if (code) problems.push(lineProblem(field, code));
        else if (text !== (then[field] ?? '')) values[field] = text;
      }
      return { values, problems };
    },
    rows(values, settings, at) {
      const then = operatorAt(config, settings, at);
      return operatorFields.flatMap((field) => {
        const after = values[field];
        if (typeof after !== 'string') return [];
        const before = then[field] ?? null;
        return [{ label: t(`operator.field.${field}`), before, after: after || null }];
      });
    },
    fits: () => true,
  };
}

export const operatorLines =
  (language: Language) =>
  ({ values }: Change): string[] => {
    const t = textsIn(language, 'settings');
    return operatorFields.flatMap((field) =>
      typeof values[field] === 'string'
        ? [`${t(`operator.field.${field}`)}: ${values[field] || t('confirm.nothing')}`]
        : [],
    );
  };
