import { isEmailAddress } from '~/base/email-address.ts';
import { readPhone } from '~/features/application/read-phone.server.ts';
import {
  operatorInForce,
  operatorFields,
  type OperatorField,
} from '~/features/settings/operator.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import {
  decideEach,
  MAX_LINE_LENGTH,
  makeSetting,
  type OpeningSection,
  type OpenSection,
  type SettingsProblem,
} from './section.server.ts';

const isLink = (text: string, ...protocols: string[]): boolean =>
  text === '' || (URL.canParse(text) && protocols.includes(new URL(text).protocol));

/** What is wrong with a field, or null. The three addresses of the footer are optional. */
export function operatorProblem(
  field: OperatorField,
  text: string,
): Omit<SettingsProblem, 'field'> | null {
  if (text.length > MAX_LINE_LENGTH)
    return { code: 'operator_long', values: { limit: MAX_LINE_LENGTH } };
  switch (field) {
    case 'contactUrl':
    case 'helpCentreUrl':
      return isLink(text, 'https:', 'mailto:') ? null : { code: 'link_unreal' };
    // An e-mail is no chat.
    case 'liveChatUrl':
      return isLink(text, 'https:') ? null : { code: 'chat_unreal' };
    case 'supportEmail':
      return isEmailAddress(text) ? null : { code: 'email_unreal' };
    case 'supportPhone':
      return /^\+[\d ()-]{7,}$/.test(text) && readPhone(text, '').ok
        ? null
        : { code: 'phone_unreal' };
    default:
      return text === '' ? { code: 'operator_required' } : null;
  }
}

/** The operator, as named in footer, policies, emails, receipts and certificates. */
export function openOperator({ platform: { config }, language }: OpeningSection): OpenSection {
  const t = makeTranslate(language, 'settings');
  const settings = operatorFields.map((field) => {
    const name = t(`operator.field.${field}`);
    return makeSetting<string>({
      name,
      subject: field,
      control: {
        kind: 'text',
        name: field,
        label: name,
        maxLength: MAX_LINE_LENGTH,
        width: 'full',
      },
      at: (decided, moment) => operatorInForce(config, decided, moment)[field] ?? '',
      stored: String,
      read: (text) => operatorProblem(field, text) ?? { value: text },
      write: (text) => text,
    });
  });
  return {
    title: t('operator.title'),
    lead: t('operator.lead'),
    ...decideEach('operator', language, [{ rows: settings.map((one) => [one]) }]),
  };
}
