import { languages } from '~/base/languages.ts';
import { templateKinds } from '~/features/application/template.ts';
import { editedTemplate, templateInForce } from '~/features/application/templates.server.ts';
import { readSettings } from '~/features/settings/store.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { makeTranslate } from '~/i18n/translations.server.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { FormPage } from '../frame/desk-page.tsx';
import type { Route } from './+types/settings-templates.ts';
import { Parts } from './parts.tsx';
import type { SectionPart } from './section.server.ts';
import { SETTINGS } from './sections.ts';
import { templateKey, templateLabel, templates } from './templates.server.ts';

export const shouldRevalidate = () => true;

/** All templates with their text in the reader's language, and the languages in which they were changed. */
export async function loader(args: Route.LoaderArgs) {
  const { platform, language } = await requireDesk(args, 'edit_templates');
  const t = makeTranslate(language, 'settings');
  const settings = await readSettings(platform.db, ['templates']);
  const at = platform.now();
  const parts = templateKinds.map((kind): SectionPart => ({
    heading: t(`templates.${kind}`),
    items: templates
      .filter((template) => template.kind === kind)
      .map((template) => {
        const edited = editedTemplate(settings, template, at);
        const changed = languages.flatMap(({ code, name }) => (code in edited ? [name] : []));
        const title = templateLabel(template, language);
        const text = templateInForce(settings, template, { language, at });
        return {
          title,
          to: `${SETTINGS}/templates/${templateKey(template)}`,
          lines: [
            // The reasons are called as they read until somebody changes them.
            ...(text === null || text === title ? [] : [text]),
            ...(changed.length === 0
              ? []
              : [t('templates.changed', { languages: changed.join(', ') })]),
          ],
        };
      }),
  }));
  return { parts };
}

export default function SettingsTemplates({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation('settings');
  const { parts } = loaderData;
  return (
    <FormPage
      lead={t('templates.lead')}
      title={t('templates.title')}
      up={{ to: SETTINGS, label: t('up.settings') }}
    >
      <Parts parts={parts} />
    </FormPage>
  );
}
