import { isLanguage, type Language } from '~/base/languages.ts';
import { fullName } from '~/features/application/full-name.ts';
import { formatNumber } from '~/base/format-number.ts';
import { rejectionCodesByKind } from '~/features/application/rejection.ts';
import { fillTemplate, messageTemplates, type Template } from '~/features/application/template.ts';
import { templateInForce } from '~/features/application/templates.server.ts';
import type { Settings } from '~/features/settings/change.ts';
import type { ApplicationDetail } from '../application/detail.server.ts';
import type { OfferedTemplate, OfferedTemplates } from './template-preview.tsx';

type Named = { number: string; firstName: string; lastName: string };

const languageOf = (tag: string): Language => (isLanguage(tag) ? tag : 'en');

/** A template as it would be sent about an application; null for what has none. */
function textAbout(
  settings: Settings,
  template: Template,
  { about, language, at }: { about: Named; language: Language; at: Date },
): string | null {
  const text = templateInForce(settings, template, { language, at });
  const values = { number: formatNumber(about.number), name: fullName(about) };
  return text && fillTemplate(text, values);
}

/** What templates say to a traveller, a line for each. `emailLanguage`: of the email. */
export function templateTexts(
  settings: Settings,
  templates: readonly Template[],
  { about, emailLanguage, at }: { about: Named; emailLanguage: string; at: Date },
): string {
  const language = languageOf(emailLanguage);
  return templates
    .flatMap((template) => textAbout(settings, template, { about, language, at }) ?? [])
    .join('\n');
}

/**
 * The templates that the forms of an application offer, of a decided one those of messages. `fields`: those that can be
 * corrected; `language`: the reader's.
 */
export function offeredTemplates(
  settings: Settings,
  application: ApplicationDetail,
  { fields, language: own, at }: { fields: readonly string[]; language: Language; at: Date },
): OfferedTemplates {
  const language = languageOf(application.emailLanguage);
  const textIn = (template: Template, of: Language) =>
    textAbout(settings, template, { about: application, language: of, at });
  const offered = (template: Template): readonly (readonly [string, OfferedTemplate])[] => {
    const sent = textIn(template, language);
    return sent === null ? [] : [[template.name, { sent, own: textIn(template, own) ?? sent }]];
  };
  const allOf = (kind: Template['kind'], names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => offered({ kind, name })));
  return {
    language,
    isForeign: language !== own,
    rejection: allOf(
      'rejection',
      application.decidedAt ? [] : rejectionCodesByKind(application.kind),
    ),
    correction: allOf('correction', application.decidedAt ? [] : fields),
    message: allOf('message', messageTemplates),
  };
}
